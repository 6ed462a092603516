package scopecopies

import (
	"go/types"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// embedsAny reports whether a struct embeds a type whose name is one of some.
func embedsAny(t *types.Struct, is func(name flavor.TypeName) bool) bool {
	for field := range t.Fields() {
		if field.Embedded() && is(gotypes.NameOf(field.Type())) {
			return true
		}
	}
	return false
}

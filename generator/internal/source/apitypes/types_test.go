package apitypes

import (
	_ "embed"
	"go/types"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// encoded has types that encode themselves, and others.
//
//go:embed testdata/encoded.go
var encoded string

// TestHasMethod follows encoding/json: methods may be declared, or promoted.
func TestHasMethod(t *testing.T) {
	pkg := checked(t, encoded)
	for name, want := range map[string]bool{
		"Own": true, "OnPointer": true, "Promoted": true, "Deeper": true, "FromInterface": true, "Generic": true, "Instance": true,
		"Redefined": false, "Field": false, "Shadowed": false, "Other": false, "Map": false,
		"Interface": false, // go/types looks nothing up in pointers to interfaces
	} {
		expect.Equal(t, want, hasMethod(pkg.Scope().Lookup(name).Type().(*types.Named), "MarshalJSON", "MarshalText"), "%s", name)
	}
}

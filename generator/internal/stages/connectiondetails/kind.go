package connectiondetails

import (
	"strings"

	"github.com/gobuffalo/flect"

	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// method is the name of the method of the generated structs.
const method = "ConnectionDetails"

// A kind is a version of a managed kind, with the Go names of its connection details.
type kind struct {
	object     *model.Object
	structName string
	details    []detail
}

// A detail is a connection detail with its Go names.
type detail struct {
	connection.Detail

	field, constant string
}

func newKind(o *model.Object, details []connection.Detail) kind {
	k := kind{object: o, structName: o.Name + "ConnectionDetails"}
	for _, d := range details {
		field := goName(d.Name)
		k.details = append(k.details, detail{d, field, o.Name + "ConnectionDetail" + field})
	}
	return k
}

// goName returns the exported Go name for a key or a pattern of keys.
func goName(key string) string {
	words := strings.NewReplacer(".", "-", "*", "-").Replace(key)
	name := flect.Pascalize(words)
	switch {
	case name == "":
		return "Other" // Keys without letters and digits, usually the pattern of all.
	case '0' <= name[0] && name[0] <= '9':
		return "Key" + name
	default:
		return name
	}
}

package resolvers

import (
	"go/format"
	"go/token"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// declared returns the name of something that a package declares, qualified if
// that is another package.
func (w *fileWriter) declared(in flavor.Import, name string) string {
	if in.Path == "" || in.Path == w.pkg.Path {
		return name
	}
	return w.Qualified(in, name)
}

// typ returns the source of a type that is made of predeclared and declared types,
// pointers and slices.
func (w *fileWriter) typ(t *model.Type) string {
	switch {
	case t.Name != "":
		return w.declared(flavor.Import{Path: t.Package, Alias: t.PackageName}, t.Name)
	case t.Kind == model.Pointer:
		return "*" + w.typ(t.Elem)
	default:
		return "[]" + w.typ(t.Elem)
	}
}

// argument returns an argument in the call of an extractor.
func (w *fileWriter) argument(of *extractor, a markers.CallArgument) string {
	sign, name := splitSign(a.Text)
	if a.Kind == token.IDENT && !isPredeclared(name) {
		return sign + w.declared(of.namesIn, name)
	}
	// Numbers have several forms, and gofmt's is one of them.
	if formatted, err := format.Source([]byte(a.Text)); err == nil {
		return string(formatted)
	}
	return a.Text
}

// current returns a value of a field as a resolver takes it.
func (m *methodWriter) current(v value, field string) string {
	switch {
	case v.isNumber():
		return m.fromNumber(v, field)
	case v.isString() && v.pointer:
		return m.reference("FromPtrValue") + "(" + field + ")"
	case v.isString():
		return field
	case v.pointer:
		return m.reference("FromPtrValue") + "((*string)(" + field + "))"
	default:
		return "string(" + field + ")"
	}
}

// toString returns a resolved value as a string field takes it.
func (m *methodWriter) toString(v value, resolved string) string {
	if v.pointer {
		resolved = m.reference("ToPtrValue") + "(" + resolved + ")"
	}
	switch {
	case v.isString():
		return resolved
	case v.pointer:
		return "(*" + m.typ(v.scalar) + ")(" + resolved + ")"
	default:
		return m.typ(v.scalar) + "(" + resolved + ")"
	}
}

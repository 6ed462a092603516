package resolvers

import (
	"go/format"
	"go/token"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// declared returns a name that a package declares, qualified unless the package is the file's own.
func (w *fileWriter) declared(in flavor.Import, name string) string {
	if in.Path == "" || in.Path == w.pkg.Path {
		return name
	}
	return w.Qualified(in, name)
}

// typ returns the source of a predeclared or declared type, or of a pointer or slice of these.
func (w *fileWriter) typ(t *model.Type) string {
	return t.Source(func(t *model.Type) string {
		return w.declared(flavor.Import{Path: t.Package, Alias: t.PackageName}, t.Name)
	})
}

// argument returns an argument in the call of an extractor.
func (w *fileWriter) argument(of *extractor, a markers.CallArgument) string {
	sign, name := splitSign(a.Text)
	if a.Kind == token.IDENT && name != "true" && name != "false" {
		return sign + w.declared(of.namesIn, name)
	}
	// gofmt has a preferred form for numbers.
	if formatted, err := format.Source([]byte(a.Text)); err == nil {
		return string(formatted)
	}
	return a.Text
}

// current returns the string that a resolver takes for the current value of a field.
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

// toString converts a resolved value for a string field.
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

package resolvers

import (
	"go/token"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// declared returns the name of something that a package declares, qualified if
// that is another package.
func (w *writer) declared(in flavor.Import, name string) *jen.Statement {
	if in.Path == "" || in.Path == w.pkg.Path {
		return jen.Id(name)
	}
	return w.qualified(in, name)
}

// typ returns the source of a type that is made of predeclared and declared types,
// pointers and slices.
func (w *writer) typ(t *model.Type) *jen.Statement {
	switch {
	case t.Name != "":
		return w.declared(flavor.Import{Path: t.Package, Alias: t.PackageName}, t.Name)
	case t.Kind == model.Pointer:
		return jen.Op("*").Add(w.typ(t.Elem))
	default:
		return jen.Index().Add(w.typ(t.Elem))
	}
}

// argument returns an argument in the call of an extractor.
func (w *writer) argument(of *extractor, a markers.CallArgument) *jen.Statement {
	sign, name := splitSign(a.Text)
	if a.Kind != token.IDENT || isPredeclared(name) {
		return jen.Op(a.Text)
	}
	return jen.Op(sign).Add(w.declared(of.namesIn, name))
}

// current returns a value of a field as a resolver takes it.
func (m *methodWriter) current(v value, field *jen.Statement) *jen.Statement {
	references := m.generation.References
	switch {
	case v.isNumber():
		return m.fromNumber(v, field)
	case v.isString() && v.pointer:
		return m.qualified(references.Package, "FromPtrValue").Call(field)
	case v.isString():
		return field
	case v.pointer:
		return m.qualified(references.Package, "FromPtrValue").Call(jen.Parens(jen.Op("*").String()).Parens(field))
	default:
		return jen.String().Parens(field)
	}
}

// toString returns a resolved value as a string field takes it.
func (m *methodWriter) toString(v value, resolved *jen.Statement) *jen.Statement {
	if v.pointer {
		resolved = m.qualified(m.generation.References.Package, "ToPtrValue").Call(resolved)
	}
	switch {
	case v.isString():
		return resolved
	case v.pointer:
		return jen.Parens(jen.Op("*").Add(m.typ(v.scalar))).Parens(resolved)
	default:
		return m.typ(v.scalar).Parens(resolved)
	}
}

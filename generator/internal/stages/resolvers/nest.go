package resolvers

import (
	"fmt"
	"go/token"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// methodWriter writes the method of a kind.
type methodWriter struct {
	*writer
	generation *flavor.Generation
}

// A place is a part of the kind, as Go and as people name it.
type place struct {
	expr *jen.Statement
	// dereferenced is set if the expression begins with an asterisk.
	dereferenced bool
	// path is the JSON path, a format for its indexes and keys. Keys are in square
	// brackets, as k8s.io/apimachinery's field.Path writes them.
	path    string
	indexes []jen.Code
}

// code returns the Go expression. Statements of jennifer are changed by what is
// added to them, so each use needs its own.
func (p place) code() *jen.Statement { return p.expr.Clone() }

// operand returns the Go expression as it stands before a field or an index.
func (p place) operand() *jen.Statement {
	if p.dereferenced {
		return jen.Parens(p.code())
	}
	return p.code()
}

// indexed returns the element of a place with an index or key.
func (p place) indexed(expr *jen.Statement, verb string, index string) place {
	return place{expr: expr, path: p.path + "[" + verb + "]", indexes: append(p.indexes[:len(p.indexes):len(p.indexes)], jen.Id(index))}
}

// pathCode returns the Go expression for the JSON path.
func (p place) pathCode() *jen.Statement {
	if len(p.indexes) == 0 {
		return jen.Lit(strings.ReplaceAll(p.path, "%%", "%"))
	}
	return jen.Qual("fmt", "Sprintf").Call(append([]jen.Code{jen.Lit(p.path)}, p.indexes...)...)
}

// part returns a field of a struct at a place.
func (w *writer) part(of place, f *model.Field) place {
	p := of
	// Other packages reach the fields of an embedded struct without an exported
	// name by promotion.
	if t := f.Type.Leaf(); !f.Embedded || token.IsExported(f.Name) || t.Package == w.pkg.Path {
		p.expr, p.dereferenced = of.operand().Dot(f.Name), false
	}
	if f.JSONName != "" {
		if p.path != "" {
			p.path += "."
		}
		p.path += strings.ReplaceAll(f.JSONName, "%", "%%")
	}
	return p
}

// field writes what resolves a reference in the struct at a place, which the
// first fields of its path lead to.
func (m *methodWriter) field(ref *reference, depth int, at place) *jen.Statement {
	if depth == len(ref.path) {
		if ref.value.slice {
			return m.resolveMultiple(ref, at)
		}
		return m.resolve(ref, at)
	}
	f := ref.path[depth]
	return m.elements(ref, depth, 0, f.Type, m.part(at, f))
}

// elements writes the conditions and loops that lead from a field to the structs
// in it. The layer counts the loops of the field.
func (m *methodWriter) elements(ref *reference, depth, layer int, t *model.Type, at place) *jen.Statement {
	switch t.Kind {
	case model.Pointer:
		return jen.If(at.code().Op("!=").Nil()).Block(m.elements(ref, depth, layer, t.Elem, at.pointee(t)))
	case model.Slice:
		i := variable("i", depth, layer)
		element := at.indexed(at.operand().Index(jen.Id(i)), "%d", i)
		return jen.For(
			jen.Id(i).Op(":=").Lit(0),
			jen.Id(i).Op("<").Len(at.code()),
			jen.Id(i).Op("++"),
		).Block(m.element(ref, depth, layer, t.Elem, element)...)
	case model.Map:
		// Keys are visited in their order, so that of several errors it is always
		// the same one that is returned.
		key, value := variable("key", depth, layer), variable("value", depth, layer)
		body := []jen.Code{jen.Id(value).Op(":=").Add(at.operand().Index(jen.Id(key)))}
		body = append(body, m.element(ref, depth, layer, t.Elem, at.indexed(jen.Id(value), "%v", key))...)
		if t.Elem.Kind != model.Pointer {
			body = append(body, at.operand().Index(jen.Id(key)).Op("=").Id(value))
		}
		return jen.For(jen.List(jen.Id("_"), jen.Id(key)).Op(":=").Range().
			Qual("slices", "Sorted").Call(jen.Qual("maps", "Keys").Call(at.code()))).Block(body...)
	default:
		return m.field(ref, depth+1, at)
	}
}

// element writes the body of a loop over elements of type t.
func (m *methodWriter) element(ref *reference, depth, layer int, t *model.Type, at place) []jen.Code {
	if t.Kind != model.Pointer {
		return []jen.Code{m.elements(ref, depth, layer+1, t, at)}
	}
	return []jen.Code{
		jen.If(at.code().Op("==").Nil()).Block(jen.Continue()),
		m.elements(ref, depth, layer+1, t.Elem, at.pointee(t)),
	}
}

// pointee returns what the pointer at a place points to. Go dereferences pointers
// to structs itself.
func (p place) pointee(t *model.Type) place {
	if t.Elem.Kind != model.Struct {
		p.expr, p.dereferenced = jen.Op("*").Add(p.operand()), true
	}
	return p
}

// variable names a variable of a loop by the position of its field in the path,
// the kind being at 0, and tells nested loops over one field apart. No package has
// such a name, as a version has the name v3.
func variable(word string, depth, layer int) string {
	if layer == 0 {
		return fmt.Sprintf("%s%d", word, depth+1)
	}
	return fmt.Sprintf("%s%dn%d", word, depth+1, layer)
}

package resolvers

import (
	"go/token"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// methodWriter writes the method of a kind.
type methodWriter struct {
	*fileWriter
	generation *flavor.Generation
}

// reference returns a reference to a name in crossplane-runtime's reference package.
func (m *methodWriter) reference(name string) string {
	return m.Qualified(m.generation.References.Package, name)
}

// An operand is a part of the kind, as a Go expression and as a JSON path.
type operand struct {
	// expr is a Go expression.
	expr string
	// dereferenced is set if the expression begins with an asterisk.
	dereferenced bool
	// path is the JSON path, a format for its indexes and keys. Keys are in square
	// brackets, as k8s.io/apimachinery's field.Path writes them.
	path    string
	indexes []string
}

// primary returns the Go expression in the form that a selector or an index can follow.
func (o operand) primary() string {
	if o.dereferenced {
		return "(" + o.expr + ")"
	}
	return o.expr
}

// indexed returns the element of an operand with an index or key.
func (o operand) indexed(expr, verb, index string) operand {
	return operand{expr: expr, path: o.path + "[" + verb + "]", indexes: append(o.indexes[:len(o.indexes):len(o.indexes)], index)}
}

// path returns the Go expression for the JSON path of an operand.
func (w *fileWriter) path(of operand) string {
	if len(of.indexes) == 0 {
		return strconv.Quote(strings.ReplaceAll(of.path, "%%", "%"))
	}
	return w.Standard("fmt", "Sprintf") + "(" + strconv.Quote(of.path) + ", " + strings.Join(of.indexes, ", ") + ")"
}

// part returns a field of the struct that an operand is.
func (w *fileWriter) part(of operand, f *model.Field) operand {
	p := of
	// Other packages can only select the fields of an unexported embedded struct if they are
	// promoted.
	if t := f.Type.Leaf(); !f.Embedded || token.IsExported(f.Name) || t.Package == w.pkg.Path {
		p.expr, p.dereferenced = of.primary()+"."+f.Name, false
	}
	if f.JSONName != "" {
		if p.path != "" {
			p.path += "."
		}
		p.path += strings.ReplaceAll(f.JSONName, "%", "%%")
	}
	return p
}

// field writes the code that resolves a reference in a struct, which is the operand. Depth is
// how many fields of the reference's path lead there.
func (m *methodWriter) field(ref *reference, depth int, at operand) {
	switch {
	case depth < len(ref.path):
		f := ref.path[depth]
		m.elements(ref, depth, 0, f.Type, m.part(at, f))
	case ref.value.slice:
		m.resolveMultiple(ref, at)
	default:
		m.resolve(ref, at)
	}
}

// elements writes the conditions and loops from a field to the structs in it. The layer counts
// the loops over the field.
func (m *methodWriter) elements(ref *reference, depth, layer int, t *model.Type, at operand) {
	switch t.Kind {
	case model.Pointer:
		m.Block("if "+at.expr+" != nil", func() { m.elements(ref, depth, layer, t.Elem, at.pointee(t)) })
	case model.Slice:
		i := m.loopVariable("i", depth, layer)
		m.Block("for "+i+" := 0; "+i+" < len("+at.expr+"); "+i+"++", func() {
			m.element(ref, depth, layer, t.Elem, at.indexed(at.primary()+"["+i+"]", "%d", i))
		})
	case model.Map:
		// Sorted keys make it deterministic which of several errors is returned.
		key, value := m.loopVariable("key", depth, layer), m.loopVariable("value", depth, layer)
		keys := m.Standard("slices", "Sorted") + "(" + m.Standard("maps", "Keys") + "(" + at.expr + "))"
		m.Block("for _, "+key+" := range "+keys, func() {
			m.Line(value, " := ", at.primary(), "[", key, "]")
			m.element(ref, depth, layer, t.Elem, at.indexed(value, "%v", key))
			if t.Elem.Kind != model.Pointer {
				m.Line(at.primary(), "[", key, "] = ", value)
			}
		})
	default:
		m.field(ref, depth+1, at)
	}
}

// element writes the body of a loop over elements of type t.
func (m *methodWriter) element(ref *reference, depth, layer int, t *model.Type, at operand) {
	if t.Kind == model.Pointer {
		m.Block("if "+at.expr+" == nil", func() { m.Line("continue") })
		t, at = t.Elem, at.pointee(t)
	}
	m.elements(ref, depth, layer+1, t, at)
}

// pointee returns the operand that a pointer points to. Go dereferences pointers to structs
// itself.
func (o operand) pointee(t *model.Type) operand {
	if t.Elem.Kind != model.Struct {
		o.expr, o.dereferenced = "*"+o.primary(), true
	}
	return o
}

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
	// lists and maps count the surrounding loops over lists and maps.
	lists, maps int
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
	// path is the JSON path, a format string for its indexes and keys. Keys are in square brackets, as in
	// k8s.io/apimachinery's field.Path.
	path    string
	indexes []string
}

// primary returns the Go expression in a form that a selector or an index can follow.
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

// index returns the index or key of an element.
func (o operand) index() string { return o.indexes[len(o.indexes)-1] }

// path returns the Go expression for the JSON path of an operand.
func (w *fileWriter) path(of operand) string {
	if len(of.indexes) == 0 {
		return strconv.Quote(strings.ReplaceAll(of.path, "%%", "%"))
	}
	return w.Standard("fmt", "Sprintf") + "(" + strconv.Quote(of.path) + ", " + strings.Join(of.indexes, ", ") + ")"
}

// part returns a field of the operand's struct.
func (w *fileWriter) part(of operand, f *model.Field) operand {
	p := of
	// Other packages can't name an unexported embedded struct, only its promoted fields.
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

// resolveAll writes the code that resolves the references in the operand's struct and everything in it. depth
// is the number of fields in their paths that lead there.
func (m *methodWriter) resolveAll(refs []*reference, depth int, at operand) {
	for first := refs; len(refs) > 0; {
		if len(refs) < len(first) {
			m.Blank()
		}
		ref := refs[0]
		if depth == len(ref.path) {
			if ref.value.slice {
				m.resolveMultiple(ref, at)
			} else {
				m.resolveSingle(ref, at)
			}
			refs = refs[1:]
			continue
		}
		f, n := ref.path[depth], 1
		// References with a common next step share its conditions and loops.
		for n < len(refs) && depth < len(refs[n].path) && refs[n].path[depth] == f {
			n++
		}
		below := refs[:n]
		m.eachStruct(f.Type, m.part(at, f), func(at operand) { m.resolveAll(below, depth+1, at) })
		refs = refs[n:]
	}
}

// eachStruct writes the conditions and loops that lead from a value to the structs in it, with the code that do
// writes inside. A pointer to a struct is there the variable p.
func (m *methodWriter) eachStruct(t *model.Type, at operand, do func(operand)) {
	switch {
	case t.Kind == model.Pointer && t.Elem.Kind == model.Struct:
		p := m.local("p")
		m.Block("if "+p+" := "+at.expr+"; "+p+" != nil", func() { do(at.as(p)) })
	case t.Kind == model.Pointer:
		m.Block("if "+at.expr+" != nil", func() { m.eachStruct(t.Elem, at.pointee(), do) })
	case t.Kind == model.Slice:
		m.eachItem(at, at.expr, func(item operand) {
			if t.Elem.Kind != model.Struct {
				m.eachStruct(t.Elem, item, do)
				return
			}
			p := m.local("p")
			m.Line(p, " := &", item.expr)
			do(item.as(p))
		})
	case t.Kind == model.Map:
		m.eachEntry(t, at, do)
	default:
		do(at)
	}
}

// eachItem writes a loop over the indexes of list, with the code that do writes for the items of an operand.
func (m *methodWriter) eachItem(of operand, list string, do func(item operand)) {
	i := m.index()
	m.lists++
	m.Block("for "+i+" := range "+list, func() { do(of.indexed(of.primary()+"["+i+"]", "%d", i)) })
	m.lists--
}

// eachEntry writes a loop over the entries of a map.
func (m *methodWriter) eachEntry(t *model.Type, at operand, do func(operand)) {
	// Sorted keys, so that the same one of several errors is returned each time.
	key, value := m.local(numbered("key", m.maps)), m.local(numbered("value", m.maps))
	m.maps++
	keys := m.Standard("slices", "Sorted") + "(" + m.Standard("maps", "Keys") + "(" + at.expr + "))"
	m.Block("for _, "+key+" := range "+keys, func() {
		entry := at.indexed(at.primary()+"["+key+"]", "%v", key)
		if t.Elem.IsNilable() {
			m.eachStruct(t.Elem, entry, do)
			return
		}
		// A struct in a map can't be changed in place: change a copy, and store it.
		m.Line(value, " := ", entry.expr)
		m.eachStruct(t.Elem, entry.as(value), do)
		m.Line(entry.expr, " = ", value)
	})
	m.maps--
}

// as returns an operand for a variable.
func (o operand) as(variable string) operand {
	o.expr, o.dereferenced = variable, false
	return o
}

// pointee returns the operand that a pointer points to.
func (o operand) pointee() operand {
	o.expr, o.dereferenced = "*"+o.primary(), true
	return o
}

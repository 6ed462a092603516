package resolvers

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

// resolveSingle writes the code that resolves a reference to one value. The holder is the struct with the
// value and the reference.
func (m *methodWriter) resolveSingle(ref *reference, holder operand) {
	value := m.part(holder, ref.field)
	refField, selector := holder.primary()+"."+ref.refField, holder.primary()+"."+ref.selectorField
	request := m.reference(m.generation.References.Request)
	elements := m.request(ref,
		gosrc.Element{Key: "CurrentValue", Value: m.current(ref.value, value.expr)},
		gosrc.Element{Key: "Reference", Value: refField},
		gosrc.Element{Key: "Selector", Value: selector},
	)
	failed := func() { m.Line("return ", m.failed(ref, m.path(value), refField, selector)) }
	if ref.lookedUp {
		m.Literal(m.code("$req = ")+request, elements, "")
		m.lookUp(ref, "$req", failed)
		m.Line(m.code("$rsp, $err = "), m.resolver(ref), m.code(".Resolve($ctx, $req)"))
	} else {
		m.Literal(m.code("$rsp, $err = ")+m.resolver(ref)+m.code(".Resolve($ctx, ")+request, elements, ")")
	}
	m.Block(m.code("if $err != nil"), failed)
	resolved, resolvedReference := m.code("$rsp.ResolvedValue"), m.code("$rsp.ResolvedReference")
	// An optional reference without a target has an empty answer, which must not replace what the user wrote.
	m.Block("if "+resolvedReference+" != nil", func() {
		if ref.value.isNumber() {
			m.Block(m.code("if $err = ")+m.setNumber(ref.value, value.expr, resolved)+m.code("; $err != nil"), func() {
				m.Line("return ", m.failed(ref, m.path(value), resolvedReference, "nil"))
			})
		} else {
			m.Line(value.expr, " = ", m.toString(ref.value, resolved))
		}
		m.Line(refField, " = ", resolvedReference)
	})
}

// resolveMultiple writes the code that resolves references to a slice of values.
func (m *methodWriter) resolveMultiple(ref *reference, holder operand) {
	values := m.part(holder, ref.field)
	refField, selector := holder.primary()+"."+ref.refField, holder.primary()+"."+ref.selectorField
	current := values.expr
	switch {
	case !ref.value.isString():
		current = "make([]string, len(" + values.expr + "))"
	case ref.value.pointer:
		current = m.reference("FromPtrValues") + "(" + values.expr + ")"
	}
	m.Literal(m.code("$mreq = ")+m.reference(m.generation.References.MultiRequest), m.request(ref,
		gosrc.Element{Key: "CurrentValues", Value: current},
		gosrc.Element{Key: "References", Value: refField},
		gosrc.Element{Key: "Selector", Value: selector},
	), "")
	if !ref.value.isString() {
		m.eachItem(values, values.expr, func(item operand) {
			m.Line(m.code("$mreq.CurrentValues["), item.index(), "] = ", m.current(ref.value, item.expr))
		})
	}
	if ref.lookedUp {
		m.lookUp(ref, "$mreq", func() {
			m.Line("return ", m.Qualified(m.errors(m.generation), "Wrapf"),
				m.code(`($err, "%s: cannot resolve references to %s", `), m.path(values), ", ", strconv.Quote(ref.target), ")")
		})
	}
	m.Line(m.code("$mrsp, $err = "), m.resolver(ref), m.code(".ResolveMultiple($ctx, $mreq)"))
	m.Block(m.code("if $err != nil"), func() {
		m.Line("return ", m.multiError(m.generation), m.code("($ctx, "), m.resolver(ref), m.code(", $mreq, $err, "), m.path(values), ", ",
			strconv.Quote(ref.target), ")")
	})
	// An empty answer must not replace what the user wrote, nor be written as an empty list.
	m.Block(m.code("if len($mrsp.ResolvedReferences) > 0"), func() {
		m.setValues(ref, values)
		m.Line(refField, m.code(" = $mrsp.ResolvedReferences"))
	})
}

// setValues writes the code that sets a slice to the resolved values.
func (m *methodWriter) setValues(ref *reference, values operand) {
	resolved := m.code("$mrsp.ResolvedValues")
	switch {
	case ref.value.isNumber():
		i := m.index()
		item := values.indexed("", "%d", i)
		m.Block("if "+i+m.code(", $err := ")+m.setNumber(ref.value, values.expr, resolved)+m.code("; $err != nil"), func() {
			m.Line("return ", m.failed(ref, m.path(item), m.code("&$mrsp.ResolvedReferences[")+i+"]", "nil"))
		})
	case !ref.value.isString():
		m.Line(values.expr, " = make(", m.typ(ref.field.Type), ", len(", resolved, "))")
		m.eachItem(values, resolved, func(item operand) {
			m.Line(item.expr, " = ", m.toString(ref.value, resolved+"["+item.index()+"]"))
		})
	case ref.value.pointer:
		m.Line(values.expr, " = ", m.reference("ToPtrValues"), "(", resolved, ")")
	default:
		m.Line(values.expr, " = ", resolved)
	}
}

// request adds the elements that requests for one and for several references have in common.
func (m *methodWriter) request(ref *reference, elements ...gosrc.Element) []gosrc.Element {
	elements = append(elements, gosrc.Element{Key: "Extract", Value: m.extract(ref)})
	if m.generation.References.Namespaced {
		elements = append(elements, gosrc.Element{Key: "Namespace", Value: m.code("$mg.GetNamespace()")})
	}
	if !ref.lookedUp {
		elements = append(elements, gosrc.Element{Key: "To", Value: m.reference("To"), Elements: []gosrc.Element{
			{Key: "List", Value: "&" + m.declared(ref.targetIn, ref.target+"List") + "{}"},
			{Key: "Managed", Value: "&" + m.declared(ref.targetIn, ref.target) + "{}"},
		}})
	}
	slices.SortFunc(elements, func(a, b gosrc.Element) int { return strings.Compare(a.Key, b.Key) })
	return elements
}

// extract returns the call of the extractor of a reference.
func (m *methodWriter) extract(ref *reference) string {
	if ref.extractor == nil {
		return m.reference("ExternalName") + "()"
	}
	var arguments []string
	for _, a := range ref.extractor.arguments {
		arguments = append(arguments, m.argument(ref.extractor, a))
	}
	return m.declared(ref.extractor.functionIn, ref.extractor.function) + "(" + strings.Join(arguments, ", ") + ")"
}

// failed returns the error that names a reference or its selector.
func (m *methodWriter) failed(ref *reference, path, reference, selector string) string {
	return m.singleError(m.generation) + m.code("($err, ") + path + ", " + strconv.Quote(ref.target) + ", " + reference + ", " + selector + ")"
}

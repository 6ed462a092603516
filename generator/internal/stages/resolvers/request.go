package resolvers

import (
	"github.com/dave/jennifer/jen"
)

// resolve writes what resolves a reference to one value. The holder is the struct
// that has the value and the reference.
func (m *methodWriter) resolve(ref *reference, holder place) *jen.Statement {
	references := m.generation.References
	value := m.part(holder, ref.field)
	refField, selector := holder.operand().Dot(ref.refField), holder.operand().Dot(ref.selectorField)
	request := m.qualified(references.Package, references.Request).Values(m.request(ref, jen.Dict{
		jen.Id("CurrentValue"): m.current(ref.value, value.code()),
		jen.Id("Reference"):    refField.Clone(),
		jen.Id("Selector"):     selector.Clone(),
	}))
	s := &jen.Statement{}
	if ref.lookedUp {
		s.Add(jen.Id("req").Op("=").Add(request), jen.Line(),
			m.lookUp(ref, "req", m.singleFailed(ref, value.pathCode(), refField.Clone(), selector.Clone())))
		request = jen.Id("req")
	}
	s.Add(
		jen.List(jen.Id("rsp"), jen.Err()).Op("=").Id("r").Dot("Resolve").Call(jen.Id("ctx"), request),
		jen.Line(),
		m.returnError(ref, value.pathCode(), refField.Clone(), selector.Clone()),
		jen.Line(),
	)
	s.Add(m.assign(ref, value, jen.Id("rsp").Dot("ResolvedValue"), jen.Id("rsp").Dot("ResolvedReference")))
	return s.Add(refField.Clone().Op("=").Id("rsp").Dot("ResolvedReference"), jen.Line())
}

// resolveMultiple writes what resolves references to a slice of values. The holder
// is the struct that has the values and the references.
func (m *methodWriter) resolveMultiple(ref *reference, holder place) *jen.Statement {
	references := m.generation.References
	values := m.part(holder, ref.field)
	refField, selector := holder.operand().Dot(ref.refField), holder.operand().Dot(ref.selectorField)
	current, resolved := jen.Id("mreq").Dot("CurrentValues"), jen.Id("mrsp").Dot("ResolvedValues")
	request := jen.Dict{jen.Id("References"): refField.Clone(), jen.Id("Selector"): selector.Clone()}
	var before, after jen.Statement
	switch {
	case !ref.value.isString():
		request[jen.Id("CurrentValues")] = jen.Make(jen.Index().String(), jen.Len(values.code()))
		element := values.indexed(values.operand().Index(jen.Id("i")), "%d", "i")
		before = jen.Statement{
			jen.For(jen.Id("i").Op(":=").Range().Add(values.code())).Block(
				current.Clone().Index(jen.Id("i")).Op("=").Add(m.current(ref.value, element.code()))),
			jen.Line(),
		}
		after = jen.Statement{
			values.code().Op("=").Make(m.typ(ref.field.Type), jen.Len(resolved.Clone())),
			jen.Line(),
			jen.For(jen.Id("i").Op(":=").Range().Add(resolved.Clone())).Block(
				m.assign(ref, element, resolved.Clone().Index(jen.Id("i")), jen.Op("&").Id("mrsp").Dot("ResolvedReferences").Index(jen.Id("i")))),
			jen.Line(),
		}
	case ref.value.pointer:
		request[jen.Id("CurrentValues")] = m.qualified(references.Package, "FromPtrValues").Call(values.code())
		after = jen.Statement{values.code().Op("=").Add(m.qualified(references.Package, "ToPtrValues")).Call(resolved), jen.Line()}
	default:
		request[jen.Id("CurrentValues")] = values.code()
		after = jen.Statement{values.code().Op("=").Add(resolved), jen.Line()}
	}
	s := &jen.Statement{
		jen.Id("mreq").Op("=").Add(m.qualified(references.Package, references.MultiRequest)).Values(m.request(ref, request)),
		jen.Line(),
	}
	s.Add(before...)
	if ref.lookedUp {
		s.Add(m.lookUp(ref, "mreq", m.qualified(references.Errors, "Wrapf").Call(
			jen.Err(), jen.Lit("%s: cannot resolve references to %s"), values.pathCode(), jen.Lit(ref.target))))
	}
	s.Add(
		jen.List(jen.Id("mrsp"), jen.Err()).Op("=").Id("r").Dot("ResolveMultiple").Call(jen.Id("ctx"), jen.Id("mreq")),
		jen.Line(),
		jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Id(m.multiError(m.generation)).Call(
			jen.Id("ctx"), jen.Id("r"), jen.Id("mreq"), jen.Err(), values.pathCode(), jen.Lit(ref.target)))),
		jen.Line(),
	)
	return s.Add(after...).Add(refField.Clone().Op("=").Id("mrsp").Dot("ResolvedReferences"), jen.Line())
}

// request completes a request with what it has for one reference and several.
func (m *methodWriter) request(ref *reference, fields jen.Dict) jen.Dict {
	references := m.generation.References
	fields[jen.Id("Extract")] = m.extract(ref)
	if !ref.lookedUp {
		fields[jen.Id("To")] = m.qualified(references.Package, "To").Values(jen.Dict{
			jen.Id("Managed"): jen.Op("&").Add(m.declared(ref.targetIn, ref.target)).Values(),
			jen.Id("List"):    jen.Op("&").Add(m.declared(ref.targetIn, ref.target+"List")).Values(),
		})
	}
	if references.Namespaced {
		fields[jen.Id("Namespace")] = jen.Id(receiver).Dot("GetNamespace").Call()
	}
	return fields
}

// extract returns the call of the extractor of a reference.
func (m *methodWriter) extract(ref *reference) *jen.Statement {
	if ref.extractor == nil {
		return m.qualified(m.generation.References.Package, "ExternalName").Call()
	}
	var arguments []jen.Code
	for _, a := range ref.extractor.arguments {
		arguments = append(arguments, m.argument(ref.extractor, a))
	}
	return m.declared(ref.extractor.functionIn, ref.extractor.function).Call(arguments...)
}

// returnError writes the return of an error, if there is one, that names a
// reference or its selector.
func (m *methodWriter) returnError(ref *reference, path, reference, selector *jen.Statement) *jen.Statement {
	return jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(m.singleFailed(ref, path, reference, selector)))
}

// singleFailed returns the error that names a reference or its selector.
func (m *methodWriter) singleFailed(ref *reference, path, reference, selector *jen.Statement) *jen.Statement {
	return jen.Id(m.singleError(m.generation)).Call(jen.Err(), path, jen.Lit(ref.target), reference, selector)
}

// assign writes the assignment of a resolved value to a place.
func (m *methodWriter) assign(ref *reference, to place, resolved, reference *jen.Statement) *jen.Statement {
	if ref.value.isNumber() {
		return &jen.Statement{
			jen.List(to.code(), jen.Err()).Op("=").Add(m.toNumber(ref.value, resolved)),
			jen.Line(),
			m.returnError(ref, to.pathCode(), reference, jen.Nil()),
			jen.Line(),
		}
	}
	return &jen.Statement{to.code().Op("=").Add(m.toString(ref.value, resolved)), jen.Line()}
}

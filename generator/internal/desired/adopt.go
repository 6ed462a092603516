package desired

import (
	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// adoptBody returns statements that fill the required fields that are unset in a
// desired struct, and in the structs that it holds.
func (w *writer) adoptBody(of *pair) []jen.Code {
	var statements []jen.Code
	for _, f := range of.fields {
		switch {
		case f.relation.shape == structure:
			statements = append(statements, w.adoptStructure(f)...)
		case f.desired.field().Required:
			statements = append(statements, jen.If(w.isUnset(f).Op("&&").Add(w.isObserved(f))).Block(w.assign(f, w.convertField(f))...))
		}
	}
	return statements
}

// adoptStructure fills a required struct that is unset as a whole, and else the
// required fields in a struct that is set.
func (w *writer) adoptStructure(f field) []jen.Code {
	r := f.relation
	var inside []jen.Code
	if r.pair.adoptable() {
		desired := f.desired.write(jen.Id(parametersName))
		if r.desired.Kind != model.Pointer {
			desired = jen.Op("&").Add(desired)
		}
		inside = []jen.Code{w.call(adopt, r.pair, desired, pointee(r.observed, w.read(f.observed, jen.Id(observedName))))}
	}
	switch {
	case f.desired.field().Required && inside == nil:
		return []jen.Code{jen.If(w.isUnset(f).Op("&&").Add(w.isObserved(f))).Block(w.assign(f, w.convertField(f))...)}
	case f.desired.field().Required:
		return []jen.Code{jen.If(w.isObserved(f)).Block(
			jen.If(w.isUnset(f)).Block(w.assign(f, w.convertField(f))...).Else().Block(inside...),
		)}
	case inside != nil:
		return []jen.Code{jen.If(w.isSet(f).Op("&&").Add(w.isObserved(f))).Block(inside...)}
	}
	return nil
}

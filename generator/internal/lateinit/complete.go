package lateinit

import (
	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// completeBody returns statements that fill the unset required fields of a new desired struct, at
// any depth.
func (w *pairWriter) completeBody(of *pair) []jen.Code {
	return w.guarded(of.fields, func(f field) []jen.Code {
		switch {
		case f.relation.Shape == mapping.Struct:
			return w.completeStructure(f)
		case f.desired.Field().Required && f.takes():
			return []jen.Code{w.take(f, false)}
		default:
			return nil
		}
	})
}

// completeStructure fills an unset required struct as a whole, and only the required fields of a
// struct that is set.
func (w *pairWriter) completeStructure(f field) []jen.Code {
	r := f.relation
	var inside jen.Code
	if f.filledInside() && r.pair.completable() && !r.pair.pinned() {
		inside = w.call(complete, r.pair, w.addressOf(f), pointee(r.Source, w.read(f.observed, w.from())))
	}
	takes := f.desired.Field().Required && f.takes()
	switch {
	case takes && inside == nil:
		return []jen.Code{w.take(f, false)}
	case takes:
		return []jen.Code{jen.If(w.isObserved(f)).Block(jen.If(w.isUnset(f)).Block(w.takeIfAllowed(f, false)...).Else().Block(inside))}
	case inside != nil && r.Target.Kind != model.Pointer && f.alwaysSet():
		return []jen.Code{jen.If(w.isObserved(f)).Block(inside)}
	case inside != nil:
		return []jen.Code{jen.If(w.isSet(f).Op("&&").Add(w.isObserved(f))).Block(inside)}
	}
	return nil
}

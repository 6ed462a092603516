package lateinit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// lateInitializeBody returns statements that fill the unset fields of a desired struct, and
// report whether anything changed.
func (w *pairWriter) lateInitializeBody(of *pair) []jen.Code {
	statements := w.guarded(of.fields, func(f field) []jen.Code {
		switch {
		case f.unchecked:
			return nil
		case f.relation.Shape == mapping.Struct && !of.Target.Deref().Immutable() && !f.immutable():
			return w.fillStructure(f)
		default:
			return w.fillWhole(f)
		}
	})
	if len(statements) == 0 {
		return []jen.Code{jen.Return(jen.False())}
	}
	return slices.Concat(
		[]jen.Code{w.variable(changedName).Op(":=").False()},
		statements,
		[]jen.Code{jen.Return(w.variable(changedName))})
}

// setChanged records that something changed.
func (w *pairWriter) setChanged() jen.Code { return w.variable(changedName).Op("=").True() }

// fillWhole returns statements that only fill a field if it is unset: the API server rejects
// any change to an immutable field that is set, even an addition.
func (w *pairWriter) fillWhole(f field) []jen.Code {
	switch {
	case f.alwaysSet() || !f.takes() || f.treatment.Kept:
		return nil
	case f.relation.Shape == mapping.Struct && f.relation.Target.Kind != model.Pointer:
		return []jen.Code{w.fillValue(f, nil)}
	}
	return []jen.Code{w.take(f, true, w.setChanged())}
}

// take returns a statement that sets an unset desired field to the observed value, if there is
// one that spec accepts. If it is filled, an empty struct, list or map counts as none: nobody
// chose it, nor the defaults that the API server would add in it. The statements then follow.
func (w *pairWriter) take(f field, filled bool, then ...jen.Code) *jen.Statement {
	conditions := append(w.mayTake(f, w.isUnset(f)), w.isObserved(f))
	if r := f.relation; filled && r.mayPointToNothing() {
		conditions = append(conditions, w.isZero(r.Shape == mapping.Scalar, r.Source, pointee(r.Source, w.read(f.observed, w.from())), false))
	}
	return jen.If(and(conditions...)).Block(w.takeObserved(f, filled, then...)...)
}

// mayTake adds the conditions under which a desired field may be set to others.
func (w *pairWriter) mayTake(f field, conditions ...*jen.Statement) []*jen.Statement {
	for _, other := range f.beside {
		conditions = append(conditions, w.isAbsent(access{Access: other}))
	}
	return conditions
}

// takeObserved returns statements that set a desired field to the observed value, which is
// set, if spec accepts it. If it is filled, a struct that nothing would be set in is left out.
// The statements then follow.
func (w *pairWriter) takeObserved(f field, filled bool, then ...jen.Code) []jen.Code {
	r := f.relation
	observed := pointee(r.Source, w.read(f.observed, w.from()))
	assign := append(w.assign(f, w.wrap(r, w.variable(valueName))), then...)
	switch {
	case r.fallible(): // what spec requires is something
		return []jen.Code{
			jen.If(jen.List(w.variable(valueName), w.variable(okName)).Op(":=").Add(w.tryConvert(r, observed)), w.variable(okName)).Block(assign...),
		}
	case filled && r.Shape == mapping.Struct:
		return []jen.Code{
			jen.If(w.variable(valueName).Op(":=").Add(w.call(create, r.pair, observed)), jen.Op("!").Add(w.help("IsZero", w.variable(valueName)))).Block(assign...),
		}
	default:
		return append(w.assign(f, w.convert(r, observed)), then...)
	}
}

// takeIfAllowed returns the statements of takeObserved for an unset desired field, under the
// conditions that allow it to be set.
func (w *pairWriter) takeIfAllowed(f field, filled bool, then ...jen.Code) []jen.Code {
	statements := w.takeObserved(f, filled, then...)
	if conditions := w.mayTake(f); len(conditions) > 0 {
		return []jen.Code{jen.If(and(conditions...)).Block(statements...)}
	}
	return statements
}

// changedBy returns a statement for a condition that changes something if it holds.
func (w *pairWriter) changedBy(condition *jen.Statement) jen.Code {
	return w.variable(changedName).Op("=").Add(condition).Op("||").Add(w.variable(changedName))
}

// assign returns statements that set a desired field.
func (w *pairWriter) assign(f field, value *jen.Statement) []jen.Code {
	return append(w.ensure(f.desired, w.variable(parametersName)),
		f.desired.write(w.variable(parametersName)).Op("=").Add(value))
}

// fillStructure fills an unset struct as a whole, and else the unset fields in it.
func (w *pairWriter) fillStructure(f field) []jen.Code {
	r := f.relation
	if !r.pair.fillable() {
		return w.fillWhole(f)
	}
	takes := f.takes() && !f.treatment.Kept
	if takes && r.Target.Kind == model.Pointer {
		return []jen.Code{w.fillPointer(f)}
	}
	inside := w.call(lateInitialize, r.pair, w.addressOf(f), w.value(r.Source, w.read(f.observed, w.from())))
	switch {
	case f.alwaysSet():
		return []jen.Code{w.changedBy(inside)}
	case takes:
		return []jen.Code{w.fillValue(f, inside)}
	default:
		return []jen.Code{jen.If(w.isSet(f).Op("&&").Add(inside)).Block(w.setChanged())}
	}
}

// addressOf returns a pointer to a desired struct.
func (w *pairWriter) addressOf(f field) *jen.Statement {
	value := f.desired.write(w.variable(parametersName))
	if f.relation.Target.Kind == model.Pointer {
		return value
	}
	return jen.Op("&").Add(value)
}

// fillPointer fills a nil pointer to a struct as a whole, and else the unset fields in it.
func (w *pairWriter) fillPointer(f field) jen.Code {
	r := f.relation
	inside := w.call(lateInitialize, r.pair, f.desired.write(w.variable(parametersName)),
		pointee(r.Source, w.read(f.observed, w.from())))
	return jen.If(w.isObserved(f)).Block(
		jen.If(w.isUnset(f)).Block(w.takeIfAllowed(f, true, w.setChanged())...).Else().If(inside).Block(w.setChanged()),
	)
}

// fillValue fills a struct that is not a pointer: it is unset if it is zero. The condition
// inside fills the unset fields in it, or is nil.
func (w *pairWriter) fillValue(f field, inside *jen.Statement) jen.Code {
	r := f.relation
	observed := w.value(r.Source, w.read(f.observed, w.from()))
	assign := w.variable(valueName).Op(":=").Add(w.convert(r, observed))
	conditions := w.mayTake(f, w.isUnset(f), jen.Op("!").Add(w.help("IsZero", w.variable(valueName))))
	if r.fallible() {
		assign = jen.List(w.variable(valueName), w.variable(okName)).Op(":=").Add(w.tryConvert(r, observed))
		conditions = append([]*jen.Statement{w.variable(okName)}, conditions...)
	}
	statement := jen.If(assign, and(conditions...)).Block(append(w.assign(f, w.variable(valueName)), w.setChanged())...)
	if inside == nil {
		return statement
	}
	if f.desired.indirect() || len(f.beside) > 0 || r.fallible() {
		// What is unset stays so, and the embedded pointer on the way may be nil.
		inside = w.isSet(f).Op("&&").Add(inside)
	}
	return statement.Else().If(inside).Block(w.setChanged())
}

package desired

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
		case of.Target.Deref().Immutable() || f.immutable():
			return w.fillWhole(f)
		default:
			return w.fill(f)
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

// fill returns statements that fill a field if it is unset, or else the unset fields in it.
func (w *pairWriter) fill(f field) []jen.Code {
	switch r := f.relation; {
	case r.Shape == mapping.Struct:
		return w.fillStructure(f)
	case r.Shape == mapping.Map && len(r.checks) == 0:
		return w.fillMapping(f)
	}
	return w.fillWhole(f)
}

// fillWhole returns statements that only fill a field if it is unset: the API server rejects
// any change to an immutable field that is set, even an addition.
func (w *pairWriter) fillWhole(f field) []jen.Code {
	switch {
	case f.alwaysSet() || !f.takes():
		return nil
	case f.relation.Shape == mapping.Struct && f.relation.Target.Kind != model.Pointer:
		return []jen.Code{w.fillValue(f, nil)}
	}
	return []jen.Code{w.take(f, w.setChanged())}
}

// take returns a statement that sets an unset desired field to the observed value, if there is
// one that spec accepts. The statements then follow.
func (w *pairWriter) take(f field, then ...jen.Code) *jen.Statement {
	return jen.If(and(append(w.mayTake(f, w.isUnset(f)), w.isObserved(f))...)).Block(w.takeObserved(f, then...)...)
}

// mayTake adds the conditions under which a desired field may be set to others.
func (w *pairWriter) mayTake(f field, conditions ...*jen.Statement) []*jen.Statement {
	for _, other := range f.beside {
		conditions = append(conditions, w.isAbsent(access{Access: other}))
	}
	return conditions
}

// takeObserved returns statements that set a desired field to the observed value, which is
// set, if spec accepts it. The statements then follow.
func (w *pairWriter) takeObserved(f field, then ...jen.Code) []jen.Code {
	r := f.relation
	observed := pointee(r.Source, w.read(f.observed, w.variable(observedName)))
	if !r.fallible() {
		return append(w.assign(f, w.convert(r, observed)), then...)
	}
	return []jen.Code{
		jen.If(jen.List(w.variable(valueName), w.variable(okName)).Op(":=").Add(w.tryConvert(r, observed)), w.variable(okName)).
			Block(append(w.assign(f, w.wrap(r, w.variable(valueName))), then...)...),
	}
}

// takeIfAllowed returns the statements of takeObserved for an unset desired field, under the
// conditions that allow it to be set.
func (w *pairWriter) takeIfAllowed(f field, then ...jen.Code) []jen.Code {
	statements := w.takeObserved(f, then...)
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
	if f.takes() && r.Target.Kind == model.Pointer {
		return []jen.Code{w.fillPointer(f)}
	}
	inside := w.call(lateInitialize, r.pair, w.addressOf(f), w.value(r.Source, w.read(f.observed, w.variable(observedName))))
	switch {
	case f.alwaysSet():
		return []jen.Code{w.changedBy(inside)}
	case f.takes():
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
		pointee(r.Source, w.read(f.observed, w.variable(observedName))))
	return jen.If(w.isObserved(f)).Block(
		jen.If(w.isUnset(f)).Block(w.takeIfAllowed(f, w.setChanged())...).Else().If(inside).Block(w.setChanged()),
	)
}

// fillValue fills a struct that is not a pointer: it is unset if it is zero. The condition
// inside fills the unset fields in it, or is nil.
func (w *pairWriter) fillValue(f field, inside *jen.Statement) jen.Code {
	r := f.relation
	observed := w.value(r.Source, w.read(f.observed, w.variable(observedName)))
	assign := w.variable(valueName).Op(":=").Add(w.convert(r, observed))
	conditions := w.mayTake(f, w.isUnset(f), jen.Op("!").Add(w.help(isZero, w.variable(valueName))))
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

// fillMapping fills a map entry by entry. It fills a nil pointer to a map as a whole, since the
// map may be empty.
func (w *pairWriter) fillMapping(f field) []jen.Code {
	if !f.takes() {
		return nil
	}
	r := f.relation
	observedValue := w.value(r.Source, w.read(f.observed, w.variable(observedName)))
	add := func(to *jen.Statement) *jen.Statement {
		if r.fallible() {
			return w.help(addValid, to, observedValue, w.tryConverter(r.item))
		}
		return w.help(addMissing, to, observedValue, w.converter(r.item))
	}
	if r.Target.Kind == model.Pointer {
		return []jen.Code{
			w.take(f, w.setChanged()).
				Else().If(w.isSet(f).Op("&&").Add(add(f.desired.write(w.variable(parametersName))))).Block(w.setChanged()),
		}
	}
	fill := w.changedBy(add(jen.Op("&").Add(f.desired.write(w.variable(parametersName)))))
	conditions := w.mayTake(f)
	if f.desired.indirect() {
		conditions = append(conditions, w.isObserved(f))
	}
	if len(conditions) == 0 {
		return []jen.Code{fill}
	}
	return []jen.Code{jen.If(and(conditions...)).Block(append(w.ensure(f.desired, w.variable(parametersName)), fill)...)}
}

package desired

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// lateInitializeBody returns statements that fill what is unset in a desired struct
// and report whether anything changed.
func (w *writer) lateInitializeBody(of *pair) []jen.Code {
	var statements []jen.Code
	for _, f := range of.fields {
		if of.desired.Deref().Immutable() || f.immutable() {
			statements = append(statements, w.fillWhole(f)...)
		} else {
			statements = append(statements, w.fill(f)...)
		}
	}
	if len(statements) == 0 {
		return []jen.Code{jen.Return(jen.False())}
	}
	return slices.Concat(
		[]jen.Code{jen.Id(changedName).Op(":=").False()},
		statements,
		[]jen.Code{jen.Return(jen.Id(changedName))})
}

// setChanged records that something changed.
func setChanged() jen.Code { return jen.Id(changedName).Op("=").True() }

// fill returns statements that fill a field if it is unset, or what is unset in it.
func (w *writer) fill(f field) []jen.Code {
	switch f.relation.shape {
	case structure:
		return w.fillStructure(f)
	case mapping:
		return w.fillMapping(f)
	}
	if f.alwaysSet() {
		return nil
	}
	return []jen.Code{jen.If(w.isUnset(f).Op("&&").Add(w.isObserved(f))).Block(w.set(f, w.convertField(f))...)}
}

// fillWhole returns statements that fill a field if it is unset, and else leave it
// alone: the API server refuses any change of an immutable field that is set, and be
// it an addition.
func (w *writer) fillWhole(f field) []jen.Code {
	r := f.relation
	switch {
	case f.alwaysSet():
		return nil
	case r.shape == structure && r.desired.Kind != model.Pointer:
		return []jen.Code{w.fillValue(f, w.convert(r, w.value(r.observed, w.read(f.observed, jen.Id(observedName)))), nil)}
	}
	return []jen.Code{jen.If(w.isUnset(f).Op("&&").Add(w.isObserved(f))).Block(w.set(f, w.convertField(f))...)}
}

// convertField returns an expression for a desired field that agrees with the
// observed one, which has a value.
func (w *writer) convertField(f field) *jen.Statement {
	return w.convert(f.relation, pointee(f.relation.observed, w.read(f.observed, jen.Id(observedName))))
}

// set returns statements that set a desired field and record the change.
func (w *writer) set(f field, value *jen.Statement) []jen.Code {
	return append(w.assign(f, value), setChanged())
}

// changedBy evaluates a condition that changes something if it holds.
func changedBy(condition *jen.Statement) jen.Code {
	return jen.Id(changedName).Op("=").Add(condition).Op("||").Id(changedName)
}

// assign returns statements that set a desired field.
func (w *writer) assign(f field, value *jen.Statement) []jen.Code {
	return append(w.ensure(f.desired, jen.Id(parametersName)),
		f.desired.write(jen.Id(parametersName)).Op("=").Add(value))
}

// fillStructure fills a struct that is unset as a whole, and else what is unset in
// it.
func (w *writer) fillStructure(f field) []jen.Code {
	if f.relation.desired.Kind == model.Pointer {
		return []jen.Code{w.fillPointer(f)}
	}
	r := f.relation
	observedValue := w.value(r.observed, w.read(f.observed, jen.Id(observedName)))
	var inside *jen.Statement
	if r.pair.fillable() {
		inside = w.call(lateInitialize, r.pair, jen.Op("&").Add(f.desired.write(jen.Id(parametersName))), observedValue)
	}
	switch {
	case !f.alwaysSet():
		return []jen.Code{w.fillValue(f, w.convert(r, observedValue), inside)}
	case inside != nil:
		return []jen.Code{changedBy(inside)}
	}
	return nil
}

// fillPointer fills a pointer to a struct.
func (w *writer) fillPointer(f field) jen.Code {
	r := f.relation
	if !r.pair.fillable() {
		return jen.If(w.isUnset(f).Op("&&").Add(w.isObserved(f))).Block(w.set(f, w.convertField(f))...)
	}
	inside := w.call(lateInitialize, r.pair, f.desired.write(jen.Id(parametersName)),
		pointee(r.observed, w.read(f.observed, jen.Id(observedName))))
	return jen.If(w.isObserved(f)).Block(
		jen.If(w.isUnset(f)).Block(w.set(f, w.convertField(f))...).Else().If(inside).Block(setChanged()),
	)
}

// fillValue fills a struct that is no pointer: it is unset if it is the zero value.
// The condition inside fills what is unset in it, or is nil.
func (w *writer) fillValue(f field, converted, inside *jen.Statement) jen.Code {
	const fresh = "value"
	statement := jen.If(
		jen.Id(fresh).Op(":=").Add(converted),
		w.isUnset(f).Op("&&").Op("!").Add(w.help(isZero, jen.Id(fresh))),
	).Block(w.set(f, jen.Id(fresh))...)
	if inside == nil {
		return statement
	}
	if f.desired.indirect() {
		// The embedded pointer on the way may be nil.
		inside = w.isSet(f).Op("&&").Add(inside)
	}
	return statement.Else().If(inside).Block(setChanged())
}

// fillMapping fills a map entry by entry. A pointer to a map that is nil is filled
// as a whole, since the map that it points to may be empty.
func (w *writer) fillMapping(f field) []jen.Code {
	r := f.relation
	observedValue := w.value(r.observed, w.read(f.observed, jen.Id(observedName)))
	add := func(to *jen.Statement) *jen.Statement {
		return w.help(addMissing, to, observedValue, w.converter(r.item))
	}
	if r.desired.Kind == model.Pointer {
		return []jen.Code{
			jen.If(w.isUnset(f).Op("&&").Add(w.isObserved(f))).Block(w.set(f, w.convertField(f))...).
				Else().If(w.isSet(f).Op("&&").Add(add(f.desired.write(jen.Id(parametersName))))).Block(setChanged()),
		}
	}
	fill := changedBy(add(jen.Op("&").Add(f.desired.write(jen.Id(parametersName)))))
	if !f.desired.indirect() {
		return []jen.Code{fill}
	}
	return []jen.Code{jen.If(w.isObserved(f)).Block(append(w.ensure(f.desired, jen.Id(parametersName)), fill)...)}
}

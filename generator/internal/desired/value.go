package desired

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// value returns an expression for what an expression of a type holds: what it
// points to, or the zero value if it is a nil pointer.
func (w *writer) value(t *model.Type, expression *jen.Statement) *jen.Statement {
	if t.Kind == model.Pointer {
		return w.help(valueOf, expression)
	}
	return expression.Clone()
}

// pointee returns an expression for what an expression of a type holds, which is
// no nil pointer.
func pointee(t *model.Type, expression *jen.Statement) *jen.Statement {
	if t.Kind == model.Pointer {
		return jen.Op("*").Add(expression)
	}
	return expression.Clone()
}

// isZero returns a condition that holds if a value, no pointer, is the zero value.
func (w *writer) isZero(r *relation, t *model.Type, value *jen.Statement) *jen.Statement {
	switch b := base(t); {
	case r.shape == scalar && b.Basic == "bool":
		return jen.Op("!").Add(value)
	case r.shape == scalar:
		return value.Clone().Op("==").Add(zero(b))
	case b.Kind == model.Slice || b.Kind == model.Map:
		return jen.Len(value.Clone()).Op("==").Lit(0)
	default:
		return w.help(isZero, value)
	}
}

// isNotZero returns the opposite of isZero.
func (w *writer) isNotZero(r *relation, t *model.Type, value *jen.Statement) *jen.Statement {
	switch b := base(t); {
	case r.shape == scalar && b.Basic == "bool":
		return value.Clone()
	case r.shape == scalar:
		return value.Clone().Op("!=").Add(zero(b))
	case b.Kind == model.Slice || b.Kind == model.Map:
		return jen.Len(value.Clone()).Op(">").Lit(0)
	default:
		return jen.Op("!").Add(w.help(isZero, value))
	}
}

// zero returns the zero value of a number or a string.
func zero(t *model.Type) *jen.Statement {
	if t.Basic == "string" {
		return jen.Lit("")
	}
	return jen.Lit(0)
}

// keepsNil reports whether the desired field tells nil from an empty value: it is
// a pointer, or a list or map that is written when it is empty. An empty one that is not
// written is what somebody gave all the same, and an immutable one can't be filled.
func keepsNil(f field) bool {
	declared := f.desired.field()
	switch declared.Type.Kind {
	case model.Pointer:
		return true
	case model.Slice, model.Map:
		return !declared.OmitEmpty || f.isFilled && f.immutable()
	default:
		return false
	}
}

// isUnset returns a condition that holds if the desired field has no value, as far
// as it can tell.
func (w *writer) isUnset(f field) *jen.Statement {
	value := w.read(f.desired, jen.Id(parametersName))
	if keepsNil(f) {
		return value.Op("==").Nil()
	}
	return w.isZero(f.relation, f.relation.desired, value)
}

// isSet returns the opposite of isUnset.
func (w *writer) isSet(f field) *jen.Statement {
	value := w.read(f.desired, jen.Id(parametersName))
	if keepsNil(f) {
		return value.Op("!=").Nil()
	}
	return w.isNotZero(f.relation, f.relation.desired, value)
}

// isObserved returns a condition that holds if the observed field has a value that
// the desired field can hold, and that passes all checks.
func (w *writer) isObserved(f field) *jen.Statement {
	r, value := f.relation, w.read(f.observed, jen.Id(observedName))
	if r.desired.Kind == model.Pointer && r.observed.Kind == model.Pointer {
		return and(append([]*jen.Statement{value.Clone().Op("!=").Nil()}, w.passes(r.checks, r, pointee(r.observed, value))...)...)
	}
	// What is not zero is not empty.
	checks := slices.DeleteFunc(slices.Clone(r.checks), func(c check) bool { return c.demand == shortest && c.number == 1 })
	return and(append([]*jen.Statement{w.isNotZero(r, r.observed, w.value(r.observed, value))}, w.passes(checks, r, pointee(r.observed, value))...)...)
}

// and returns a condition that holds if all of some conditions do.
func and(conditions ...*jen.Statement) *jen.Statement { return joined("&&", conditions) }

// isAbsent returns a condition that holds if a desired field, whatever its type, has no
// value.
func (w *writer) isAbsent(a access) *jen.Statement {
	value, t := w.read(a, jen.Id(parametersName)), a.field().Type
	switch {
	case isNilable(t):
		return value.Op("==").Nil()
	case t.Kind == model.Basic:
		return w.isZero(&relation{}, t, value)
	default:
		return w.help(isZero, value)
	}
}

// guarded returns statements about desired fields, each made by a function, under the
// condition that no embedded pointer on the way is nil which can't be set without other
// fields being written, too.
func (w *writer) guarded(fields []field, statements func(field) []jen.Code) []jen.Code {
	var all []jen.Code
	for len(fields) > 0 {
		guard := fields[0].guard()
		n := slices.IndexFunc(fields, func(f field) bool { return !slices.Equal(f.guard(), guard) })
		if n < 0 {
			n = len(fields)
		}
		var group []jen.Code
		for _, f := range fields[:n] {
			f.isFilled, f.desired.isSafe = true, len(guard) > 0
			group = append(group, statements(f)...)
		}
		if len(guard) > 0 && len(group) > 0 {
			group = []jen.Code{jen.If(w.hasPointers(guard)).Block(group...)}
		}
		all, fields = append(all, group...), fields[n:]
	}
	return all
}

// hasPointers returns a condition that holds if none of the embedded pointers on a way is
// nil.
func (w *writer) hasPointers(path []*model.Field) *jen.Statement {
	var conditions []*jen.Statement
	value := jen.Id(parametersName)
	for _, f := range path {
		value = value.Clone().Dot(f.Name)
		if f.Type.Kind == model.Pointer {
			conditions = append(conditions, value.Clone().Op("!=").Nil())
		}
	}
	return and(conditions...)
}

// convert returns an expression of the desired type that agrees with an observed
// one, and shares no memory with it. The value is what the observed one holds.
func (w *writer) convert(r *relation, value *jen.Statement) *jen.Statement {
	d, o := base(r.desired), base(r.observed)
	var converted *jen.Statement
	switch r.shape {
	case scalar:
		converted = w.as(d, o, value)
	case binary:
		converted = w.as(d, o, w.imported("slices", "Clone").Call(value))
	case quantity, opaque:
		converted = w.copyOpaque(d, value)
	case empty:
		converted = w.Type(d).Values()
	case structure:
		converted = w.call(create, r.pair, value)
	case list, set, keyed:
		if isPlain(r.item) {
			converted = w.as(d, o, w.imported("slices", "Clone").Call(value))
		} else {
			converted = w.as(d, &model.Type{Kind: model.Slice, Elem: r.item.desired}, w.help(convertSlice, value, w.converter(r.item)))
		}
	case mapping:
		if isPlain(r.item) && sameType(d.Key, o.Key) {
			converted = w.as(d, o, w.imported("maps", "Clone").Call(value))
		} else {
			converted = w.as(d, &model.Type{Kind: model.Map, Key: d.Key, Elem: r.item.desired},
				w.helper(convertMap).Index(w.Type(d.Key)).Call(value, w.converter(r.item)))
		}
	}
	if r.desired.Kind == model.Pointer {
		return w.help(pointerTo, converted)
	}
	return converted
}

// tryConvert returns an expression for a value that agrees with an observed one, without
// the pointer that the desired type may have, and for whether spec accepts it. The
// relation is one that can fail.
func (w *writer) tryConvert(r *relation, value *jen.Statement) *jen.Statement {
	switch d := base(r.desired); r.shape {
	case structure:
		return w.call(create, r.pair, value)
	case mapping:
		return w.helper(tryConvertMap).Index(w.Type(d.Key)).Call(value, w.tryConverter(r.item))
	default:
		return w.help(tryConvertSlice, value, w.tryConverter(r.item))
	}
}

// wrap returns an expression of the desired type for a result of tryConvert.
func (w *writer) wrap(r *relation, value *jen.Statement) *jen.Statement {
	d := base(r.desired)
	switch {
	case d.Name != "" && r.shape != structure && r.desired.Kind == model.Pointer:
		return w.help(pointerTo, w.Type(d).Call(value))
	case r.desired.Kind == model.Pointer:
		return jen.Op("&").Add(value)
	default:
		return value
	}
}

// tryConverter returns a function that converts an observed item, and tells whether spec
// accepts the result.
func (w *writer) tryConverter(item *relation) *jen.Statement {
	if item.shape == structure && item.fallible() && item.desired.Kind != model.Pointer && item.observed.Kind != model.Pointer {
		return w.reference(create, item.pair)
	}
	value := w.value(item.observed, jen.Id(observedName))
	var body []jen.Code
	conditions := w.passes(item.checks, item, value)
	switch {
	case item.fallible() && len(conditions) == 0 && item.desired.Kind != model.Pointer && item.shape != structure:
		body = append(body, jen.Return(w.tryConvert(item, value)))
	case item.fallible():
		body = append(body, jen.List(jen.Id(valueName), jen.Id(okName)).Op(":=").Add(w.tryConvert(item, value)))
		body = append(body, jen.Return(w.wrap(item, jen.Id(valueName)), and(append([]*jen.Statement{jen.Id(okName)}, conditions...)...)))
	default:
		body = append(body, jen.Return(w.convert(item, value), and(conditions...)))
	}
	return jen.Func().Params(jen.Id(observedName).Add(w.Type(item.observed))).Params(w.Type(item.desired), jen.Bool()).Block(body...)
}

// copyOpaque returns an expression for a copy of a value that shares no memory
// with it.
func (w *writer) copyOpaque(t *model.Type, value *jen.Statement) *jen.Statement {
	switch {
	case w.DeepCopies(t):
		return w.help(deepCopy, value)
	case t.Kind == model.Slice:
		return w.imported("slices", "Clone").Call(value)
	case t.Kind == model.Map:
		return w.imported("maps", "Clone").Call(value)
	default:
		return value
	}
}

// plainConverter returns a helper that converts an observed item without further
// ado, or nil if there is none.
func (w *writer) plainConverter(item *relation) *jen.Statement {
	switch opaque := item.shape == opaque || item.shape == quantity; {
	case isPlain(item):
		return w.helper(itself)
	case !opaque || item.desired.Kind == model.Pointer || item.observed.Kind == model.Pointer:
		return nil
	case w.DeepCopies(item.desired):
		return w.helper(deepCopy)
	case item.desired.Kind == model.Struct || item.desired.Kind == model.Basic:
		return w.helper(itself)
	default:
		return nil
	}
}

// isPlain reports whether items are scalars that are copied as they are.
func isPlain(item *relation) bool {
	return item.shape == scalar && item.desired.Kind != model.Pointer && sameType(item.desired, item.observed)
}

// as returns an expression of the type to for a value of the type from.
func (w *writer) as(to, from *model.Type, value *jen.Statement) *jen.Statement {
	if sameType(to, from) {
		return value.Clone()
	}
	return w.Type(to).Call(value)
}

// converter returns a function that converts an observed item.
func (w *writer) converter(item *relation) *jen.Statement {
	if item.shape == structure && item.desired.Kind != model.Pointer && item.observed.Kind != model.Pointer {
		return w.reference(create, item.pair)
	}
	if converter := w.plainConverter(item); converter != nil {
		return converter.Index(w.Type(item.desired))
	}
	return jen.Func().Params(jen.Id(observedName).Add(w.Type(item.observed))).Add(w.Type(item.desired)).Block(
		jen.Return(w.convert(item, w.value(item.observed, jen.Id(observedName)))),
	)
}

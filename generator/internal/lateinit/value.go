package lateinit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// value returns an expression for the value of an expression, with pointers dereferenced. A nil
// pointer yields the zero value.
func (w *pairWriter) value(t *model.Type, expression *jen.Statement) *jen.Statement {
	if t.Kind == model.Pointer {
		return w.help("ValueOf", expression)
	}
	return expression.Clone()
}

// pointee returns an expression for the value of an expression that is not a nil pointer, with
// pointers dereferenced.
func pointee(t *model.Type, expression *jen.Statement) *jen.Statement {
	if t.Kind == model.Pointer {
		return jen.Op("*").Add(expression)
	}
	return expression.Clone()
}

// isZero returns the condition that a value, which is not a pointer, is zero, or if that isn't wanted,
// the opposite.
func (w *pairWriter) isZero(isScalar bool, t *model.Type, value *jen.Statement, wanted bool) *jen.Statement {
	switch b := mapping.Base(t); {
	case isScalar && b.Basic == "bool":
		return negatedIf(wanted, value)
	case isScalar:
		return value.Clone().Op(either(wanted, "==", "!=")).Add(zero(b))
	case b.IsCollection():
		return jen.Len(value.Clone()).Op(either(wanted, "==", ">")).Lit(0)
	default:
		return negatedIf(!wanted, w.help("IsZero", value))
	}
}

func negatedIf(isNegated bool, condition *jen.Statement) *jen.Statement {
	if isNegated {
		return jen.Op("!").Add(condition)
	}
	return condition.Clone()
}

// zero returns the zero value of a number or a string.
func zero(t *model.Type) *jen.Statement {
	if t.Basic == "string" {
		return jen.Lit("")
	}
	return jen.Lit(0)
}

// keepsNil reports whether the desired field tells nil from an empty value: if it is a pointer,
// or a list or map that Go writes when it is empty. For filling, an immutable list or map also
// counts, since an empty one that somebody set must not change.
func keepsNil(f field) bool {
	declared := f.desired.Field()
	switch declared.Type.Kind {
	case model.Pointer:
		return true
	case model.Slice, model.Map:
		return declared.Zero() != model.Omitted || f.isFilled && f.immutable()
	default:
		return false
	}
}

// isUnset returns the condition that the desired field has no value, as far as it can tell.
func (w *pairWriter) isUnset(f field) *jen.Statement { return w.hasValue(f, false) }

// isSet returns the opposite of isUnset.
func (w *pairWriter) isSet(f field) *jen.Statement { return w.hasValue(f, true) }

func (w *pairWriter) hasValue(f field, wanted bool) *jen.Statement {
	value := w.read(f.desired, w.variable(parametersName))
	if keepsNil(f) {
		return value.Op(either(wanted, "!=", "==")).Nil()
	}
	return w.isZero(f.relation.Shape == mapping.Scalar, f.relation.Target, value, !wanted)
}

// isObserved returns the condition that the observed field has a value that the desired field
// can hold, and that passes all checks.
func (w *pairWriter) isObserved(f field) *jen.Statement {
	r, value := f.relation, w.read(f.observed, w.from())
	if r.Target.Kind == model.Pointer && r.Source.Kind == model.Pointer {
		return and(append([]*jen.Statement{value.Clone().Op("!=").Nil()}, w.passes(r.checks, r, pointee(r.Source, value))...)...)
	}
	// A value that isn't zero isn't empty.
	checks := slices.DeleteFunc(slices.Clone(r.checks), func(c check) bool { return c.demand == shortest && c.number == 1 })
	return and(append([]*jen.Statement{w.isZero(r.Shape == mapping.Scalar, r.Source, w.value(r.Source, value), false)}, w.passes(checks, r, pointee(r.Source, value))...)...)
}

// and joins conditions with &&.
func and(conditions ...*jen.Statement) *jen.Statement { return joined("&&", conditions) }

// isAbsent returns the condition that a desired field of any type has no value.
func (w *pairWriter) isAbsent(a access) *jen.Statement {
	value, t := w.read(a, w.variable(parametersName)), a.Field().Type
	if t.IsNilable() {
		return value.Op("==").Nil()
	}
	return w.isZero(t.Kind == model.Basic, t, value, true)
}

// guarded returns statements for desired fields, each made by a function. They run only if no
// embedded pointer in the path is nil that can't be set without writing other fields, too.
func (w *pairWriter) guarded(fields []field, statements func(field) []jen.Code) []jen.Code {
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

// hasPointers returns the condition that no embedded pointer in a path is nil.
func (w *pairWriter) hasPointers(path []*model.Field) *jen.Statement {
	var conditions []*jen.Statement
	value := w.variable(parametersName)
	for _, f := range path {
		value = value.Clone().Dot(f.Name)
		if f.Type.Kind == model.Pointer {
			conditions = append(conditions, value.Clone().Op("!=").Nil())
		}
	}
	return and(conditions...)
}

// convert returns an expression of the desired type that is equal to an observed one, and
// shares no memory with it. The value is the observed one with pointers dereferenced.
func (w *pairWriter) convert(r *relation, value *jen.Statement) *jen.Statement {
	d, o := mapping.Base(r.Target), mapping.Base(r.Source)
	var converted *jen.Statement
	switch r.Way() {
	case mapping.Convert:
		converted = w.as(d, o, value)
	case mapping.Clone:
		converted = w.as(d, o, w.clone(d, value))
	case mapping.Copy:
		converted = w.copyOpaque(d, value)
	case mapping.Make:
		converted = w.Type(d).Values()
	case mapping.FieldByField:
		converted = w.call(create, r.pair, value)
	case mapping.ItemByItem:
		converted = w.as(d, &model.Type{Kind: model.Slice, Elem: r.item.Target}, w.help("ConvertSlice", value, w.converter(r.item)))
	case mapping.EntryByEntry:
		converted = w.as(d, &model.Type{Kind: model.Map, Key: d.Key, Elem: r.item.Target},
			w.Helper("ConvertMap").Index(w.Type(d.Key)).Call(value, w.converter(r.item)))
	}
	if r.Target.Kind == model.Pointer {
		return w.help("PointerTo", converted)
	}
	return converted
}

// tryConvert returns an expression with two results: a value equal to an observed one, without
// the pointer that the desired type may have, and whether spec accepts it. The relation is
// fallible.
func (w *pairWriter) tryConvert(r *relation, value *jen.Statement) *jen.Statement {
	switch d := mapping.Base(r.Target); r.Shape {
	case mapping.Struct:
		return w.call(create, r.pair, value)
	case mapping.Map:
		return w.Helper("TryConvertMap").Index(w.Type(d.Key)).Call(value, w.tryConverter(r.item))
	default:
		return w.help("TryConvertSlice", value, w.tryConverter(r.item))
	}
}

// wrap returns an expression of the desired type for a result of tryConvert.
func (w *pairWriter) wrap(r *relation, value *jen.Statement) *jen.Statement {
	d := mapping.Base(r.Target)
	switch {
	case d.Name != "" && r.Shape != mapping.Struct && r.Target.Kind == model.Pointer:
		return w.help("PointerTo", w.Type(d).Call(value))
	case r.Target.Kind == model.Pointer:
		return jen.Op("&").Add(value)
	default:
		return value
	}
}

// tryConverter returns a function that converts an observed item, and returns whether spec
// accepts it.
func (w *pairWriter) tryConverter(item *relation) *jen.Statement {
	if item.Shape == mapping.Struct && item.fallible() && item.Target.Kind != model.Pointer && item.Source.Kind != model.Pointer {
		return w.reference(create, item.pair)
	}
	value := w.value(item.Source, w.from())
	var body []jen.Code
	conditions := w.passes(item.checks, item, value)
	switch {
	case item.fallible() && len(conditions) == 0 && item.Target.Kind != model.Pointer && item.Shape != mapping.Struct:
		body = append(body, jen.Return(w.tryConvert(item, value)))
	case item.fallible():
		body = append(body, jen.List(w.variable(valueName), w.variable(okName)).Op(":=").Add(w.tryConvert(item, value)))
		body = append(body, jen.Return(w.wrap(item, w.variable(valueName)), and(append([]*jen.Statement{w.variable(okName)}, conditions...)...)))
	default:
		body = append(body, jen.Return(w.convert(item, value), and(conditions...)))
	}
	return jen.Func().Params(w.from().Add(w.Type(item.Source))).Params(w.Type(item.Target), jen.Bool()).Block(body...)
}

// clone returns an expression for a shallow copy of a slice or a map.
func (w *pairWriter) clone(t *model.Type, value *jen.Statement) *jen.Statement {
	if t.Kind == model.Map {
		return w.File.Standard("maps", "Clone").Call(value)
	}
	return w.File.Standard("slices", "Clone").Call(value)
}

// copyOpaque returns an expression for a deep copy of a value.
func (w *pairWriter) copyOpaque(t *model.Type, value *jen.Statement) *jen.Statement {
	switch {
	case w.DeepCopies(t):
		return w.help("DeepCopy", value)
	case t.Kind == model.Slice, t.Kind == model.Map:
		return w.clone(t, value)
	default:
		return value
	}
}

// plainConverter returns a helper that converts observed items, or nil if there is none.
func (w *pairWriter) plainConverter(item *relation) *jen.Statement {
	switch opaque := item.Shape == mapping.Opaque || item.Shape == mapping.Quantity; {
	case item.IsPlain():
		return w.Helper("Itself")
	case !opaque || item.Target.Kind == model.Pointer || item.Source.Kind == model.Pointer:
		return nil
	case w.DeepCopies(item.Target):
		return w.Helper("DeepCopy")
	case item.Target.Kind == model.Struct || item.Target.Kind == model.Basic:
		return w.Helper("Itself")
	default:
		return nil
	}
}

// as returns an expression of the type to for a value of the type from.
func (w *pairWriter) as(to, from *model.Type, value *jen.Statement) *jen.Statement {
	if mapping.SameType(to, from) {
		return value.Clone()
	}
	return w.Type(to).Call(value)
}

// converter returns a function that converts an observed item.
func (w *pairWriter) converter(item *relation) *jen.Statement {
	if item.Shape == mapping.Struct && item.Target.Kind != model.Pointer && item.Source.Kind != model.Pointer {
		return w.reference(create, item.pair)
	}
	if converter := w.plainConverter(item); converter != nil {
		return converter.Index(w.Type(item.Target))
	}
	return jen.Func().Params(w.from().Add(w.Type(item.Source))).Add(w.Type(item.Target)).Block(
		jen.Return(w.convert(item, w.value(item.Source, w.from()))),
	)
}

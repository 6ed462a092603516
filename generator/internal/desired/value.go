package desired

import (
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
// a pointer, or a list or map that is written when it is empty.
func keepsNil(f field) bool {
	declared := f.desired.field()
	switch declared.Type.Kind {
	case model.Pointer:
		return true
	case model.Slice, model.Map:
		return !declared.OmitEmpty
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
// the desired field can hold.
func (w *writer) isObserved(f field) *jen.Statement {
	r, value := f.relation, w.read(f.observed, jen.Id(observedName))
	if r.desired.Kind == model.Pointer && r.observed.Kind == model.Pointer {
		return value.Op("!=").Nil()
	}
	return w.isNotZero(r, r.observed, w.value(r.observed, value))
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

package main

import (
	"reflect"
	"slices"
	"strings"
)

// A filler fills a desired struct with what is observed.
type filler struct {
	// isKept is set if markers around say that nothing is filled, and isNew if the struct was just made.
	isKept, isNew bool
	// isTop is set for the parameters themselves.
	isTop bool
}

func (r filler) keeps(f field) bool {
	kept := r.isKept
	for _, s := range f.path {
		kept = kept && !s.is("filled") || s.is("kept")
	}
	return kept
}

// isFree reports whether generated code may write the field at all.
func (r filler) isFree(f field, isSealed bool) bool {
	isPinned := (isSealed || f.isAny("fixed")) && f.written()
	return !f.is("ruled") && !f.is("hidden") && !(isPinned && !r.isNew)
}

// isSealed reports whether a type is immutable wherever it is.
func isSealed(t reflect.Type) bool { return t.Name() == "Sealed" || t.Name() == "OnceDeep" }

// canBeMade reports whether whole values of a field can be made of what is observed.
func canBeMade(f field) bool { return !f.is("nowhole") }

// isObserved reports whether there is something that the field could take.
func isObserved(f field, value reflect.Value) bool {
	if f.Type.Kind() == reflect.Pointer && value.Kind() == reflect.Pointer {
		return !value.IsNil() && passes(f.Tag.Get("check"), value.Elem()) && isUnique(f, value.Elem())
	}
	v := valueOf(value)
	if v.Kind() == reflect.Slice || v.Kind() == reflect.Map {
		return v.Len() > 0 && passes(f.Tag.Get("check"), v) && isUnique(f, v)
	}
	return !v.IsZero() && passes(f.Tag.Get("check"), v)
}

// isUnique reports whether the items of a set or a keyed list are, if they must be.
func isUnique(f field, v reflect.Value) bool {
	if !f.is("set") && !f.is("keyed") {
		return true
	}
	var seen []string
	for i := range v.Len() {
		key := keyOf(f, v.Index(i))
		if slices.Contains(seen, key) {
			return false
		}
		seen = append(seen, key)
	}
	return true
}

// late fills a struct, and reports whether it changed.
func (r filler) late(p, observed reflect.Value) (changed bool) {
	for _, f := range fieldsOf(p.Type()) {
		source, found := find(observed.Type(), f.json)
		sealed := isSealed(p.Type())
		if !found || !r.isFree(f, sealed) || f.isGuarded(p) {
			continue
		}
		value := source.get(observed)
		below := filler{isKept: r.keeps(f), isNew: r.isNew}
		isFixed := sealed || f.isAny("fixed")
		if structIn(f.Type) != nil && !isFixed {
			changed = below.lateStruct(f, p, value) || changed
			continue
		}
		if !f.alwaysSet(p) && !below.isKept && canBeMade(f) && f.isUnset(p, true) && !f.isBeside(p) {
			changed = below.take(f, p, value, true) || changed
		}
	}
	return changed
}

// without returns an observed struct without what spec.initProvider gives the desired one.
func without(t reflect.Type, observed, initial reflect.Value) reflect.Value {
	copied := deepCopy(observed)
	for _, f := range fieldsOf(t) {
		source, found := find(copied.Type(), f.json)
		if !found || f.is("hidden") {
			continue
		}
		var others []field
		for _, name := range append([]string{f.json}, strings.Fields(f.Tag.Get("beside"))...) {
			if other, found := find(initial.Type(), name); found {
				others = append(others, other)
			}
		}
		value := source.get(copied)
		isOther := func(other field) bool { return other.json != f.json && gives(other, initial) }
		if len(others) > 0 && others[0].json == f.json && structIn(f.Type) != nil && structIn(others[0].Type) != nil && !slices.ContainsFunc(others, isOther) {
			if !valueOf(value).IsZero() || value.Kind() == reflect.Pointer && !value.IsNil() {
				inner := without(structIn(f.Type), valueOf(value), valueOf(others[0].get(initial)))
				if value.Kind() == reflect.Pointer {
					value.Elem().Set(inner)
				} else {
					value.Set(inner)
				}
			}
			continue
		}
		if slices.ContainsFunc(others, func(other field) bool { return gives(other, initial) }) {
			source.set(copied, reflect.Zero(source.Type))
		}
	}
	return copied
}

// gives reports whether a struct of spec.initProvider has a value in a field.
func gives(f field, of reflect.Value) bool {
	switch value := f.get(of); value.Kind() {
	case reflect.Pointer:
		return !value.IsNil()
	case reflect.Slice, reflect.Map:
		if !f.omits("omitempty") {
			return !value.IsNil()
		}
		return value.Len() > 0
	default:
		return !value.IsZero()
	}
}

// take sets an unset field to what is observed, if spec accepts that.
func (r filler) take(f field, p, value reflect.Value, fills bool) bool {
	if !isObserved(f, value) {
		return false
	}
	isStruct := structIn(f.Type) != nil
	if fills && f.Type.Kind() == reflect.Pointer && value.Kind() == reflect.Pointer && !isStruct {
		switch v := value.Elem(); v.Kind() {
		case reflect.String, reflect.Slice, reflect.Map:
			if v.Len() == 0 {
				return false
			}
		}
	}
	made, ok := r.convert(f, f.Type, value)
	if !ok || fills && isStruct && valueOf(made).IsZero() && !isFallible(structIn(f.Type)) || fills && isStruct && f.Type.Kind() != reflect.Pointer && made.IsZero() {
		return false
	}
	f.set(p, made)
	return true
}

// lateStruct fills an unset struct as a whole, and else what is unset in it.
func (r filler) lateStruct(f field, p, value reflect.Value) bool {
	current := f.get(p)
	takes := canBeMade(f) && !r.isKept
	isUnset := f.isUnset(p, true)
	inside := func() bool {
		if f.Type.Kind() == reflect.Pointer {
			if current.IsNil() {
				return false
			}
			return r.late(current.Elem(), valueOf(value))
		}
		return r.late(current, valueOf(value))
	}
	switch {
	case takes && f.Type.Kind() == reflect.Pointer:
		if value.Kind() == reflect.Pointer && value.IsNil() {
			return false
		}
		if isUnset {
			return !f.isBeside(p) && r.take(f, p, value, true)
		}
		return inside()
	case f.alwaysSet(p):
		return inside()
	case takes && isUnset:
		return !f.isBeside(p) && r.takeValue(f, p, value)
	default:
		return !isUnset && inside()
	}
}

// takeValue sets a zero struct to what is observed, if that is anything.
func (r filler) takeValue(f field, p, value reflect.Value) bool {
	made, ok := r.convert(f, f.Type, value)
	if !ok || made.IsZero() {
		return false
	}
	f.set(p, made)
	return true
}

// isFallible reports whether a struct may need more than is observed.
func isFallible(t reflect.Type) bool {
	return slices.ContainsFunc(fieldsOf(t), func(f field) bool { return isDemanded(f) || f.is("least") && t.Name() != "Partly" })
}

// isDemanded reports whether a new struct needs an observed value in a field.
func isDemanded(f field) bool {
	if f.is("hidden") {
		return false
	}
	switch {
	case f.is("required"):
		return true
	case structIn(f.Type) != nil:
		return f.written() && f.Type.Kind() == reflect.Struct && slices.ContainsFunc(fieldsOf(f.Type), func(inner field) bool {
			return !inner.isIndirect() && (inner.is("required") || inner.written())
		})
	}
	return f.Type.Kind() != reflect.Struct && f.written() && !passes(f.Tag.Get("check"), reflect.Zero(f.Type))
}

// convert returns the desired value that agrees with an observed one, and false if spec wouldn't accept it.
func (r filler) convert(f field, t reflect.Type, observed reflect.Value) (reflect.Value, bool) {
	value, ok := r.convertBase(f, base(t), valueOf(observed))
	if t.Kind() != reflect.Pointer {
		return value, ok
	}
	pointer := reflect.New(t.Elem())
	pointer.Elem().Set(value)
	return pointer, ok
}

func (r filler) convertBase(f field, t reflect.Type, v reflect.Value) (reflect.Value, bool) {
	made := reflect.New(t).Elem()
	switch {
	case structIn(t) != nil:
		return r.create(t, v)
	case isOpaque(t) || t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		made.Set(deepCopy(v))
		return made, true
	}
	ok := true
	item := func(value reflect.Value) reflect.Value {
		ok = ok && !(value.Kind() == reflect.Pointer && value.IsNil())
		inner, isMade := r.convert(field{step: step{reflect.StructField{Type: t.Elem(), Tag: reflect.StructTag(itemTag(f))}}}, t.Elem(), value)
		ok = ok && isMade && passes(f.Tag.Get("item"), valueOf(inner))
		return inner
	}
	switch t.Kind() {
	case reflect.Slice:
		made.Set(reflect.MakeSlice(t, 0, v.Len()))
		for i := range v.Len() {
			made.Set(reflect.Append(made, item(v.Index(i))))
			ok = ok && !isVoid(made.Index(i))
		}
	case reflect.Map:
		made.Set(reflect.MakeMap(t))
		for _, key := range v.MapKeys() {
			made.SetMapIndex(key.Convert(t.Key()), item(v.MapIndex(key)))
		}
	default:
		made.Set(v.Convert(t))
	}
	return made, ok
}

// isVoid reports whether an item that was made says nothing.
func isVoid(item reflect.Value) bool {
	switch v := valueOf(item); v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0 && !(v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8)
	case reflect.Struct:
		return structIn(v.Type()) != nil && v.IsZero() && !isFallible(v.Type())
	default:
		return false
	}
}

// itemTag returns the tag of the items of a list of lists.
func itemTag(f field) string {
	if inner := f.Tag.Get("item2"); inner != "" {
		return `item:"` + inner + `"`
	}
	return ""
}

// create returns a new struct that agrees with an observed one, and whether it has all that it needs.
func (r filler) create(t reflect.Type, observed reflect.Value) (reflect.Value, bool) {
	p := reflect.New(t).Elem()
	fresh := filler{isKept: r.isKept, isNew: true}
	fresh.complete(p, observed)
	for _, f := range fieldsOf(t) {
		if source, found := find(observed.Type(), f.json); found && f.is("required") && fresh.isMissing(f, p, source.get(observed)) {
			return p, false
		}
	}
	fresh.late(p, observed)
	least, has := false, false
	for _, f := range fieldsOf(t) {
		_, found := find(observed.Type(), f.json)
		if found && !f.is("required") && isDemanded(f) && f.isUnset(p, false) {
			return p, false
		}
		least = least || f.is("least")
		has = has || f.is("least") && !f.get(p).IsZero()
	}
	return p, has || !least
}

// isMissing reports whether a required field of a new struct has no value that spec accepts.
func (r filler) isMissing(f field, p, observed reflect.Value) bool {
	isStruct := structIn(f.Type) != nil
	switch f.Type.Kind() {
	case reflect.Struct:
		if isStruct && !isFallible(f.Type) && !f.omits("omitzero") {
			return false
		}
		return f.isUnset(p, false)
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return f.isUnset(p, false)
	}
	if !f.written() || f.isIndirect() || !passes(f.Tag.Get("check"), reflect.Zero(f.Type)) {
		return f.isUnset(p, false)
	}
	return observed.Kind() == reflect.Pointer && observed.IsNil() || !passes(f.Tag.Get("check"), valueOf(observed))
}

// complete fills the required fields of a struct, at any depth.
func (r filler) complete(p, observed reflect.Value) {
	for _, f := range fieldsOf(p.Type()) {
		source, found := find(observed.Type(), f.json)
		if !found || !r.isFree(f, isSealed(p.Type())) || f.isGuarded(p) {
			continue
		}
		value := source.get(observed)
		isUnset := f.isUnset(p, true)
		takes := f.is("required") && canBeMade(f)
		inner := structIn(f.Type)
		hasInside := inner != nil && isCompletable(inner) && !isPinned(inner) && f.json != "once"
		switch {
		case takes && isUnset && !(inner != nil && hasInside && !isObserved(f, value)):
			if !f.isBeside(p) {
				r.take(f, p, value, false)
			}
		case hasInside && (takes && !isUnset || !takes && (!isUnset || f.alwaysSet(p))) && isObserved(f, value):
			current := f.get(p)
			if current.Kind() == reflect.Pointer {
				current = current.Elem()
			}
			filler{isKept: r.isKept}.complete(current, valueOf(value))
		}
	}
}

// isCompletable reports whether there may be something required to fill in a struct.
func isCompletable(t reflect.Type) bool {
	return slices.ContainsFunc(fieldsOf(t), func(f field) bool {
		return !f.is("hidden") && (f.is("required") && canBeMade(f) || structIn(f.Type) != nil && isCompletable(structIn(f.Type)))
	})
}

// isPinned reports whether a struct has something that can only be set in a new one.
func isPinned(t reflect.Type) bool {
	return slices.ContainsFunc(fieldsOf(t), func(f field) bool {
		return (isSealed(t) || f.isAny("fixed")) && f.written() || structIn(f.Type) != nil && isPinned(structIn(f.Type))
	})
}

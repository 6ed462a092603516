package main

import (
	"fmt"
	"reflect"
	"strings"
)

// merge sets what is unset in a desired struct to what spec.initProvider gives. A new struct has nothing
// set.
func merge(p, initial reflect.Value, isNew bool) {
	for _, f := range fieldsOf(p.Type()) {
		source, found := find(initial.Type(), f.json)
		if !found || f.is("differs") {
			continue
		}
		value, isGiven := source.get(initial), gives(source, initial)
		current := f.get(p)
		isFree := !f.isBeside(p)
		isUnset := f.isUnset(p, false)
		inner := structIn(f.Type)
		if inner != nil && !strings.HasPrefix(inner.PkgPath(), "example.org/provider") {
			inner = nil // a type of another module is taken as a whole
		}
		switch {
		case !isNew && inner != nil && (f.alwaysSet(p) || isGiven && !isUnset):
			if current.Kind() == reflect.Pointer {
				current = current.Elem()
			}
			merge(current, valueOf(value), false)
		case f.Type.Kind() == reflect.Map && isFree && !value.IsNil() && (isGiven || !f.isIndirect() && !isNew):
			merged := deepCopy(current)
			if merged.IsNil() {
				merged = reflect.MakeMap(f.Type)
			}
			addMissing(merged, value)
			f.set(p, merged)
		case f.Type.Kind() == reflect.Pointer && f.Type.Elem().Kind() == reflect.Map && isGiven && !current.IsNil():
			merged := deepCopy(current)
			if merged.Elem().IsNil() && !value.Elem().IsNil() {
				merged.Elem().Set(reflect.MakeMap(f.Type.Elem()))
			}
			if !merged.Elem().IsNil() {
				addMissing(merged.Elem(), value.Elem())
			}
			f.set(p, merged)
		case f.Type.Kind() != reflect.Map && isGiven && isUnset && isFree && (isNew || !f.alwaysSet(p)):
			f.set(p, given(f.Type, value))
		}
	}
}

// givenEntries returns the paths of the entries of maps that spec.initProvider gives and the desired
// struct lacks.
func givenEntries(path string, p, initial reflect.Value) (all []string) {
	for _, f := range fieldsOf(p.Type()) {
		source, found := find(initial.Type(), f.json)
		if !found || f.is("differs") {
			continue
		}
		at, desired, value := strings.TrimPrefix(path+"."+f.json, "."), valueOf(f.get(p)), valueOf(source.get(initial))
		switch {
		case desired.Kind() == reflect.Map:
			for _, key := range value.MapKeys() {
				if !desired.MapIndex(key.Convert(desired.Type().Key())).IsValid() {
					all = append(all, fmt.Sprintf("%s[%q]", at, key.String()))
				}
			}
		case structIn(f.Type) != nil:
			all = append(all, givenEntries(at, desired, value)...)
		}
	}
	return all
}

func addMissing(entries, others reflect.Value) {
	for _, key := range others.MapKeys() {
		if in := key.Convert(entries.Type().Key()); !entries.MapIndex(in).IsValid() {
			entries.SetMapIndex(in, given(entries.Type().Elem(), others.MapIndex(key)))
		}
	}
}

// given returns the desired value that spec.initProvider gives.
func given(t reflect.Type, value reflect.Value) reflect.Value {
	made := reflect.New(t).Elem()
	switch value = valueOf(value); {
	case t.Kind() == reflect.Pointer:
		made.Set(reflect.New(t.Elem()))
		made.Elem().Set(given(t.Elem(), value))
	case structIn(t) != nil:
		merge(made, value, true)
	case isOpaque(t) || t == value.Type():
		made.Set(deepCopy(value))
	case t.Kind() == reflect.Slice:
		made.Set(reflect.MakeSlice(t, 0, 0))
		for i := range value.Len() {
			made.Set(reflect.Append(made, given(t.Elem(), value.Index(i))))
		}
	case t.Kind() == reflect.Map:
		made.Set(reflect.MakeMap(t))
		addMissing(made, value)
	default:
		made.Set(value.Convert(t))
	}
	return made
}

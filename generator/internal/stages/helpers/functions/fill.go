package functions

import (
	"encoding/json"
	"reflect"
)

// LateInitialize fills the fields of a struct of spec.forProvider that are unset with what is observed and
// spec accepts, and reports whether it changed any. Desired is a pointer to the struct.
func LateInitialize(t *Table, desired, observed any) bool {
	return lateInitialize(t, reflect.TypeOf(desired).Elem(), reflect.ValueOf(desired), observed, nil)
}

// lateInitialize fills a struct, except what spec.initProvider gives: that counts for creation alone.
func lateInitialize(t *Table, receiver reflect.Type, desired reflect.Value, observed any, initial map[string]any) bool {
	if desired.IsNil() {
		return false
	}
	kinds := t.start(receiver, desired.Type(), reflect.TypeOf(observed))
	f := filler{source: kinds[1], initial: initial}
	added := map[string]any{}
	if f.fill(kinds[0], desired.Elem(), asObject(treeOf(observed)), added); len(added) == 0 {
		return false
	}
	encoded, err := json.Marshal(added)
	return err == nil && json.Unmarshal(encoded, desired.Interface()) == nil
}

// A filler makes desired values of observed ones, in JSON.
type filler struct {
	// source is the kind of what is observed.
	source *valueKind
	// initial is what spec.initProvider gives.
	initial map[string]any
	// isKept is set where nothing is filled, unless a field has another row.
	isKept bool
	// isNew is set in a struct that is not there yet. What can't change may still be set in it.
	isNew bool
}

// at returns the filler for a field and its observed value. The filler is nil if the field is not observed, or given by
// spec.initProvider.
func (l filler) at(f *structField, o map[string]any) (*filler, any) {
	other := l.source.field(f.name)
	if other == nil || f.row.Secret || !f.agrees(other.valueKind) {
		return nil, nil
	}
	for _, name := range f.row.Beside {
		if l.initial[name] != nil {
			return nil, nil
		}
	}
	given := l.initial[f.name]
	if l.initial = asObject(given); given != nil && f.shape != shapeStruct {
		return nil, nil
	}
	l.source, l.isKept = other.valueKind, f.row.Kept || l.isKept && !f.row.Filled
	value := o[f.name]
	if f.shape == shapeScalar && other.isZero(value) {
		value = nil // without a pointer, zero may be unset
	}
	return &l, value
}

// fill adds the values of the unset fields of a struct.
func (l filler) fill(k *valueKind, d reflect.Value, o, added map[string]any) {
	for _, f := range k.fields {
		below, value := l.at(f, o)
		if below == nil || value == nil || added[f.name] != nil || !l.mayFill(f, d) {
			continue
		}
		isUnset := f.isUnset(d)
		switch {
		case f.shape == shapeStruct && !f.row.Immutable && (f.alwaysSet(d) || !isUnset):
			inside := map[string]any{}
			if below.fill(f.valueKind, reflect.Indirect(f.in(d)), asObject(value), inside); len(inside) > 0 {
				added[f.name] = inside
			}
			continue
		case f.row.Immutable && f.item != nil && !f.isPointer:
			isUnset = !f.in(d).IsValid() || f.in(d).IsNil() // an empty one that somebody set must not change
		}
		if below.isKept || !isUnset || f.alwaysSet(d) || !f.isFree(k, d, added) {
			continue
		}
		if made, ok := below.make(f.valueKind, f.row, value); ok && f.says(made) {
			added[f.name] = made
		}
	}
}

// mayFill reports whether the field may be set at all, or something in it.
func (l filler) mayFill(f *structField, d reflect.Value) bool {
	switch {
	case f.row.Ruled:
		return false
	case f.row.Immutable && f.isWritten:
		return l.isNew // Go has always written it: it can't change anymore
	default:
		return !f.isGuarded || f.in(d).IsValid()
	}
}

// isFree reports whether no other field replaces this one, or excludes it.
func (f *structField) isFree(k *valueKind, d reflect.Value, added map[string]any) bool {
	for _, name := range f.row.Beside {
		other := k.field(name)
		if added[name] != nil || other != nil && other.in(d).IsValid() && !other.in(d).IsZero() {
			return false
		}
	}
	return true
}

// says reports whether a value says something. Nobody chose an empty text, list, map or struct, nor the
// defaults that the API server would add in it. Only pointers tell other zero values from unset.
func (k *valueKind) says(made any) bool {
	switch {
	case k.shape == shapeOpaque, k.shape == shapeStruct && len(k.fields) == 0:
		return true
	case k.isPointer:
		return made != "" && !k.hasNothing(made)
	default:
		return !k.isZero(made)
	}
}

// hasNothing reports whether a list, map or struct has nothing in it.
func (k *valueKind) hasNothing(made any) bool {
	if k.shape == shapeOpaque || k.shape == shapeStruct && len(k.fields) == 0 {
		return false // a struct type without fields is a flag
	}
	switch made := made.(type) {
	case []any:
		return len(made) == 0
	case map[string]any:
		return len(made) == 0
	default:
		return false
	}
}

// make returns the desired value that agrees with an observed one, and false if spec wouldn't accept it.
func (l filler) make(k *valueKind, row Row, value any) (any, bool) {
	switch {
	case value == nil || !row.accepts(value):
		return nil, false
	case k.shape == shapeStruct:
		return l.structure(k, asObject(value))
	case k.item == nil:
		return value, true
	}
	l.source, l.initial = l.source.item, nil
	items := row.items()
	if entries := asObject(value); entries != nil {
		made := map[string]any{}
		for key, entry := range entries {
			var ok bool
			if made[key], ok = l.make(k.item, items, entry); !ok {
				return nil, false
			}
		}
		return made, true
	}
	made := []any{}
	seen := map[string]bool{}
	for _, item := range value.([]any) {
		converted, ok := l.make(k.item, items, item)
		// An item of which spec can say nothing would make spec the owner of the list.
		if !ok || k.item.hasNothing(converted) {
			return nil, false
		}
		made = append(made, converted)
		seen[row.keyOf(k.item, item)] = true
	}
	isUnique := len(seen) == len(made) || !row.Set && len(row.Keys) == 0
	return made, isUnique
}

// structure returns a new struct that agrees with an observed one, and false if spec requires more than is
// observed. Required fields come first: others may exclude them.
func (l filler) structure(k *valueKind, o map[string]any) (any, bool) {
	if k.row.Ruled {
		return nil, false
	}
	l.isNew = true
	d, added := reflect.New(k.of).Elem(), map[string]any{}
	for _, f := range k.fields {
		if f.required && !l.complete(k, f, d, o, added) {
			return nil, false
		}
	}
	l.fill(k, d, o, added)
	for _, f := range k.fields {
		switch isHidden := l.source.field(f.name) == nil || f.row.Secret; {
		case added[f.name] != nil || f.isIndirect || !f.writes():
		case isHidden, f.shape == shapeStruct, !f.row.accepts(f.zero):
			return nil, false // Go would write what nobody observed
		}
	}
	for _, group := range k.row.AnyOf {
		isAny := false
		for _, name := range group {
			isAny = isAny || added[name] != nil
		}
		if !isAny {
			return nil, false
		}
	}
	return added, true
}

// complete adds a required field of a new struct, and reports whether it has a value that spec accepts.
func (l filler) complete(k *valueKind, f *structField, d reflect.Value, o, added map[string]any) bool {
	below, value := l.at(f, o)
	switch {
	case below == nil || !l.mayFill(f, d) || !f.isFree(k, d, added):
		return false
	case value != nil || !f.isWritten:
	case f.shape == shapeStruct:
		value = map[string]any{}
	case f.shape == shapeScalar && !below.source.isPointer:
		value = f.zero
	}
	made, ok := below.make(f.valueKind, f.row, value)
	if ok = ok && (f.isPointer || f.isWritten || !f.valueKind.isZero(made)); ok {
		added[f.name] = made
	}
	return ok
}

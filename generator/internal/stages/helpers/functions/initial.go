package functions

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// CreateParameters sets parameters to what an external resource is created with: what spec.forProvider
// sets, and what only spec.initProvider does. Structs and maps are merged, lists are not. The result
// shares no memory with the spec.
func CreateParameters(t *Table, spec, parameters any) {
	of := t.partsOf(spec)
	desired := asObject(treeOf(of.desired.Interface()))
	if desired == nil {
		desired = map[string]any{}
	}
	mergeInitial(of.kind, of.initialKind, desired, of.initial)
	if encoded, err := json.Marshal(desired); err == nil {
		_ = json.Unmarshal(encoded, parameters) // it is what the spec was decoded from
	}
}

// LateInitializeSpec fills spec.forProvider like LateInitialize, except what spec.initProvider gives.
func LateInitializeSpec(t *Table, spec, observed any) bool {
	of := t.partsOf(spec)
	if of.desired.Kind() != reflect.Pointer {
		of.desired = of.desired.Addr()
	}
	return lateInitialize(t, reflect.TypeOf(spec).Elem(), of.desired, observed, of.initial)
}

// DiffSpec returns the paths that Diff returns, without the entries of maps that only spec.initProvider
// gives.
func DiffSpec(t *Table, spec, observed any) (paths []string) {
	of := t.partsOf(spec)
	d := reflect.Indirect(of.desired)
	if !d.IsValid() {
		return nil
	}
	given := map[string]bool{}
	addGiven(given, of.kind, "", asObject(treeOf(d.Interface())), of.initial)
	for _, path := range diffStruct(t, reflect.TypeOf(spec).Elem(), d, observed) {
		if !given[path] {
			paths = append(paths, path)
		}
	}
	return paths
}

// specParts are spec.forProvider and spec.initProvider.
type specParts struct {
	kind, initialKind *valueKind
	desired           reflect.Value
	initial           map[string]any
}

func (t *Table) partsOf(spec any) specParts {
	s := reflect.ValueOf(spec).Elem()
	k := t.start(s.Type(), s.Type())[0]
	desired, initial := k.field("forProvider"), k.field("initProvider")
	return specParts{desired.valueKind, initial.valueKind, desired.in(s), asObject(treeOf(initial.in(s).Interface()))}
}

// mergeInitial sets what is unset in a desired struct to what spec.initProvider gives.
func mergeInitial(k, source *valueKind, desired, initial map[string]any) {
	for _, f := range k.fields {
		value, current, other := initial[f.name], desired[f.name], source.field(f.name)
		if value == nil || other == nil || !f.agrees(other.valueKind) {
			continue
		}
		isSet := current != nil && (f.required || f.item != nil || !f.isZero(current))
		isFree := true
		for _, name := range f.row.Beside {
			other := k.field(name)
			isFree = isFree && (other == nil || other.isZero(desired[name]))
		}
		switch {
		case isSet && f.of == other.of && !f.isOwn && f.shape == shapeStruct: // such as a reference
		case isSet && f.shape == shapeStruct:
			mergeInitial(f.valueKind, other.valueKind, asObject(current), asObject(value))
		case !isFree:
		case isSet && f.shape == shapeMap:
			for key, entry := range asObject(value) {
				if _, found := asObject(current)[key]; !found {
					asObject(current)[key] = entry
				}
			}
		case !isSet:
			desired[f.name] = value
		}
	}
}

// addGiven adds the paths of the entries of maps that only spec.initProvider gives.
func addGiven(given map[string]bool, k *valueKind, path string, desired, initial map[string]any) {
	for _, f := range k.fields {
		at, current, value := pathTo(path, f.name), asObject(desired[f.name]), asObject(initial[f.name])
		switch f.shape {
		case shapeStruct:
			addGiven(given, f.valueKind, at, current, value)
		case shapeMap:
			for key := range value {
				if _, found := current[key]; !found {
					given[fmt.Sprintf("%s[%q]", at, key)] = true
				}
			}
		}
	}
}

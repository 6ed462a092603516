package functions

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Diff returns the JSON paths of the fields that a struct of spec.forProvider sets and that the observed state
// contradicts, such as a.b, a[0].b, a[key="b"] and a["b"]. Items and entries that it doesn't have contradict a
// list or map that it sets. Desired is a pointer to the struct.
func Diff(t *Table, desired, observed any) []string {
	d := reflect.ValueOf(desired)
	if d.IsNil() {
		return nil
	}
	return diffStruct(t, d.Type().Elem(), d.Elem(), observed)
}

func diffStruct(t *Table, receiver reflect.Type, desired reflect.Value, observed any) []string {
	o := reflect.ValueOf(observed)
	kinds := t.start(receiver, desired.Type(), o.Type())
	return comparison("").of(kinds[0].row).structs(kinds[0], kinds[1], "", desired, o)
}

// A comparison is how values are compared. The exact one is "".
type comparison string

const (
	diffSubset    comparison = "subset"
	diffUnordered comparison = "unordered"
	diffOff       comparison = "off"
)

// of returns how what has a row is compared, in what is compared in this way.
func (c comparison) of(row Row) comparison {
	switch row.Compare {
	case "":
		return c
	case "exact":
		return ""
	default:
		return comparison(row.Compare)
	}
}

// structs returns the paths at which structs differ. An unset field differs from nothing.
func (c comparison) structs(k, source *valueKind, path string, d, o reflect.Value) (paths []string) {
	for _, f := range k.fields {
		how, other := c.of(f.row), source.field(f.name)
		switch {
		case other == nil || f.row.Secret || !f.agrees(other.valueKind):
		case how == diffOff && f.shape != shapeStruct || !f.alwaysSet(d) && f.isUnset(d):
		case f.shape == shapeStruct && len(f.fields) == 0:
			if is := other.in(o); !is.IsValid() || other.isPointer && is.IsNil() {
				paths = append(paths, pathTo(path, f.name)) // what counts is whether there is one
			}
		default:
			paths = append(paths, how.values(f.valueKind, other.valueKind, f.row, pathTo(path, f.name), f.in(d), other.in(o))...)
		}
	}
	return paths
}

func pathTo(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// values returns the paths at which two values differ. Many APIs leave out what is zero: it differs from
// no value that isn't there.
func (c comparison) values(k, source *valueKind, row Row, path string, d, o reflect.Value) []string {
	d, o = k.orZero(d), source.orZero(o)
	isSame := true
	switch k.shape {
	case shapeStruct:
		return c.structs(k, source, path, d, o)
	case shapeMap:
		return c.entries(k, source, row, path, d, o)
	case shapeList:
		return c.lists(k, source, row, path, d, o)
	case shapeScalar:
		isSame = sameScalar(d, o)
	case shapeOpaque:
		isSame = sameWhole(d, o)
	}
	if isSame {
		return nil
	}
	return []string{path}
}

// orZero returns what a value holds or points to, or the zero value if there is none.
func (k *valueKind) orZero(value reflect.Value) reflect.Value {
	if k.isPointer && value.IsValid() {
		value = value.Elem()
	}
	if !value.IsValid() {
		return reflect.Zero(k.of)
	}
	return value
}

// sameScalar reports whether booleans, numbers, texts or bytes are the same, whatever their types are called.
func sameScalar(d, o reflect.Value) bool {
	if d.Kind() == reflect.Slice {
		return string(d.Bytes()) == string(o.Bytes())
	}
	return d.Equal(o.Convert(d.Type()))
}

// sameWhole reports whether quantities are the same amount, in any form, and whether other values have the
// same JSON form, which is what the API server keeps of them.
func sameWhole(d, o reflect.Value) bool {
	if quantity, isQuantity := d.Interface().(resource.Quantity); isQuantity {
		return quantity.Cmp(o.Interface().(resource.Quantity)) == 0
	}
	var forms [2]any
	for i, value := range []reflect.Value{d, o} {
		// Pointers have the methods that encode a value, on any receiver.
		pointer := reflect.New(value.Type())
		pointer.Elem().Set(value)
		encoded, err := json.Marshal(pointer.Interface())
		if err != nil || json.Unmarshal(encoded, &forms[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(forms[0], forms[1])
}

// lists returns the paths at which lists differ, or that of the list if it has more or fewer items.
func (c comparison) lists(k, source *valueKind, row Row, path string, d, o reflect.Value) (paths []string) {
	differ := func(path string, i, j int) []string {
		return c.values(k.item, source.item, row.items(), path, d.Index(i), o.Index(j))
	}
	switch {
	case len(row.Keys) > 0:
		return c.keyed(row.keysIn(k.item, d), row.keysIn(source.item, o), path, differ)
	case c != diffSubset && d.Len() != o.Len():
		return []string{path}
	case c != diffSubset && c != diffUnordered && !row.Set:
		for i := 0; i < d.Len(); i++ {
			paths = append(paths, differ(fmt.Sprintf("%s[%d]", path, i), i, i)...)
		}
		return paths
	}
	// An item may agree with several observed ones, one of which is all that another item
	// agrees with. So items give way to each other.
	takenBy := make([]int, o.Len())
	var take func(item int, tried []bool) bool
	take = func(item int, tried []bool) bool {
		for i := range takenBy {
			if tried[i] || len(differ(path, item-1, i)) > 0 {
				continue
			}
			tried[i] = true
			if takenBy[i] == 0 || take(takenBy[i], tried) {
				takenBy[i] = item
				return true
			}
		}
		return false
	}
	for i := 0; i < d.Len(); i++ {
		if !take(i+1, make([]bool, len(takenBy))) {
			return []string{path}
		}
	}
	return nil
}

// keysIn returns what tells the items of a list apart.
func (r Row) keysIn(k *valueKind, list reflect.Value) []string {
	keys := make([]string, list.Len())
	for i := range keys {
		fields := map[string]any{}
		for _, name := range r.Keys {
			if f := k.field(name); f != nil && f.in(k.orZero(list.Index(i))).IsValid() {
				fields[name] = treeOf(f.in(k.orZero(list.Index(i))).Interface())
			}
		}
		keys[i] = r.keyOf(k, fields)
	}
	return keys
}

// keyed returns the paths at which items with the same keys differ, and those of items that one list lacks.
func (c comparison) keyed(desired, observed []string, path string, differ func(string, int, int) []string) (paths []string) {
	first, unwanted := map[string]int{}, map[string]int{}
	for i := len(observed) - 1; i >= 0; i-- {
		first[observed[i]] = i
	}
	for i, key := range desired {
		unwanted[key]--
		if j, found := first[key]; found {
			paths = append(paths, differ(path+"["+key+"]", i, j)...)
		} else {
			paths = append(paths, path+"["+key+"]")
		}
	}
	if c == diffSubset {
		return paths
	}
	for _, key := range observed {
		if unwanted[key]++; unwanted[key] > 0 {
			paths = append(paths, path+"["+key+"]")
		}
	}
	return paths
}

// entries returns the paths at which entries with the same key differ, and those of entries that one map
// lacks.
func (c comparison) entries(k, source *valueKind, row Row, path string, d, o reflect.Value) (paths []string) {
	desired, keys := entriesOf(d)
	observed, others := entriesOf(o)
	for _, key := range keys {
		at := fmt.Sprintf("%s[%q]", path, key)
		if other, found := observed[key]; found {
			paths = append(paths, c.values(k.item, source.item, row.items(), at, desired[key], other)...)
		} else {
			paths = append(paths, at)
		}
	}
	for _, key := range others {
		if _, found := desired[key]; !found && c != diffSubset {
			paths = append(paths, fmt.Sprintf("%s[%q]", path, key))
		}
	}
	return paths
}

// entriesOf returns the entries of a map, and its sorted keys.
func entriesOf(of reflect.Value) (entries map[string]reflect.Value, keys []string) {
	entries = map[string]reflect.Value{}
	for _, key := range of.MapKeys() {
		entries[key.String()] = of.MapIndex(key)
		keys = append(keys, key.String())
	}
	sort.Strings(keys)
	return entries, keys
}

// ImmutableFields returns those of the paths that Diff returned whose fields can't be changed once set. Desired
// is a pointer to the struct that was compared.
func ImmutableFields(t *Table, desired any, paths []string) (immutable []string) {
	of := reflect.TypeOf(desired).Elem()
	root := t.start(of, of)[0]
	for _, path := range paths {
		if root.isImmutable(pathKeys.ReplaceAllString(path, "[]")) {
			immutable = append(immutable, path)
		}
	}
	return immutable
}

// pathKeys matches the key of an item or entry in a path. A bracket in quotes is part of it.
var pathKeys = regexp.MustCompile(`\[("([^"\\]|\\.)*"|[^"\]])*\]`)

// isImmutable reports whether a field on a path below the kind can't change. Names of fields may have dots.
func (k *valueKind) isImmutable(path string) bool {
	for _, f := range k.fields {
		if !strings.HasPrefix(path, f.name) {
			continue
		}
		rest, below := path[len(f.name):], f.valueKind
		for strings.HasPrefix(rest, "[]") && below.item != nil {
			rest, below = rest[2:], below.item
		}
		isInside := strings.HasPrefix(rest, ".") && below.shape == shapeStruct
		if f.row.Immutable && (rest == "" || isInside) || isInside && below.isImmutable(rest[1:]) {
			return true
		}
	}
	return false
}

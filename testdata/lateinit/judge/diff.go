package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A difference is a path, and whether a field on it can't change.
type difference struct {
	path    string
	isFixed bool
}

// A comparer compares a desired struct with an observed one.
type comparer struct {
	how     string
	isFixed bool
}

func (c comparer) in(f field, around reflect.Type) comparer {
	for _, s := range f.path {
		for _, how := range []string{"off", "exact", "subset", "unordered"} {
			if s.is(how) {
				c.how = how
			}
		}
	}
	c.isFixed = c.isFixed || f.isAny("fixed") || isSealed(around)
	return c
}

func (c comparer) at(path string) []difference { return []difference{{path, c.isFixed}} }

// structs returns where structs differ.
func (c comparer) structs(path string, p, observed reflect.Value) []difference {
	var all []difference
	for _, f := range fieldsOf(p.Type()) {
		source, found := find(observed.Type(), f.json)
		if !found || f.is("hidden") || !f.alwaysSet(p) && f.isUnset(p, false) {
			continue
		}
		inner, where := c.in(f, p.Type()), strings.TrimPrefix(path+"."+f.json, ".")
		if inner.how == "off" && structIn(f.Type) == nil {
			continue
		}
		value := source.get(observed)
		if base(f.Type).Kind() == reflect.Struct && base(f.Type).NumField() == 0 {
			if value.Kind() == reflect.Pointer && value.IsNil() {
				all = append(all, inner.at(where)...)
			}
			continue
		}
		all = append(all, inner.values(f, where, valueOf(f.get(p)), valueOf(value))...)
	}
	return all
}

// values returns where the values of a field, or its items, differ.
func (c comparer) values(f field, path string, desired, observed reflect.Value) []difference {
	desired, observed = valueOf(desired), valueOf(observed)
	t := desired.Type()
	switch {
	case structIn(t) != nil:
		return c.structs(path, desired, observed)
	case t.Name() == "Quantity":
		if desired.FieldByName("Value").Int() == observed.FieldByName("Value").Int() {
			return nil
		}
		return c.at(path)
	case isOpaque(t), t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		if reflect.DeepEqual(document(desired.Interface()), document(observed.Interface())) || desired.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && desired.Len() == observed.Len() && desired.Len() == 0 {
			return nil
		}
		return c.at(path)
	case t.Kind() == reflect.Map:
		return c.maps(f, path, desired, observed)
	case t.Kind() == reflect.Slice:
		return c.lists(f, path, desired, observed)
	case reflect.DeepEqual(desired.Interface(), observed.Convert(t).Interface()):
		return nil
	}
	return c.at(path)
}

func (c comparer) items(path string, desired, observed reflect.Value) []difference {
	return c.values(field{step: step{reflect.StructField{Type: desired.Type()}}}, path, desired, observed)
}

func (c comparer) maps(f field, path string, desired, observed reflect.Value) []difference {
	var all []difference
	each := func(m reflect.Value, visit func(key string)) {
		var keys []string
		for _, key := range m.MapKeys() {
			keys = append(keys, key.String())
		}
		slices.Sort(keys)
		for _, key := range keys {
			visit(key)
		}
	}
	entry := func(m reflect.Value, key string) reflect.Value {
		return m.MapIndex(reflect.ValueOf(key).Convert(m.Type().Key()))
	}
	each(desired, func(key string) {
		at := fmt.Sprintf("%s[%q]", path, key)
		if other := entry(observed, key); other.IsValid() {
			all = append(all, c.items(at, entry(desired, key), other)...)
		} else {
			all = append(all, c.at(at)...)
		}
	})
	if c.how == "subset" {
		return all
	}
	each(observed, func(key string) {
		if !entry(desired, key).IsValid() {
			all = append(all, c.at(fmt.Sprintf("%s[%q]", path, key))...)
		}
	})
	return all
}

// keyOf returns the key of an item, or what it is.
func keyOf(f field, item reflect.Value) string {
	item = valueOf(item)
	if f.is("set") {
		return fmt.Sprint(item.Interface())
	}
	var parts []string
	for _, k := range fieldsOf(item.Type()) {
		// The observed item has no tags.
		if k.json != "key" && k.json != "name" && k.json != "port" {
			continue
		}
		value := valueOf(k.get(item))
		if value.Kind() == reflect.String {
			parts = append(parts, fmt.Sprintf("%s=%q", k.json, value.String()))
		} else {
			parts = append(parts, fmt.Sprintf("%s=%v", k.json, value.Interface()))
		}
	}
	return strings.Join(parts, ",")
}

func (c comparer) lists(f field, path string, desired, observed reflect.Value) []difference {
	var all []difference
	isOrdered := !f.is("set") && (c.how == "exact" || c.how == "off")
	switch {
	case f.is("keyed"):
		used := map[int]bool{}
		for i := range desired.Len() {
			key := keyOf(f, desired.Index(i))
			at := path + "[" + key + "]"
			found := -1
			for j := range observed.Len() {
				if keyOf(f, observed.Index(j)) == key {
					found = j
					break
				}
			}
			if found < 0 {
				all = append(all, c.at(at)...)
				continue
			}
			used[found] = true
			all = append(all, c.items(at, desired.Index(i), observed.Index(found))...)
		}
		for j := range observed.Len() {
			if !used[j] && c.how != "subset" {
				all = append(all, c.at(path+"["+keyOf(f, observed.Index(j))+"]")...)
			}
		}
		return all
	case isOrdered:
		if desired.Len() != observed.Len() {
			return c.at(path)
		}
		for i := range desired.Len() {
			all = append(all, c.items(fmt.Sprintf("%s[%d]", path, i), desired.Index(i), observed.Index(i))...)
		}
		return all
	}
	if c.how != "subset" && desired.Len() != observed.Len() || !c.matches(desired, observed, 0, map[int]bool{}) {
		return c.at(path)
	}
	return nil
}

// matches tries to give each desired item an observed one of its own.
func (c comparer) matches(desired, observed reflect.Value, i int, used map[int]bool) bool {
	if i == desired.Len() {
		return true
	}
	for j := range observed.Len() {
		if used[j] || len(c.items("", desired.Index(i), observed.Index(j))) > 0 {
			continue
		}
		used[j] = true
		if c.matches(desired, observed, i+1, used) {
			return true
		}
		used[j] = false
	}
	return false
}

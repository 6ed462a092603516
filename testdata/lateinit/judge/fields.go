package main

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A step leads to a field of a struct, or of one that it embeds.
type step struct{ reflect.StructField }

// is reports whether the tag "is" has a word.
func (s step) is(word string) bool { return slices.Contains(strings.Fields(s.Tag.Get("is")), word) }

func (s step) omits(option string) bool {
	return slices.Contains(strings.Split(s.Tag.Get("json"), ",")[1:], option)
}

// written reports whether Go writes a value for the field that nobody set.
func (s step) written() bool {
	switch s.Type.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return false
	case reflect.Struct:
		return !s.omits("omitzero")
	}
	return !s.omits("omitempty") && !s.omits("omitzero")
}

// A field is one that encoding/json sees.
type field struct {
	step
	json string
	// path has the embedded structs that lead there, and the field last.
	path []step
}

// fieldsOf returns the fields of a struct, the outer ones first where two have one name.
func fieldsOf(t reflect.Type) []field {
	var all []field
	var add func(t reflect.Type, path []step)
	add = func(t reflect.Type, path []step) {
		for i := range t.NumField() {
			s := step{t.Field(i)}
			below := append(slices.Clip(path), s)
			name, _, _ := strings.Cut(s.Tag.Get("json"), ",")
			if s.Anonymous && name == "" {
				inner := s.Type
				if inner.Kind() == reflect.Pointer {
					inner = inner.Elem()
				}
				add(inner, below)
				continue
			}
			all = append(all, field{s, name, below})
		}
	}
	add(t, nil)
	return all
}

// isAny reports whether the field or an embedded struct on the way has a word.
func (f field) isAny(word string) bool {
	return slices.ContainsFunc(f.path, func(s step) bool { return s.is(word) })
}

// isIndirect reports whether an embedded pointer is on the way.
func (f field) isIndirect() bool {
	return slices.ContainsFunc(f.path[:len(f.path)-1], func(s step) bool { return s.Type.Kind() == reflect.Pointer })
}

// get returns the value of the field, zero if an embedded pointer on the way is nil.
func (f field) get(of reflect.Value) reflect.Value {
	for _, s := range f.path {
		if of.Kind() == reflect.Pointer {
			if of.IsNil() {
				return reflect.Zero(f.Type)
			}
			of = of.Elem()
		}
		of = of.FieldByIndex(s.Index)
	}
	return of
}

// set sets the field, and embedded pointers on the way.
func (f field) set(of, value reflect.Value) {
	for _, s := range f.path {
		if of.Kind() == reflect.Pointer {
			if of.IsNil() {
				of.Set(reflect.New(of.Type().Elem()))
			}
			of = of.Elem()
		}
		of = of.FieldByIndex(s.Index)
	}
	of.Set(value)
}

// isGuarded reports whether to set the field would write others, too, since an embedded pointer on the
// way is nil.
func (f field) isGuarded(of reflect.Value) bool {
	embedded := f.path[:len(f.path)-1]
	if !f.writesOthers() {
		return false
	}
	for _, s := range embedded {
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		of = of.FieldByIndex(s.Index)
		if of.Kind() == reflect.Pointer && of.IsNil() {
			return true
		}
	}
	return false
}

// writesOthers reports whether an embedded pointer on the way is to a struct that Go writes something of,
// whether or not it is set.
func (f field) writesOthers() bool {
	return slices.ContainsFunc(f.path[:len(f.path)-1], func(s step) bool {
		return s.Type.Kind() == reflect.Pointer && slices.ContainsFunc(fieldsOf(s.Type.Elem()), func(f field) bool { return !f.isIndirect() && f.written() })
	})
}

// find returns the field of a struct with a JSON name.
func find(t reflect.Type, name string) (field, bool) {
	all := fieldsOf(t)
	i := slices.IndexFunc(all, func(f field) bool { return f.json == name })
	if i < 0 {
		return field{}, false
	}
	return all[i], true
}

// alwaysSet reports whether the field has a value in an object.
func (f field) alwaysSet(of reflect.Value) bool {
	switch f.Type.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return false
	}
	return f.is("required") && !f.omits("omitempty") && !f.omits("omitzero") && f.isReached(of)
}

// isReached reports whether no embedded pointer on the way is nil.
func (f field) isReached(of reflect.Value) bool {
	for _, s := range f.path {
		if of.Kind() == reflect.Pointer {
			if of.IsNil() {
				return false
			}
			of = of.Elem()
		}
		of = of.FieldByIndex(s.Index)
	}
	return true
}

// isUnset reports whether nobody has set the field, as far as Go tells. To fill it counts for more: an
// empty list that can't change must stay.
func (f field) isUnset(of reflect.Value, fills bool) bool {
	value := f.get(of)
	switch value.Kind() {
	case reflect.Pointer:
		return value.IsNil()
	case reflect.Slice, reflect.Map:
		if !f.omits("omitempty") || fills && f.isAny("fixed") {
			return value.IsNil()
		}
		return value.Len() == 0
	}
	return value.IsZero()
}

// isBeside reports whether what excludes the field is set.
func (f field) isBeside(of reflect.Value) bool {
	for _, name := range strings.Fields(f.Tag.Get("beside")) {
		if other, found := find(of.Type(), name); found && !other.get(of).IsZero() {
			return true
		}
	}
	return false
}

// base returns what a type points to, or the type.
func base(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// structIn returns the struct that a type is, or points to, or nil. One that encodes itself doesn't count.
func structIn(t reflect.Type) reflect.Type {
	if t = base(t); t.Kind() == reflect.Struct && t.NumField() > 0 && !isOpaque(t) {
		return t
	}
	return nil
}

// isOpaque reports whether a type encodes itself.
func isOpaque(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]())
}

// valueOf returns what a pointer points to, or zero, or the value.
func valueOf(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Pointer {
		return v
	}
	if v.IsNil() {
		return reflect.Zero(v.Type().Elem())
	}
	return v.Elem()
}

// passes reports whether a value meets what a tag demands.
func passes(demands string, v reflect.Value) bool {
	if demands == "" {
		return true
	}
	for _, demand := range strings.Split(demands, ",") {
		name, argument, _ := strings.Cut(demand, "=")
		bound, _ := strconv.ParseFloat(argument, 64)
		var number float64
		var text string
		switch v.Kind() {
		case reflect.Int64, reflect.Int32, reflect.Int8:
			number, text = float64(v.Int()), strconv.FormatInt(v.Int(), 10)
		case reflect.Float64:
			number = v.Float()
		case reflect.Bool:
			text = strconv.FormatBool(v.Bool())
		case reflect.String:
			number, text = float64(utf8.RuneCountInString(v.String())), v.String()
		case reflect.Slice, reflect.Map:
			number = float64(v.Len())
		}
		ok := true
		switch name {
		case "min", "shortest", "fewest":
			ok = number >= bound
		case "max", "longest", "most":
			ok = number <= bound
		case "above":
			ok = number > bound
		case "below":
			ok = number < bound
		case "multiple":
			ok = int64(number)%int64(bound) == 0
		case "pattern":
			ok = regexp.MustCompile(argument).MatchString(text)
		case "enum":
			ok = slices.Contains(strings.Split(argument, "|"), text)
		case "format":
			var err error
			if argument == "cidr" {
				_, err = netip.ParsePrefix(text)
			} else {
				_, err = time.Parse(time.RFC3339, text)
			}
			ok = err == nil
		default:
			panic("unknown demand " + name)
		}
		if !ok {
			return false
		}
	}
	return true
}

// document returns the JSON of a value, as the API server decodes it.
func document(v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var decoded any
	if err := json.Unmarshal(text, &decoded); err != nil {
		panic(err)
	}
	return decoded
}

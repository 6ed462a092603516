package encode

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A field is a field of a struct that encoding/json writes.
type field struct {
	name string
	// index leads to the field, through embedded structs.
	index     []int
	omitEmpty bool
}

func (f *field) of(v reflect.Value) reflect.Value {
	for _, i := range f.index {
		v = v.Field(i)
	}
	return v
}

// known holds the fields of types, or nil for types that fieldsOf refuses.
var known sync.Map // reflect.Type to []field

// fieldsOf returns the fields of a struct type in the order of their keys, or false if the encoder doesn't know how to
// write the type's JSON.
func fieldsOf(t reflect.Type) ([]field, bool) {
	cached, found := known.Load(t)
	if !found {
		fields, ok := appendFields(nil, t, nil)
		slices.SortFunc(fields, func(a, b field) int { return compareKeys(a.name, b.name) })
		for i := 1; i < len(fields); i++ {
			ok = ok && fields[i-1].name != fields[i].name // encoding/json decides by depth which field of a name counts
		}
		if !ok {
			fields = nil
		} else if fields == nil { // nil stands for a refused type
			fields = []field{}
		}
		cached, _ = known.LoadOrStore(t, fields)
	}
	fields := cached.([]field)
	return fields, fields != nil
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

func appendFields(fields []field, t reflect.Type, prefix []int) ([]field, bool) {
	if p := reflect.PointerTo(t); p.Implements(jsonMarshaler) || p.Implements(textMarshaler) {
		return nil, false
	}
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(slices.Clone(prefix), i)
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case tag == "-" || !f.IsExported() && !f.Anonymous:
			continue
		case f.Anonymous && name == "":
			if f.Type.Kind() != reflect.Struct { // encoding/json would promote fields of embedded pointers, too
				return nil, false
			}
			embedded, ok := appendFields(fields, f.Type, index)
			if !ok {
				return nil, false
			}
			fields = embedded
			continue
		case name == "":
			name = f.Name
		}
		written := field{name: name, index: index}
		for option := range strings.SplitSeq(options, ",") {
			switch option {
			case "omitempty":
				written.omitEmpty = true
			case "", "inline":
				// Only Kubernetes' own tools read "inline".
			default:
				return nil, false
			}
		}
		fields = append(fields, written)
	}
	return fields, true
}

// isEmpty reports whether encoding/json would omit a value that is marked omitempty.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Map, reflect.Slice, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct: // encoding/json never omits a struct with omitempty
		return false
	default:
		return v.IsZero()
	}
}

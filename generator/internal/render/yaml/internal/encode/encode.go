// Package encode writes Kubernetes objects as YAML, straight from their Go types, byte for byte like sigs.k8s.io/yaml.
// That package writes JSON, parses it as YAML, and writes the result with a general emitter, which takes ten times as
// long and as much memory for CustomResourceDefinitions.
//
// Rare forms of scalars are left to the emitter that sigs.k8s.io/yaml uses, and rare documents as a whole to the caller.
package encode

import (
	"reflect"
	"strconv"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Append appends a document to out and returns the extended slice, or false if the encoder can't write the document,
// which is a pointer to a struct.
func Append(out []byte, document any) ([]byte, bool) {
	v := reflect.ValueOf(document)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return nil, false
	}
	e := &encoder{out: out}
	e.value(v.Elem(), position{indent: -2}) // so that top-level keys are at column 0
	if e.failed {
		return nil, false
	}
	return e.out, true
}

type encoder struct {
	out []byte
	// failed is set if the encoder can't write a value. It still goes on until the end, and the output is dropped.
	failed bool
}

// A position is where a value is written.
type position struct {
	// indent is the column of the key or of the dash that the value belongs to.
	indent int
	// item is set for an item of a sequence.
	item bool
	// key is the length of the key, as it is written.
	key int
}

// open begins a mapping or a sequence with something in it, and returns the column of its keys or dashes.
func (e *encoder) open(at position, sequence bool) int {
	switch {
	case at.item: // items begin on the line of their dash
		e.out = append(e.out, ' ')
	case at.indent >= 0:
		e.out = append(e.out, '\n')
		if sequence { // sequences are at the column of their key
			return at.indent
		}
	}
	return at.indent + 2
}

// line begins a line, unless a dash has begun it.
func (e *encoder) line(indent int) {
	if n := len(e.out); n > 0 && e.out[n-1] == ' ' {
		return
	}
	e.spaces(indent)
}

func (e *encoder) spaces(n int) {
	for ; n > 0; n-- {
		e.out = append(e.out, ' ')
	}
}

// entry begins an entry of a mapping and returns the position of its value.
func (e *encoder) entry(indent int, key string) position {
	e.line(indent)
	written := e.key(key)
	e.out = append(e.out, ':')
	return position{indent: indent, key: written}
}

// item begins an item of a sequence and returns the position of its value.
func (e *encoder) item(indent int) position {
	e.line(indent)
	e.out = append(e.out, '-')
	return position{indent: indent, item: true}
}

// plain writes a scalar that needs no quotes.
func (e *encoder) plain(s string) {
	e.out = append(append(append(e.out, ' '), s...), '\n')
}

// value writes a value. A struct must have an address.
func (e *encoder) value(v reflect.Value, at position) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			e.plain("null")
			return
		}
		e.value(v.Elem(), at)
	case reflect.Struct:
		e.structure(v, at)
	case reflect.Map:
		e.mapping(v, at)
	case reflect.Slice:
		e.sequence(v, at)
	case reflect.String:
		e.text(v.String(), at)
	case reflect.Bool:
		e.plain(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.plain(strconv.FormatInt(v.Int(), 10))
	case reflect.Float64:
		e.float(v.Float())
	default:
		e.failed = true
	}
}

// structure writes a struct: a type with a JSON form of its own, or an object with a key for each field.
func (e *encoder) structure(v reflect.Value, at position) {
	if !v.CanAddr() { // in an interface
		e.failed = true
		return
	}
	switch s := v.Addr().Interface().(type) {
	case *apiextensionsv1.JSON:
		e.raw(s.Raw, at)
		return
	case *apiextensionsv1.JSONSchemaPropsOrArray:
		if len(s.JSONSchemas) > 0 {
			e.sequence(reflect.ValueOf(s.JSONSchemas), at)
			return
		}
		e.value(reflect.ValueOf(s.Schema), at)
		return
	case *apiextensionsv1.JSONSchemaPropsOrBool:
		if s.Schema == nil {
			e.plain(strconv.FormatBool(s.Allows))
			return
		}
		e.value(reflect.ValueOf(s.Schema), at)
		return
	case *apiextensionsv1.JSONSchemaPropsOrStringArray:
		if len(s.Property) > 0 {
			e.sequence(reflect.ValueOf(s.Property), at)
			return
		}
		e.value(reflect.ValueOf(s.Schema), at)
		return
	}
	fields, ok := fieldsOf(v.Type())
	if !ok {
		e.failed = true
		return
	}
	indent, opened := 0, false
	for i := range fields {
		f := &fields[i]
		field := f.of(v)
		if f.omitEmpty && isEmpty(field) {
			continue
		}
		if !opened {
			indent, opened = e.open(at, false), true
		}
		e.value(field, e.entry(indent, f.name))
	}
	if !opened {
		e.plain("{}")
	}
}

// mapping writes a map.
func (e *encoder) mapping(v reflect.Value, at position) {
	switch {
	case v.IsNil():
		e.plain("null")
		return
	case v.Len() == 0:
		e.plain("{}")
		return
	case v.Type().Key().Kind() != reflect.String:
		e.failed = true
		return
	}
	indent := e.open(at, false)
	// Schemas, which are most of a document, share the memory of one.
	if schemas, ok := v.Interface().(map[string]apiextensionsv1.JSONSchemaProps); ok {
		schema := &apiextensionsv1.JSONSchemaProps{}
		for _, name := range sortedKeys(schemas) {
			*schema = schemas[name]
			e.structure(reflect.ValueOf(schema).Elem(), e.entry(indent, name))
		}
		return
	}
	values := make(map[string]reflect.Value, v.Len())
	for key, value := range v.Seq2() {
		// Values in maps have no address.
		copied := reflect.New(value.Type()).Elem()
		copied.Set(value)
		values[key.String()] = copied
	}
	for _, key := range sortedKeys(values) {
		e.value(values[key], e.entry(indent, key))
	}
}

// sequence writes a slice.
func (e *encoder) sequence(v reflect.Value, at position) {
	switch {
	case v.IsNil():
		e.plain("null")
		return
	case v.Type().Elem().Kind() == reflect.Uint8:
		e.failed = true // JSON writes bytes in Base64
		return
	case v.Len() == 0:
		e.plain("[]")
		return
	}
	indent := e.open(at, true)
	for i := range v.Len() {
		e.value(v.Index(i), e.item(indent))
	}
}

// Package encode writes Kubernetes objects as YAML, byte for byte like sigs.k8s.io/yaml. That package parses an object's
// JSON as YAML, and writes the result with a general emitter, which takes four times as long and three times as much memory for
// CustomResourceDefinitions.
//
// Rare forms of scalars are left to the emitter that sigs.k8s.io/yaml uses, and rare documents as a whole to the caller.
package encode

import (
	"strconv"

	"k8s.io/apimachinery/pkg/util/json"
)

// Append appends a document to out and returns the extended slice, or false if the encoder can't write the document,
// which is an object in JSON.
func Append(out, document []byte) ([]byte, bool) {
	object := map[string]any{}
	if json.Unmarshal(document, &object) != nil {
		return nil, false
	}
	e := &encoder{out: out}
	e.value(object, position{indent: -2}) // so that top-level keys are at column 0
	return e.out, !e.failed
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

// value writes a value of JSON, whose numbers are int64 if they can be.
func (e *encoder) value(v any, at position) {
	switch v := v.(type) {
	case nil:
		e.plain("null")
	case map[string]any:
		e.mapping(v, at)
	case []any:
		e.sequence(v, at)
	case string:
		e.text(v, at)
	case bool:
		e.plain(strconv.FormatBool(v))
	case int64:
		e.plain(strconv.FormatInt(v, 10))
	case float64:
		e.float(v)
	}
}

// mapping writes an object.
func (e *encoder) mapping(object map[string]any, at position) {
	if len(object) == 0 {
		e.plain("{}")
		return
	}
	indent := e.open(at, false)
	for _, key := range sortedKeys(object) {
		e.value(object[key], e.entry(indent, key))
	}
}

// sequence writes a list.
func (e *encoder) sequence(list []any, at position) {
	if len(list) == 0 {
		e.plain("[]")
		return
	}
	indent := e.open(at, true)
	for _, item := range list {
		e.value(item, e.item(indent))
	}
}

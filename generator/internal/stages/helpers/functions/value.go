// Package functions has functions that code which mrgen generates for this module calls.
package functions

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// PointerTo returns a pointer to a value.
func PointerTo[T any](value T) *T { return &value }

// ValueOf returns what a pointer points to, or the zero value if it is nil.
func ValueOf[T any](pointer *T) T {
	if pointer == nil {
		var zero T
		return zero
	}
	return *pointer
}

// IsZero reports whether a value is the zero value of its type.
func IsZero[T any](value T) bool { return reflect.ValueOf(&value).Elem().IsZero() }

// treeOf returns a value as encoding/json decodes it once it was encoded, with numbers as they are written.
func treeOf(value any) any {
	var tree any
	if content, err := json.Marshal(value); err != nil || decodeTree(content, &tree) != nil {
		return nil
	}
	return tree
}

// decodeTree decodes JSON, and leaves numbers of any type as they are written.
func decodeTree(content []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	return decoder.Decode(into)
}

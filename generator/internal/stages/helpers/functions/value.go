// Package functions has functions that code which mrgen generates for this module calls.
package functions

import (
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

package kept

import (
	"encoding/json"
	"reflect"
)

// convertPointer converts what a pointer points to, if it isn't nil.
func convertPointer[S, T any](src *S, convert func(S) T) *T {
	if src == nil {
		return nil
	}
	dst := convert(*src)
	return &dst
}

// convertList converts the items of a list. One that is nil stays so.
func convertList[S, T any](src []S, convert func(S) T) []T {
	if src == nil {
		return nil
	}
	dst := make([]T, len(src))
	for i, item := range src {
		dst[i] = convert(item)
	}
	return dst
}

// convertMap converts the entries of a map. One that is nil stays so.
func convertMap[L, K ~string, S, T any](src map[K]S, convert func(S) T) map[L]T {
	if src == nil {
		return nil
	}
	dst := make(map[L]T, len(src))
	for key, value := range src {
		dst[L(key)] = convert(value)
	}
	return dst
}

// valueOf returns what a pointer points to, or the zero value if it is nil.
func valueOf[T any](pointer *T) T {
	if pointer == nil {
		var zero T
		return zero
	}
	return *pointer
}

// pointerTo returns a pointer to a value.
func pointerTo[T any](value T) *T { return &value }

// pointerUnlessZero returns a pointer to a value, or nil if it is the zero value of its type.
func pointerUnlessZero[T any](value T) *T {
	if isZero(value) {
		return nil
	}
	return &value
}

// isZero reports whether a value is the zero value of its type.
func isZero[T any](value T) bool { return reflect.ValueOf(&value).Elem().IsZero() }

// listOf returns a list of what a pointer points to, or nil if that is nil.
func listOf[T any](item *T) []T {
	if item == nil {
		return nil
	}
	return []T{*item}
}

// firstOf returns a pointer to the first item of a list, or nil if it has none.
func firstOf[T any](list []T) *T {
	if len(list) == 0 {
		return nil
	}
	return &list[0]
}

// neverNilList returns a list, which is empty in place of nil: null would be refused.
func neverNilList[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// neverNilMap returns a map, which is empty in place of nil: null would be refused.
func neverNilMap[K comparable, V any](entries map[K]V) map[K]V {
	if entries == nil {
		return map[K]V{}
	}
	return entries
}

// nilIfEmptyList returns a list, which is nil in place of empty: neither is written.
func nilIfEmptyList[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

// nilIfEmptyMap returns a map, which is nil in place of empty: neither is written.
func nilIfEmptyMap[K comparable, V any](entries map[K]V) map[K]V {
	if len(entries) == 0 {
		return nil
	}
	return entries
}

// asEncoded returns a value as it is once it was encoded.
func asEncoded[T any](value T) T {
	var decoded T
	if content, err := json.Marshal(value); err != nil || decodeTree(content, &decoded) != nil {
		return value
	}
	return decoded
}

// integer is any type of whole numbers.
type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// nearest returns a number as one of another type: the nearest one that the type has.
func nearest[T, S integer](number S) T {
	if same := T(number); S(same) == number && (same < 0) == (number < 0) {
		return same
	}
	largest := T(1)
	for largest<<1|1 > largest {
		largest = largest<<1 | 1
	}
	if number > 0 {
		return largest
	}
	return ^largest // which is zero if the type has no sign
}

// byConvertTo returns a function that converts by a method of the value.
func byConvertTo[S, T any](convert func(*S, *T)) func(S) T {
	return func(src S) T {
		var dst T
		convert(&src, &dst)
		return asEncoded(dst)
	}
}

// byConvertFrom returns a function that converts by a method of the result.
func byConvertFrom[S, T any](convert func(*T, *S)) func(S) T {
	return func(src S) T {
		var dst T
		convert(&dst, &src)
		return asEncoded(dst)
	}
}

package functions

import (
	"encoding/json"
)

// ConvertPointer converts what a pointer points to, if it isn't nil.
func ConvertPointer[S, T any](src *S, convert func(S) T) *T {
	if src == nil {
		return nil
	}
	dst := convert(*src)
	return &dst
}

// ConvertList converts the items of a list. One that is nil stays so.
func ConvertList[S, T any](src []S, convert func(S) T) []T {
	if src == nil {
		return nil
	}
	dst := make([]T, len(src))
	for i, item := range src {
		dst[i] = convert(item)
	}
	return dst
}

// ConvertEntries converts the entries of a map. One that is nil stays so.
func ConvertEntries[L, K ~string, S, T any](src map[K]S, convert func(S) T) map[L]T {
	if src == nil {
		return nil
	}
	dst := make(map[L]T, len(src))
	for key, value := range src {
		dst[L(key)] = convert(value)
	}
	return dst
}

// PointerUnlessZero returns a pointer to a value, or nil if it is the zero value of its type.
func PointerUnlessZero[T any](value T) *T {
	if IsZero(value) {
		return nil
	}
	return &value
}

// ListOf returns a list of what a pointer points to, or nil if that is nil.
func ListOf[T any](item *T) []T {
	if item == nil {
		return nil
	}
	return []T{*item}
}

// FirstOf returns a pointer to the first item of a list, or nil if it has none.
func FirstOf[T any](list []T) *T {
	if len(list) == 0 {
		return nil
	}
	return &list[0]
}

// NeverNilList returns a list, which is empty in place of nil: null would be refused.
func NeverNilList[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// NeverNilMap returns a map, which is empty in place of nil: null would be refused.
func NeverNilMap[K comparable, V any](entries map[K]V) map[K]V {
	if entries == nil {
		return map[K]V{}
	}
	return entries
}

// NilIfEmptyList returns a list, which is nil in place of empty: neither is written.
func NilIfEmptyList[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

// NilIfEmptyMap returns a map, which is nil in place of empty: neither is written.
func NilIfEmptyMap[K comparable, V any](entries map[K]V) map[K]V {
	if len(entries) == 0 {
		return nil
	}
	return entries
}

// AsEncoded returns a value as it is once it was encoded.
func AsEncoded[T any](value T) T {
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

// Nearest returns a number as one of another type: the nearest one that the type has.
func Nearest[T, S integer](number S) T {
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

// ByConvertTo returns a function that converts by a method of the value.
func ByConvertTo[S, T any](convert func(*S, *T)) func(S) T {
	return func(src S) T {
		var dst T
		convert(&src, &dst)
		return AsEncoded(dst)
	}
}

// ByConvertFrom returns a function that converts by a method of the result.
func ByConvertFrom[S, T any](convert func(*T, *S)) func(S) T {
	return func(src S) T {
		var dst T
		convert(&dst, &src)
		return AsEncoded(dst)
	}
}

package functions

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Resolvers take and return strings. crossplane-runtime's own conversions drop fractions, and
// turn strings that aren't numbers to nil.

// FromInteger adapts a number for use as a CurrentValue. Zero is no value.
func FromInteger[T ~int64](v T) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatInt(int64(v), 10)
}

// FromIntegerPtr adapts a pointer to a number for use as a CurrentValue. Nil is no value.
func FromIntegerPtr[T ~int64](v *T) string {
	if v == nil {
		return ""
	}
	return strconv.FormatInt(int64(*v), 10)
}

// ToInteger adapts a ResolvedValue for use as a number. No value is zero.
func ToInteger[T ~int64](value string) (T, error) {
	if value == "" {
		return 0, nil
	}
	v, err := strconv.ParseInt(value, 10, 64)
	return T(v), inJSON(value, err)
}

// ToIntegerPtr adapts a ResolvedValue for use as a pointer to a number. No value is nil.
func ToIntegerPtr[T ~int64](value string) (*T, error) { return toPointer(value, ToInteger[T]) }

// FromFloat adapts a number for use as a CurrentValue. Zero is no value.
func FromFloat[T ~float64](v T) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(v), 'f', -1, 64)
}

// FromFloatPtr adapts a pointer to a number for use as a CurrentValue. Nil is no value.
func FromFloatPtr[T ~float64](v *T) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(float64(*v), 'f', -1, 64)
}

// ToFloat adapts a ResolvedValue for use as a number. No value is zero.
func ToFloat[T ~float64](value string) (T, error) {
	if value == "" {
		return 0, nil
	}
	v, err := strconv.ParseFloat(value, 64)
	return T(v), inJSON(value, err)
}

// ToFloatPtr adapts a ResolvedValue for use as a pointer to a number. No value is nil.
func ToFloatPtr[T ~float64](value string) (*T, error) { return toPointer(value, ToFloat[T]) }

// SetNumber sets a field to a ResolvedValue. It leaves the field as it is if that is no number.
func SetNumber[T any](field *T, value string, read func(string) (T, error)) error {
	v, err := read(value)
	if err == nil {
		*field = v
	}
	return err
}

// SetNumbers sets a field to ResolvedValues. It leaves the field as it is if one is no number, and
// returns its index.
func SetNumbers[S ~[]T, T any](field *S, values []string, read func(string) (T, error)) (int, error) {
	numbers := make(S, len(values))
	for i := range values {
		v, err := read(values[i])
		if err != nil {
			return i, err
		}
		numbers[i] = v
	}
	*field = numbers
	return 0, nil
}

func toPointer[T any](value string, read func(string) (T, error)) (*T, error) {
	if value == "" {
		return nil, nil
	}
	v, err := read(value)
	if err != nil {
		return nil, err
	}
	return &v, nil
}

// inJSON returns the error of parsing a number, or that it is none in JSON: strconv accepts more, such
// as a plus sign, leading zeros, NaN, underscores and hexadecimal digits.
func inJSON(value string, err error) error {
	if err == nil && !json.Valid([]byte(value)) {
		return fmt.Errorf("parsing %q: not a number in JSON", value)
	}
	return err
}

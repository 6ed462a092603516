package functions

import (
	"encoding/json"
	"fmt"
	"regexp"
	"unicode/utf8"
)

// OneOf accepts some texts, numbers or booleans.
func OneOf(values ...any) Check {
	return func(value any) bool {
		for _, listed := range values {
			if fmt.Sprint(value) == fmt.Sprint(listed) {
				return true
			}
		}
		return false
	}
}

// Min accepts numbers, and texts, lists and maps with a length, of at least n.
func Min(n float64) Check { return func(value any) bool { return sizeOf(value) >= n } }

// Max accepts numbers, and texts, lists and maps with a length, of at most n.
func Max(n float64) Check { return func(value any) bool { return sizeOf(value) <= n } }

// Above accepts numbers that are greater than n.
func Above(n float64) Check { return func(value any) bool { return sizeOf(value) > n } }

// Below accepts numbers that are less than n.
func Below(n float64) Check { return func(value any) bool { return sizeOf(value) < n } }

// sizeOf returns a number, or the length of another value. Bounds are small enough for float64.
func sizeOf(value any) float64 {
	switch value := value.(type) {
	case string:
		return float64(utf8.RuneCountInString(value))
	case []any:
		return float64(len(value))
	case map[string]any:
		return float64(len(value))
	case json.Number:
		n, _ := value.Float64()
		return n
	default:
		return 0
	}
}

// MultipleOf accepts integers that n divides.
func MultipleOf(n int64) Check {
	return func(value any) bool {
		number, _ := value.(json.Number)
		i, err := number.Int64()
		return err == nil && i%n == 0
	}
}

// Matching accepts texts that a regular expression matches.
func Matching(pattern string) Check {
	expression := regexp.MustCompile(pattern)
	return func(value any) bool {
		text, isText := value.(string)
		return isText && expression.MatchString(text)
	}
}

// Package bounds compares the bounds of numbers, lengths and counts in schemas.
package bounds

import (
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// exclusion returns the field of a schema by which a bound excludes the number itself, if the keyword has one.
func exclusion(k *schema.Keyword, s *schema.Props) (field reflect.Value, found bool) {
	if k.Limits != "number" {
		return field, false
	}
	name := "exclusive" + strings.ToUpper(k.Name[:1]) + k.Name[1:]
	i := slices.IndexFunc(schema.Keywords, func(other *schema.Keyword) bool { return other.Name == name })
	if i < 0 {
		return field, false
	}
	return schema.Keywords[i].In(s), true
}

// Of returns the bound that a keyword sets in a schema, or nil, and whether it excludes the number itself.
func Of(k *schema.Keyword, s *schema.Props) (value *float64, exclusive bool) {
	switch bound := k.In(s).Interface().(type) {
	case *float64:
		value = bound
	case *int64:
		if bound != nil {
			value = new(float64(*bound))
		}
	}
	field, found := exclusion(k, s)
	return value, found && field.Bool()
}

// All returns the bounds in a schema for values of a type.
func All(s *schema.Props, of string) []float64 {
	var all []float64
	for _, k := range schema.Keywords {
		if k.Limits != of {
			continue
		}
		if value, _ := Of(k, s); value != nil {
			all = append(all, *value)
		}
	}
	return all
}

// IsTighter reports whether a schema has a bound that another lacks, or exceeds.
func IsTighter(k *schema.Keyword, s, than *schema.Props) bool {
	is, isExclusive := inclusive(k, s)
	was, wasExclusive := inclusive(k, than)
	sign := float64(k.Sign)
	switch {
	case is == nil:
		return false
	case was == nil:
		return k.Sign > 0 || k.Limits == "number" || *is > 0 // every length and count is at least zero
	default:
		return *was*sign > *is*sign || *was == *is && isExclusive && !wasExclusive
	}
}

// inclusive is Of, with the next number in place of an exclusive bound of whole numbers.
func inclusive(k *schema.Keyword, s *schema.Props) (value *float64, exclusive bool) {
	value, exclusive = Of(k, s)
	if value != nil && exclusive && s.Type == "integer" && *value == math.Trunc(*value) {
		return new(*value - float64(k.Sign)), false
	}
	return value, exclusive
}

// Tighten copies the bounds of a schema to another that lacks or exceeds them.
func Tighten(to, from *schema.Props) {
	for _, k := range schema.Keywords {
		if k.Sign == 0 || !IsTighter(k, from, to) {
			continue
		}
		k.Copy(to, from)
		if field, found := exclusion(k, to); found {
			from, _ := exclusion(k, from)
			field.Set(from)
		}
	}
}

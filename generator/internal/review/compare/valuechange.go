package compare

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// A valueChange is a field that only one of two objects has, or that has different values.
type valueChange struct {
	field   string
	was, is any
}

// valueChanges returns the differences between two objects, or values of a field, in the order of the names of their
// fields. Null is the same as unset.
func valueChanges(field string, was, is any) []valueChange {
	var all []valueChange
	switch was := was.(type) {
	case map[string]any:
		is, ok := is.(map[string]any)
		if !ok {
			break
		}
		names := slices.Collect(maps.Keys(was))
		names = slices.AppendSeq(names, maps.Keys(is))
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			all = append(all, valueChanges(strings.TrimPrefix(field+"."+name, "."), was[name], is[name])...)
		}
		return all
	case []any:
		is, ok := is.([]any)
		if !ok || len(was) != len(is) { // pairing items of lists with different lengths would be a guess
			break
		}
		for i := range was {
			all = append(all, valueChanges(fmt.Sprintf("%s[%d]", field, i), was[i], is[i])...)
		}
		return all
	}
	if reflect.DeepEqual(was, is) {
		return nil
	}
	return []valueChange{{field, was, is}}
}

// isZero reports whether one side is unset, and the other one the zero value.
func (d valueChange) isZero() bool {
	value := d.was
	switch {
	case d.was == nil:
		value = d.is
	case d.is != nil:
		return false
	}
	switch value := value.(type) {
	case string, bool, int64, float64:
		return reflect.ValueOf(value).IsZero()
	default:
		return false
	}
}

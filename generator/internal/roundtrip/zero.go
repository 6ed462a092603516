package roundtrip

import (
	"maps"

	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// zeroOf returns the value that encoding/json writes for the zero value of a type, if that is known. It omits null
// fields, which the API server drops.
func zeroOf(t *model.Type) (value any, known bool) {
	switch t.Encoding() {
	case model.Plain, model.Rounded:
	case model.Quantity:
		return "0", true
	case model.Duration:
		return "0s", true
	default:
		if t.Name == "IntOrString" { // written as an integer
			return int64(0), true
		}
		return nil, false
	}
	switch t.Kind {
	case model.Struct:
		object := map[string]any{}
		for _, f := range fieldsOf(t) {
			if f.Unset() != model.Written {
				continue
			}
			zero, known := zeroOf(f.Type)
			if !known {
				return nil, false
			}
			object[f.JSONName] = zero
		}
		return object, true
	case model.Slice:
		return []any{}, !t.Array && !t.IsBytes()
	case model.Map:
		return map[string]any{}, true
	case model.Basic:
		zeros := map[string]any{"string": "", "boolean": false, "integer": int64(0), "number": int64(0)}
		return zeros[t.JSONType()], true
	}
	return nil, false
}

// zerosOf returns values that are zero for Go, if they are known. For a struct, these are objects with the fields that
// Go sends, without fields, with one more field or one alone, each zero or null, and with all fields.
func zerosOf(t *model.Type) []any {
	zero, known := zeroOf(t)
	if !known {
		return nil
	}
	sent, isObject := zero.(map[string]any)
	if !isObject || t.Kind != model.Struct {
		return []any{zero}
	}
	zeros, all := []any{sent, map[string]any{}}, map[string]any{}
	for _, f := range fieldsOf(t) {
		values := []any{nil}
		if f.Type.Kind == model.Basic || f.Type.Kind == model.Struct {
			if zero, known := zeroOf(f.Type); known {
				values = append(values, zero)
			}
		}
		for _, value := range values {
			one := maps.Clone(sent)
			one[f.JSONName], all[f.JSONName] = value, value
			zeros = append(zeros, one, map[string]any{f.JSONName: value})
		}
	}
	return append(zeros, all)
}

// fieldsOf returns the fields of a struct that encoding/json sees, except behind inlined pointers.
func fieldsOf(t *model.Type) []*model.Field {
	var fields []*model.Field
	for _, access := range model.JSONFields(t) {
		if !access.Indirect() {
			fields = append(fields, access.Field())
		}
	}
	return fields
}

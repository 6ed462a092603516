package model_test

import (
	"encoding/json"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestEncodedFields compares what the model says of fields with what encoding/json does.
func TestEncodedFields(t *testing.T) {
	type object struct{}
	text := &model.Type{Name: "string", Kind: model.Basic, Basic: "string"}
	number := &model.Type{Name: "int64", Kind: model.Basic, Basic: "int64"}
	list, dictionary := &model.Type{Kind: model.Slice, Elem: text}, &model.Type{Kind: model.Map, Key: text, Elem: text}
	structType := &model.Type{Kind: model.Struct, Name: "object"}
	pointer := func(to *model.Type) *model.Type { return &model.Type{Kind: model.Pointer, Elem: to} }
	for name, test := range map[string]struct {
		field *model.Field
		// value is the zero value, and read decodes a document into a struct with such a
		// field.
		value string
		read  func(document string) any
	}{
		"string": {field: &model.Field{Type: text}, value: `""`, read: into[struct{ F string }]},
		"string omitempty": {field: &model.Field{Type: text, OmitEmpty: true}, value: `""`, read: into[struct {
			F string `json:",omitempty"`
		}]},
		"string omitzero": {field: &model.Field{Type: text, OmitZero: true}, value: `""`, read: into[struct {
			F string `json:",omitzero"`
		}]},
		"number omitempty": {field: &model.Field{Type: number, OmitEmpty: true}, value: `0`, read: into[struct {
			F int64 `json:",omitempty"`
		}]},
		"*string omitempty": {field: &model.Field{Type: pointer(text), OmitEmpty: true}, value: `""`, read: into[struct {
			F *string `json:",omitempty"`
		}]},
		"*string omitzero": {field: &model.Field{Type: pointer(text), OmitZero: true}, value: `""`, read: into[struct {
			F *string `json:",omitzero"`
		}]},
		"*string": {field: &model.Field{Type: pointer(text)}, value: `""`, read: into[struct{ F *string }]},
		"list":    {field: &model.Field{Type: list}, value: `[]`, read: into[struct{ F []string }]},
		"list omitempty": {field: &model.Field{Type: list, OmitEmpty: true}, value: `[]`, read: into[struct {
			F []string `json:",omitempty"`
		}]},
		"list omitzero": {field: &model.Field{Type: list, OmitZero: true}, value: `[]`, read: into[struct {
			F []string `json:",omitzero"`
		}]},
		"*list omitempty": {field: &model.Field{Type: pointer(list), OmitEmpty: true}, value: `[]`, read: into[struct {
			F *[]string `json:",omitempty"`
		}]},
		"map omitempty": {field: &model.Field{Type: dictionary, OmitEmpty: true}, value: `{}`, read: into[struct {
			F map[string]string `json:",omitempty"`
		}]},
		"map omitzero": {field: &model.Field{Type: dictionary, OmitZero: true}, value: `{}`, read: into[struct {
			F map[string]string `json:",omitzero"`
		}]},
		"struct omitempty": {field: &model.Field{Type: structType, OmitEmpty: true}, value: `{}`, read: into[struct {
			F object `json:",omitempty"`
		}]},
		"struct omitzero": {field: &model.Field{Type: structType, OmitZero: true}, value: `{}`, read: into[struct {
			F object `json:",omitzero"`
		}]},
		"*struct omitempty": {field: &model.Field{Type: pointer(structType), OmitEmpty: true}, value: `{}`, read: into[struct {
			F *object `json:",omitempty"`
		}]},
	} {
		encoded := func(document string) (value json.RawMessage, there bool) {
			text := expect.Value(json.Marshal(test.read(document)))(t)
			fields := map[string]json.RawMessage{}
			expect.NoError(t, json.Unmarshal(text, &fields))
			value, there = fields["F"]
			return value, there
		}
		_, there := encoded(`{"F":` + test.value + `}`)
		expect.True(t, test.field.Zero() == model.Omitted != there, "%s: a zero value is there: %t", name, there)
		_, there = encoded(`{"F":null}`)
		expect.True(t, test.field.Unset() == model.Omitted != there, "%s: null is there: %t", name, there)
		value, there := encoded(`{}`)
		expect.True(t, test.field.Unset() == model.Written == (there && string(value) != "null"), "%s: without a value, it is %s", name, value)
	}
}

// into decodes a document and returns what it became.
func into[T any](document string) any {
	var v T
	if err := json.Unmarshal([]byte(document), &v); err != nil {
		panic(err)
	}
	return v
}

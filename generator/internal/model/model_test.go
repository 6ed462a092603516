package model_test

import (
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// TestAlwaysMarshals follows the table of encoding/json: which values omitempty and
// omitzero leave out, and that nil is null.
func TestAlwaysMarshals(t *testing.T) {
	text := &model.Type{Kind: model.Basic, Basic: "string"}
	types := map[string]*model.Type{
		"string":  text,
		"struct":  {Kind: model.Struct},
		"pointer": {Kind: model.Pointer, Elem: text},
		"slice":   {Kind: model.Slice, Elem: text},
		"array":   {Kind: model.Slice, Array: true, Elem: text},
		"map":     {Kind: model.Map, Key: text, Elem: text},
	}
	for _, test := range []struct {
		name                                               string
		omitEmpty, omitZero                                bool
		str, structure, pointer, slice, array, stringToAny bool
	}{
		{name: "no option", str: true, structure: true, array: true},
		{name: "omitempty", omitEmpty: true, structure: true, array: true},
		{name: "omitzero", omitZero: true},
		{name: "both", omitEmpty: true, omitZero: true},
	} {
		want := map[string]bool{
			"string": test.str, "struct": test.structure, "pointer": test.pointer,
			"slice": test.slice, "array": test.array, "map": test.stringToAny,
		}
		for name, typ := range types {
			field := &model.Field{Type: typ, OmitEmpty: test.omitEmpty, OmitZero: test.omitZero}
			if got := field.AlwaysMarshals(); got != want[name] {
				t.Errorf("%s with %s: got %v, want %v", name, test.name, got, want[name])
			}
		}
	}
}

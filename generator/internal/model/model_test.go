package model_test

import (
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/testdata/expect"
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
		want := map[string]bool{"string": test.str, "struct": test.structure, "pointer": test.pointer, "slice": test.slice, "array": test.array, "map": test.stringToAny}
		for name, typ := range types {
			field := &model.Field{Type: typ, OmitEmpty: test.omitEmpty, OmitZero: test.omitZero}
			expect.Equal(t, want[name], field.Unset() == model.Written, "%s with %s", name, test.name)
		}
	}
}

// TestHolds looks for a type below pointers, slices, maps and fields, in one that is part
// of itself, too.
func TestHolds(t *testing.T) {
	wanted, other := &model.Type{Kind: model.Struct, Name: "Wanted"}, &model.Type{Kind: model.Struct, Name: "Other"}
	ring := &model.Type{Kind: model.Struct, Name: "Ring"}
	ring.Fields = []*model.Field{{Type: &model.Type{Kind: model.Pointer, Elem: ring}}, {Type: other}}
	holder := &model.Type{Kind: model.Struct, Name: "Holder", Fields: []*model.Field{
		{Type: ring}, {Type: &model.Type{Kind: model.Map, Elem: &model.Type{Kind: model.Slice, Elem: &model.Type{Kind: model.Pointer, Elem: wanted}}}},
	}}
	for typ, want := range map[*model.Type]bool{wanted: true, holder: true, {Kind: model.Slice, Elem: holder}: true, ring: false, other: false} {
		expect.Equal(t, want, typ.Holds(func(t *model.Type) bool { return t == wanted }), "%s", typ.Leaf().Name)
	}
}

func TestMarkerName(t *testing.T) {
	for text, want := range map[string]string{
		"optional": "optional", "optional ": "optional", "listType=map": "listType", "default:=true": "default",
		"kubebuilder:validation:Enum:={a,b}": "kubebuilder:validation:Enum", "kubebuilder:validation:XValidation:rule=\"a=b\"": "kubebuilder:validation:XValidation",
		"kubebuilder:validation:items:XValidation:rule=\"a:b\",message=\"m\"":          "kubebuilder:validation:items:XValidation",
		"kubebuilder:validation:XValidations=x":                                        "kubebuilder:validation:XValidations",
		"crossplane:generate:reference:type=example.org/provider/apis/v1.VPC":          "crossplane:generate:reference:type",
		"kubebuilder:validation:items:Pattern=`^kubebuilder:validation:XValidation:$`": "kubebuilder:validation:items:Pattern",
	} {
		expect.Equal(t, want, (model.Marker{Text: text}).Name(), "the name of %q", text)
	}
}

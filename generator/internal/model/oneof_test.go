package model_test

import (
	"slices"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestAlternatives holds that a value, its reference and its selector are one alternative,
// whichever of them is named, and so are values that share a reference.
func TestAlternatives(t *testing.T) {
	reference := func(text string) model.Marker {
		value, problem := markers.Parse(text)
		expect.Must(t, value != nil && problem == nil, "+%s: %v", text, problem)
		return model.Marker{Text: text, Value: value}
	}
	refers, byShared := reference(markers.ReferenceType+"=VPC"), reference(markers.ReferenceFieldName+"=Shared")
	text := &model.Type{Kind: model.Basic, Name: "string", Basic: "string"}
	inner := &model.Type{Kind: model.Struct, Name: "Inner", Fields: []*model.Field{{Name: "ID", JSONName: "id", Type: text, Markers: []model.Marker{refers}}}}
	typ := &model.Type{Kind: model.Struct, Name: "Outer", Fields: []*model.Field{
		{Name: "Inner", Inline: true, Embedded: true, Type: inner},
		{Name: "IDRef", JSONName: "idRef", Type: text},
		{Name: "IDSelector", JSONName: "idSelector", Type: text},
		{Name: "A", JSONName: "a", Type: text, Markers: []model.Marker{refers, byShared}},
		{Name: "B", JSONName: "b", Type: text, Markers: []model.Marker{refers, byShared}},
		{Name: "Shared", JSONName: "shared", Type: text},
		{Name: "Plain", JSONName: "plain", Type: text},
	}}
	for _, tt := range []struct {
		names []string
		want  [][]string
	}{
		{[]string{"plain", "id"}, [][]string{{"plain"}, {"id", "idRef", "idSelector"}}},
		{[]string{"idRef", "plain"}, [][]string{{"idRef", "id", "idSelector"}, {"plain"}}},
		{[]string{"id", "plain", "idSelector"}, [][]string{{"id", "idRef", "idSelector"}, {"plain"}}},
		{[]string{"a", "b"}, [][]string{{"a", "shared", "b"}}},
		{[]string{"shared", "plain"}, [][]string{{"shared", "a", "b"}, {"plain"}}},
	} {
		got := typ.Alternatives(tt.names)
		expect.True(t, slices.EqualFunc(got, tt.want, slices.Equal), "Alternatives(%q) = %q, want %q", tt.names, got, tt.want)
	}
}

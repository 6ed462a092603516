package markers

import (
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func mustParse(t *testing.T, text string) *Value {
	t.Helper()
	value, problem := Parse(text)
	if problem != nil {
		t.Fatalf("%s: %s", text, problem.Message)
	}
	return value
}

func TestAccessors(t *testing.T) {
	detail := mustParse(t, "mrgen:connectionDetail:name=port")
	expect.True(t, detail.Has("name") && !detail.Has("description") && !detail.Has(""), "Has() is not true of the name alone")
	expect.Equal(t, "port", detail.Text("name"), "Text(name) =")
	expect.Equal(t, "", detail.Text("description"), "Text(description) =")
	state := mustParse(t, "mrgen:state=Active")
	expect.True(t, state.Text("") == "Active" && state.Has("") && !state.Bool(), "state = %v", state)
	expect.True(t, mustParse(t, "mrgen:mirror=true").Bool() && !mustParse(t, "mrgen:mirror=false").Bool(), "Bool() is not the value of the marker")
}

func TestCheckPlace(t *testing.T) {
	const references = "move it to a field of spec.forProvider, a field of spec.initProvider or another field of spec"
	tests := []struct {
		text   string
		places []Place
		want   string
	}{
		{"mrgen:identifier", []Place{ForProviderField}, ""},
		{"mrgen:identifier", []Place{ObservationField, ForProviderField}, ""},
		{"mrgen:identifier", []Place{ObservationField, InitProviderField}, "marker +mrgen:identifier does not belong here: move it to a field of spec.forProvider"},
		{"mrgen:identifier", nil, "marker +mrgen:identifier does not belong here: move it to a field of spec.forProvider"},
		{"mrgen:state=Active", []Place{ManagedKind}, ""},
		{"mrgen:state=Active", []Place{Kind}, "marker +mrgen:state does not belong here: move it to the type of a managed resource"},
		{"crossplane:generate:methods=false", []Place{Kind}, ""},
		{"crossplane:generate:methods=false", []Place{Type}, "marker +crossplane:generate:methods does not belong here: move it to the type of a managed resource or the type of another kind"},
		{"crossplane:generate:reference:type=VPC", []Place{SpecField}, ""},
		{"crossplane:generate:reference:type=VPC", []Place{Field}, "marker +crossplane:generate:reference:type does not belong here: " + references},
		{"mrgen:connectionDetail", []Place{ObservationField}, ""},
		{"mrgen:connectionDetail", []Place{ManagedKind}, `marker +mrgen:connectionDetail has no name, which it needs on the type of a managed resource: write +mrgen:connectionDetail:name=password,description="Admin's password."`},
		{"mrgen:connectionDetail:name=a", []Place{ManagedKind}, `marker +mrgen:connectionDetail has no description, which it needs on the type of a managed resource: write +mrgen:connectionDetail:name=password,description="Admin's password."`},
		{"mrgen:connectionDetail:name=a,description=b", []Place{ManagedKind}, ""},
		{"mrgen:connectionDetail:pattern=a*,description=b", []Place{ManagedKind}, ""},
		{"mrgen:connectionDetail:pattern=a*", []Place{ManagedKind}, `marker +mrgen:connectionDetail has no description, which it needs on the type of a managed resource: write +mrgen:connectionDetail:name=password,description="Admin's password."`},
		{"mrgen:connectionDetail:pattern=a*", []Place{ObservationField}, ""},
	}
	for _, tt := range tests {
		var got Problem
		if problem := mustParse(t, tt.text).CheckPlace(tt.places...); problem != nil {
			got = *problem
		}
		want := Problem{Message: tt.want}
		// Providers had those of others before, and no tool that minded.
		if tt.want != "" && strings.HasPrefix(tt.text, "crossplane:") {
			want.Kind = WithoutEffect
		}
		expect.Equal(t, want, got, "%s at %v", tt.text, tt.places)
	}
}

// TestCheck has which markers contradict each other at a place, and which lack another.
func TestCheck(t *testing.T) {
	const detail, reference = "mrgen:connectionDetail:", "crossplane:generate:reference:"
	contradicts := func(i int, a, b string) []Conflict {
		return []Conflict{{i, Problem{Message: "marker +" + a + " contradicts +" + b + " at the same place: keep one of them"}}}
	}
	lacks := func(i int, name string) Conflict {
		return Conflict{i, Problem{Kind: WithoutEffect, Message: "marker +" + reference + name + " has no effect without +" + reference + "type: add +" + reference + "type=VPC"}}
	}
	for _, tt := range []struct {
		texts []string
		want  []Conflict
	}{
		{nil, nil},
		{[]string{"optional", "kubebuilder:validation:Required", "mrgen:identifier", "mrgen:sensitive", "mrgen:mirror=false", "mrgen:mirror=false"}, nil},
		{[]string{"mrgen:state=Active", "optional", "mrgen:state=Inactive"}, contradicts(2, "mrgen:state=Inactive", "mrgen:state=Active")},
		{[]string{detail + "name=a,description=A", detail + "name=b,description=B", detail + "pattern=a*", detail + "pattern=b*"}, nil},
		{[]string{detail + "pattern=a*,description=A", detail + "pattern=a*,description=B"}, contradicts(1, detail+"pattern=a*,description=B", detail+"pattern=a*,description=A")},
		{[]string{detail + "name=a,description=A", detail + "name=a,description=B"}, contradicts(1, detail+"name=a,description=B", detail+"name=a,description=A")},
		{[]string{reference + "extractor=ARN()", reference + "refFieldName=A", reference + "selectorFieldName=B", reference + "type=VPC"}, nil},
		{[]string{reference + "refFieldName=A", reference + "extractor=ARN()"}, []Conflict{lacks(0, "refFieldName"), lacks(1, "extractor")}},
	} {
		var values []*Value
		for _, text := range tt.texts {
			values = append(values, mustParse(t, text))
		}
		expect.Equal(t, tt.want, Check(values), "%q", tt.texts)
	}
}

package markers

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	if !detail.Has("name") || detail.Has("description") || detail.Has("") {
		t.Error("Has() is not true of the name alone")
	}
	if got := detail.Text("name"); got != "port" {
		t.Errorf("Text(name) = %q, want port", got)
	}
	if got := detail.Text("description"); got != "" {
		t.Errorf(`Text(description) = %q, want ""`, got)
	}
	if state := mustParse(t, "mrgen:state=Active"); state.Text("") != "Active" || !state.Has("") || state.Bool() {
		t.Errorf("state = %v", state)
	}
	if !mustParse(t, "mrgen:mirror=true").Bool() || mustParse(t, "mrgen:mirror=false").Bool() {
		t.Error("Bool() is not the value of the marker")
	}
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
		if got != want {
			t.Errorf("%s at %v (-want +got):\n%s", tt.text, tt.places, cmp.Diff(want, got))
		}
	}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name  string
		texts []string
		want  []Conflict
	}{
		{"nothing", nil, nil},
		{"markers of others", []string{"optional", "kubebuilder:validation:Required"}, nil},
		{"different markers", []string{"mrgen:identifier", "mrgen:sensitive", "mrgen:mirror=false"}, nil},
		{"the same twice", []string{"mrgen:mirror=false", "mrgen:mirror=false"}, nil},
		{
			"contradiction",
			[]string{"mrgen:state=Active", "optional", "mrgen:state=Inactive"},
			[]Conflict{{2, Problem{Offset: 0, Message: "marker +mrgen:state=Inactive contradicts +mrgen:state=Active at the same place: keep one of them"}}},
		},
		{"several keys", []string{"mrgen:connectionDetail:name=a,description=A", "mrgen:connectionDetail:name=b,description=B"}, nil},
		{"several patterns", []string{"mrgen:connectionDetail:pattern=a*", "mrgen:connectionDetail:pattern=b*", "mrgen:connectionDetail:name=a"}, nil},
		{
			"two descriptions for one pattern",
			[]string{"mrgen:connectionDetail:pattern=a*,description=A", "mrgen:connectionDetail:pattern=a*,description=B"},
			[]Conflict{{1, Problem{Offset: 0, Message: "marker +mrgen:connectionDetail:pattern=a*,description=B contradicts +mrgen:connectionDetail:pattern=a*,description=A at the same place: keep one of them"}}},
		},
		{
			"two descriptions for one key",
			[]string{"mrgen:connectionDetail:name=a,description=A", "mrgen:connectionDetail:name=a,description=B"},
			[]Conflict{{1, Problem{Offset: 0, Message: "marker +mrgen:connectionDetail:name=a,description=B contradicts +mrgen:connectionDetail:name=a,description=A at the same place: keep one of them"}}},
		},
		{
			"reference with everything, type last",
			[]string{
				"crossplane:generate:reference:extractor=ARN()",
				"crossplane:generate:reference:refFieldName=A",
				"crossplane:generate:reference:selectorFieldName=B",
				"crossplane:generate:reference:type=VPC",
			},
			nil,
		},
		{
			"reference without type",
			[]string{"crossplane:generate:reference:refFieldName=A", "crossplane:generate:reference:extractor=ARN()"},
			[]Conflict{
				{0, Problem{Kind: WithoutEffect, Message: "marker +crossplane:generate:reference:refFieldName has no effect without +crossplane:generate:reference:type: add +crossplane:generate:reference:type=VPC"}},
				{1, Problem{Kind: WithoutEffect, Message: "marker +crossplane:generate:reference:extractor has no effect without +crossplane:generate:reference:type: add +crossplane:generate:reference:type=VPC"}},
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var values []*Value
			for _, text := range tt.texts {
				values = append(values, mustParse(t, text))
			}
			expect.Equal(t, tt.want, Check(values), "Check()")
		})
	}
}

package explain

import (
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestRulesAboutAField holds which rules of authors are about a field.
func TestRulesAboutAField(t *testing.T) {
	for _, tt := range []struct {
		rule       string
		names      []string
		inElements bool
		want       bool
	}{
		{rule: "self.a == 1", names: []string{"a"}, want: true},
		{rule: "has(self.a)", names: []string{"a"}, want: true},
		{rule: "has(self.a) || has(self.b)", names: []string{"b"}, want: true},
		{rule: "self.a == 1", names: []string{"b"}},
		{rule: "has(self.a.b)", names: []string{"a"}},
		{rule: "has(self.a)", names: []string{"a", "b"}},
		{rule: "self.a == oldSelf.a", names: []string{"a", "b"}, want: true},
		{rule: "self == oldSelf", names: []string{"a"}, want: true},
		{rule: "self.list.all(x, x.b > 1)", names: []string{"list"}, inElements: true, want: true},
		{rule: "has(self.list)", names: []string{"list"}, inElements: true},
		{rule: "self.map.key == 'x'", names: []string{"map"}, inElements: true, want: true},
		{rule: "self.", names: []string{"a"}},
	} {
		expect.Equal(t, tt.want, reads(tt.rule, tt.names, tt.inElements), "%s, %v", tt.rule, tt.names)
	}
}

// TestUnknownFields holds that a field that isn't there is answered with one that is near,
// or with where to look.
func TestUnknownFields(t *testing.T) {
	for _, tt := range []struct {
		unknown Unknown
		want    string
	}{
		{Unknown{Around: "spec.forProvider", Name: "rejion", Fields: []string{"name", "region"}}, "VPC.spec.forProvider has no field rejion: did you mean region?"},
		{Unknown{Around: "spec.forProvider", Name: "rule", Rest: []string{"path"}, Fields: []string{"name", "rules"}}, "VPC.spec.forProvider has no field rule: did you mean rules.path?"},
		{Unknown{Around: "spec", Name: "zzz", Fields: []string{"forProvider"}}, "VPC.spec has no field zzz: mrgen explain VPC.spec lists those that it has"},
		{Unknown{Around: "spec.size", Name: "unit", Type: "integer"}, "VPC.spec.size has no field unit: its type integer has no known fields"},
		{Unknown{Name: "status", Fields: []string{"metadata", "spec"}}, "VPC has no field status: it has metadata, spec"},
	} {
		expect.Equal(t, tt.want, tt.unknown.Message("VPC"))
	}
}

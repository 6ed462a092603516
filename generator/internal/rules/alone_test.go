package rules

import (
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// TestAlone has the API server's code judge parts with the rules that are left for them: none
// fails, none refuses a part that lacks what its rule reads, and where all of that is set, the
// rules say the same.
func TestAlone(t *testing.T) {
	known := []string{"network", "size", "list", "policy", "policy.cooldown"}
	field := func(names []string) (bool, bool) {
		name := strings.Join(names, ".")
		return slices.Contains(known, name), name != "" && name != "policy"
	}
	for _, test := range []struct {
		rule, want string
		// reads are the fields that the rule reads, and judged is unset if no part can be judged.
		reads  []string
		judged bool
	}{
		{"self.network != 'a'", "!has(self.network) || self.network != 'a'", []string{"network"}, true},
		{"self.size < 2 || self.network == 'a'", "!has(self.size) || !has(self.network) || self.size < 2 || self.network == 'a'", []string{"size", "network"}, true},
		{"self.size < 2 ? self.network == 'a' : true", "!has(self.size) || !has(self.network) || (self.size < 2 ? self.network == 'a' : true)", []string{"size", "network"}, true},
		{"!has(self.size) || self.size < 2", "!has(self.size) || self.size < 2", []string{"size"}, true},
		{"self.size < 2 || !has(self.size)", "self.size < 2 || !has(self.size)", []string{"size"}, true},
		{"has(self.size) && self.size < 2", "!has(self.size) || has(self.size) && self.size < 2", []string{"size"}, true},
		{"!(has(self.size) && has(self.network))", "!(has(self.size) && has(self.network))", []string{"size", "network"}, true},
		{"has(self.size) != has(self.network)", "!has(self.size) || !has(self.network) || has(self.size) != has(self.network)", []string{"size", "network"}, true},
		{"self.list.all(x, x != 'b')", "!has(self.list) || self.list.all(x, x != 'b')", []string{"list"}, true},
		{"self.policy.cooldown < 2", "!has(self.policy) || !has(self.policy.cooldown) || self.policy.cooldown < 2", []string{"policy"}, true},
		{"size(self.list) < 2", "!has(self.list) || size(self.list) < 2", []string{"list"}, true},
		{"self.size < 2 && self.network != 'a'", "!has(self.size) || !has(self.network) || self.size < 2 && self.network != 'a'", []string{"size", "network"}, true},
		{"!(has(self.size) && has(self.network)) || self.size < 2", "!(has(self.size) && has(self.network)) || self.size < 2", []string{"size", "network"}, true},
		{"self.list.size() < 2", "!has(self.list) || self.list.size() < 2", []string{"list"}, true},
		{"self.size < 2 || self.size > 2", "!has(self.size) || self.size < 2 || self.size > 2", []string{"size"}, true},
		// What must be set is asked of the whole.
		{"has(self.size)", "", nil, true},
		{"has(self.size) || has(self.network)", "", nil, true},
		{"has(self.policy) && has(self.policy.cooldown)", "", nil, true},
		// Parts may change.
		{"self == oldSelf", "", nil, true},
		{"self.none > 1", "", nil, false},
		{"has(self.none) || self.size > 1", "", nil, false},
		{"self.policy == self.policy", "", nil, false},
		{"self.exists(k, k == 'a')", "", nil, false},
		{"self.policy.cooldown < 2 && has(self.none.a)", "", nil, false},
		{"self.policy.all(k, k == 'a')", "", nil, false},
	} {
		p, ok := Parse(test.rule)
		if !ok {
			t.Fatalf("%s is no rule", test.rule)
		}
		got, judged := p.Alone(field)
		if got != test.want || judged != test.judged {
			t.Errorf("%s: got %q, %t, want %q", test.rule, got, judged, test.want)
		}
		if got == "" {
			continue
		}
		_, original := parameters(test.rule)
		_, alone := parameters(got)
		for _, root := range []*apiextensionsv1.JSONSchemaProps{original, alone} {
			forProvider := root.Properties["spec"].Properties["forProvider"]
			forProvider.Required = nil
			root.Properties["spec"].Properties["forProvider"] = forProvider
		}
		asks, asksAlone := validator(t, original, "*"), validator(t, alone, "*")
		for _, part := range combinations(test.reads) {
			got, want := asksAlone(part, part), asks(part, part)
			if isWhole := len(part) == len(test.reads); isWhole && (got == "") != (want == "") || !isWhole && got != "" {
				t.Errorf("%s: %v: got %q, and the rule itself says %q", test.rule, part, got, want)
			}
		}
	}
}

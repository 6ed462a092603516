package rules

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/testdata/budget"
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
		{"self.network != 'a' && has(self.size)", "!has(self.network) || !has(self.size) || self.network != 'a' && has(self.size)", []string{"network", "size"}, true},
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
		p, ok := cel.Parse(test.rule)
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
		aloneHolds(t, test.rule, got, test.reads)
	}
}

// TestAloneOfParts has a list that may be a part itself: how long it is can be asked, what is in it can't.
func TestAloneOfParts(t *testing.T) {
	for rule, want := range map[string]bool{
		"size(self.list) < 2": true, "self.list.size() < 2": true, "has(self.list)": true, "has(self.list) && self.size < 2": true,
		"self.list.all(x, x != 'b')": false, "self.list == ['a']": false, "size(self.list) < 2 && 'a' in self.list": false,
	} {
		p, _ := cel.Parse(rule)
		if _, judged := p.Alone(func(names []string) (bool, bool) { return true, names[0] != "list" }); judged != want {
			t.Errorf("%s: that a part can be judged is %t", rule, judged)
		}
	}
}

// aloneHolds has the API server's code judge parts by what is left of a rule.
func aloneHolds(t *testing.T, rule, got string, reads []string) {
	t.Helper()
	_, original := parameters(rule)
	_, alone := parameters(got)
	for _, root := range []*apiextensionsv1.JSONSchemaProps{original, alone} {
		forProvider := root.Properties["spec"].Properties["forProvider"]
		forProvider.Required = nil
		root.Properties["spec"].Properties["forProvider"] = forProvider
	}
	asks := validator(t, original, "*")
	asksAlone := func(_, _ map[string]any) string { return "" }
	if got != "" {
		asksAlone = validator(t, alone, "*")
	}
	for _, part := range combinations(reads) {
		got, want := asksAlone(part, part), asks(part, part)
		if isWhole := len(part) == len(reads); isWhole && (got == "") != (want == "") || !isWhole && got != "" {
			t.Errorf("%s: %v: got %q, and the rule itself says %q", rule, part, got, want)
		}
	}
}

// TestAloneOfAny has the same of rules that are made of random conditions.
func TestAloneOfAny(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	conditions := []struct{ text, reads string }{
		{"self.size < 2", "size"}, {"has(self.size)", "size"}, {"self.network != 'a'", "network"}, {"has(self.network)", "network"}, {"'é' != self.network", "network"},
		{"self.list.all(x, x != 'b')", "list"}, {"size(self.list) < 2", "list"}, {"has(self.list)", "list"}, {"self.policy.cooldown < 2", "policy"}, {"has(self.policy.cooldown)", "policy"}, {"has(self.policy)", "policy"},
	}
	asked := 0
	for range budget.Of(40, 2000) {
		a, b, c := pick(r, conditions), pick(r, conditions), pick(r, conditions)
		rule := strings.NewReplacer("A", a.text, "B", b.text, "C", c.text).Replace(pick(r, []string{"A || B", "A && B", "!(A) || B", "!(A && B) || C", "A || B || C", "A ? B : C", "!(A) && B", "(A) == (B)", "!(A || B)"}))
		reads := []string{a.reads, b.reads}
		if strings.Contains(rule, c.text) && !slices.Contains(reads, c.reads) {
			reads = append(reads, c.reads)
		}
		slices.Sort(reads)
		p, _ := cel.Parse(rule)
		got, judged := p.Alone(func(names []string) (bool, bool) { return true, true })
		if !judged {
			t.Errorf("%s can't be judged", rule)
		}
		if got != "" {
			asked++
		}
		aloneHolds(t, rule, got, slices.Compact(reads))
	}
	if asked < budget.Of(40, 2000)/2 {
		t.Errorf("%d rules ask something", asked)
	}
}

func pick[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }

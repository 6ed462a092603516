package rules

import (
	"slices"
	"testing"
)

// TestIsPropositional holds which rules ask no more than whether fields are there, and are
// what the rule names: whoever tries all of that has tried everything.
func TestIsPropositional(t *testing.T) {
	fields := Fields{
		Known:    func(names []string) bool { return !slices.Contains(names, "unknown") },
		Compares: func(names []string, _ bool) bool { return slices.Equal(names, []string{"n"}) },
	}
	for rule, want := range map[string]bool{
		"has(self.a)":                                 true,
		"!has(self.a) || self.a == 'x'":               true,
		"'*' in self.a || has(self.b.c)":              true,
		"self.a in ['x', 'y']":                        true,
		"has(self.a) ? has(self.b) : !has(self.c)":    true,
		"self.a == self.b":                            false,
		"self.a > 3":                                  false,
		"!has(self.n) || self.n > 3":                  true,
		"3 <= self.n && self.n < 5":                   true,
		"self.n > self.a":                             false,
		"self.n > 3.5":                                false,
		"self.n + 1 > 3":                              false,
		"size(self.n) == 3":                           true,
		"self.n.size() < 3":                           true,
		"size(self.a) == 3":                           false,
		"self.a.all(x, x == 'y')":                     false,
		"self.a == oldSelf.a":                         false,
		"oldSelf.a == 'x'":                            false,
		"!has(self.unknown) || self.unknown > self.a": true,
		"has(self.unknown) && self.a > 3":             true,
		"!has(self.unknown) && self.a > 3":            false,
		"has(self.unknown) ? self.a > 3 : true":       true,
		"(has(self.a) ? 1 : 0) + 1 == 2":              false,
	} {
		parsed, ok := Parse(rule)
		if !ok {
			t.Fatalf("%s is no rule", rule)
		}
		if got := parsed.IsPropositional(fields); got != want {
			t.Errorf("%s: got %t", rule, got)
		}
	}
}

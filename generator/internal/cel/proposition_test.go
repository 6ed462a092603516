package cel

import (
	"fmt"
	"slices"
	"strings"
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
		"has(self.a)":                                   true,
		"!has(self.a) || self.a == 'x'":                 true,
		"'*' in self.a || has(self.b.c)":                true,
		"self.a in ['x', 'y']":                          true,
		"has(self.a) ? has(self.b) : !has(self.c)":      true,
		"self.a == self.b":                              false,
		"self.a > 3":                                    false,
		"!has(self.n) || self.n > 3":                    true,
		"3 <= self.n && self.n < 5":                     true,
		"self.n > self.a":                               false,
		"self.n > 3.5":                                  false,
		"self.n + 1 > 3":                                false,
		"size(self.n) == 3":                             true,
		"self.n.size() < 3":                             true,
		"size(self.a) == 3":                             false,
		"self.a.all(x, x == 'y')":                       false,
		"self.a == oldSelf.a":                           false,
		"oldSelf.a == 'x'":                              false,
		"!has(self.unknown) || self.unknown > self.a":   true,
		"has(self.unknown) && self.a > 3":               true,
		"!has(self.unknown) && self.a > 3":              false,
		"has(self.unknown) ? self.a > 3 : true":         true,
		"(has(self.a) ? 1 : 0) + 1 == 2":                false,
		"true":                                          true,
		"1":                                             false,
		"self.a":                                        true,
		"self":                                          false,
		"x.a":                                           false,
		"!has(self.a)":                                  true,
		"!(self.a > 3)":                                 false,
		"has(self.unknown) || self.a > 3":               false,
		"has(self.unknown) || has(self.a)":              true,
		"has(self.a) || self.a > 3":                     false,
		"self.a > 3 || has(self.a)":                     false,
		"self.a > 3 && has(self.a)":                     false,
		"self.a > 3 || true":                            true,
		"true && self.a > 3":                            false,
		"false && self.a > 3":                           true,
		"!false || self.a > 3":                          true,
		"!has(self.unknown) ? has(self.a) : self.a > 3": true,
		"has(self.unknown) ? self.a > 3 : self.a > 4":   false,
		"has(self.a) ? self.a > 3 : has(self.b)":        false,
		"has(self.a) ? has(self.b) : self.a > 3":        false,
		"self.a > 3 ? has(self.b) : has(self.b)":        false,
		"'x' == self.a":                                 true,
		"self.a != 'x'":                                 true,
		"'x' in self.a":                                 true,
		"self.b == self.a || has(self.a)":               false,
		"oldSelf.n > 3":                                 false,
		"self.n < 3":                                    true,
		"self.n <= 3":                                   true,
		"self.n >= 3":                                   true,
		"self.n == 3":                                   true,
		"3.5 < self.n":                                  false,
		"'x' < self.n":                                  false,
		"size(oldSelf.n) == 3":                          false,
		"self.m > 3":                                    false,
		"self.exists(k, true)":                          false,
		"[self.a] == []":                                false,
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

// TestReading holds what else is read in rules: the fields, and the literals.
func TestReading(t *testing.T) {
	parse := func(rule string) *Rule {
		p, ok := Parse(rule)
		if !ok {
			t.Fatalf("%s is no rule", rule)
		}
		return p
	}
	for rule, want := range map[string]string{
		"self.a.b == 1":                                "[self [a b] false]",
		"has(self.a.b) && self.a.c == 1":               "[self [a b] true] [self [a c] false]",
		"self.?a.?b.hasValue()":                        "[self [a] true] [self [a b] true]",
		"self.a.?b.orValue(1) > 0":                     "[self [a b] true] [self [a b] false]",
		"self.?a == oldSelf.?a":                        "[self [a] true] [oldSelf [a] true]",
		"['x'].exists(p, p in self.a)":                 "[self [a] false]",
		"oldSelf.a == self.a":                          "[oldSelf [a] false] [self [a] false]",
		"self.a.all(x, x.b == self.c)":                 "[self [a] false] [self [c] false]",
		"self == oldSelf":                              "[self [] false] [oldSelf [] false]",
		"self['a'] == 1 && 'self.x' != self.y.z()":     "[self [] false] [self [y] false]",
		"has(self.a) ? self.a == 1 : has(oldSelf.b.c)": "[self [a] true] [self [a] false] [oldSelf [b c] true]",
	} {
		var chains []string
		for _, c := range parse(rule).Chains() {
			chains = append(chains, fmt.Sprint([]any{c.Root, c.Names, c.Tested}))
		}
		if got := strings.Join(chains, " "); got != want {
			t.Errorf("%s: got %s, want %s", rule, got, want)
		}
	}
	for rule, want := range map[string][]any{
		"self.a == 'x' && self.b > 3 && self.c < 1.5 && self.d == true": {"x", int64(3), 1.5, true},
		"self.a == 'x' || self.a == 'x' || self.a in ['y', 'z']":        {"x", "y", "z"},
		"self.a == null": nil,
		"has(self.a)":    nil,
	} {
		if got := parse(rule).Literals(); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", rule, got, want)
		}
	}
	if _, ok := Parse("self.a &&"); ok {
		t.Error("what is no rule is one")
	}
	for rule, want := range map[string]string{
		"self.a":                            "self.b.a",
		"has(self.a) || 'self.a' == self.a": "has(self.b.a) || 'self.a' == self.b.a",
		"self.l.all(x, x.self > self.n)":    "self.b.l.all(x, x.self > self.b.n)",
		`self.a == "é" && self.b == "é"`:    `self.b.a == "é" && self.b.b == "é"`,
		"self == oldSelf":                   "self.b == oldSelf.b",
		"self.?a.orValue('') == ''":         "self.b.?a.orValue('') == ''",
	} {
		if got := parse(rule).Unless(nil, "b"); got != want {
			t.Errorf("%s: got %s, want %s", rule, got, want)
		}
	}
}

// TestBeginsWith holds which rules hold wherever a condition does, by their form.
func TestBeginsWith(t *testing.T) {
	p := Self.Field("p")
	condition := Not(Or(Op(Text("*"), "in", p), Op(Text("a"), "in", p)))
	guard := condition.String()
	for rule, want := range map[string]bool{
		guard + " || has(self.a)":                           true,
		"!['*', 'a'].exists(p, p in self.p) || has(self.a)": true,
		"!['*', 'b'].exists(p, p in self.p) || has(self.a)": false,
		"!('*' in self.p||'a' in self.p)||true":             true,
		guard + " || self.a ? self.b : self.c":              false,
		guard + " && has(self.a)":                           false,
		"has(self.a) || " + guard:                           false,
		guard:                                               false,
	} {
		if got := BeginsWith(rule, condition); got != want {
			t.Errorf("%s: got %t", rule, got)
		}
	}
}

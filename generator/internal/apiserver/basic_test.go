package apiserver

import "testing"

func TestIsBasic(t *testing.T) {
	for rule, want := range map[string]bool{
		"self.a == oldSelf.a": true,
		"!has(oldSelf.a) || has(self.a) && (self.a.b__dot__c == oldSelf.a)":  true,
		"!('*' in self.policies || 'a b' in self.policies) || (has(self.a))": true,
		"self.a == 'isURL ('":                               true,
		"self.a == 0 || self.b == 0.0 || size(self.c) == 0": true,
		"self.a == 1":               false,
		"'a' in (self.a)":           true,
		"self.a.isURL()":            false,
		"isURL (self.a)":            false,
		"self.?a == oldSelf.a":      false,
		"self.`a` == ''":            false,
		"self.a < 1.5":              false,
		"self[0] == 'a'":            false,
		"self.a == 'it\\'s'":        false,
		"self.a == r'a'":            false,
		"selfish == self":           false,
		"quantity == self":          false,
		"self.a == 'a' ? self : ''": false,
		"self.all(x, x == self)":    false,
	} {
		if got := isBasic(rule, ""); got != want {
			t.Errorf("%s: got %t, want %t", rule, got, want)
		}
	}
	if isBasic("self.a == self.b", "self.a") {
		t.Error("expressions of messages are rules, too")
	}
}

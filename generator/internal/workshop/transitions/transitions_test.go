package transitions

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestTransition guards that rules about how one field changes are told from others, and
// allow the changes that CEL allows.
func TestTransition(t *testing.T) {
	env := expect.Value(cel.NewEnv(cel.OptionalTypes(), cel.Variable("self", cel.DynType), cel.Variable("oldSelf", cel.DynType)))(t)
	for _, test := range []struct {
		optional bool
		// names lead to the field, "-" if the rules are about something else.
		names string
		rules []string
	}{
		{false, "", []string{
			"self == oldSelf", "!(oldSelf != self)", "size(oldSelf) == 0 || self == oldSelf", "oldSelf.size() > 0 ? self == oldSelf : true",
			"oldSelf == '' || self == oldSelf", "(self == oldSelf) == true", "oldSelf == self", "oldSelf == '' ? true : self == oldSelf",
			"size(oldSelf) > 0 && size(self) > 0 ? self == oldSelf : size(oldSelf) == size(oldSelf)",
		}},
		{false, "-", []string{
			"(size(oldSelf) != 0 && size(self) != 0) || self == oldSelf", "size(self.?a.orValue('')) == 0 || self == oldSelf",
			"self != oldSelf || true", "!(has(oldSelf.a) && oldSelf.a != '') || has(self.a)",
			"!has(oldSelf.a) || (oldSelf.a == '') != (self.a == '')", "self.?a.hasValue() || !oldSelf.?a.hasValue()",
			"self.?a.?b.hasValue() == oldSelf.?a.?b.hasValue()", "self.a.b == oldSelf.a.b || self.a == oldSelf.a", "self.a == oldSelf",
			"self.?a.?b == oldSelf.?a", "self.?a == oldSelf.?a.?b", "now() || self == oldSelf", "self == oldSelf || f(1, 2, 3, self)",
			"size(self.a, self.a) == size(oldSelf.a)", "self.a > oldSelf.a", "size(oldSelf) > 1 || self == oldSelf",
			"oldSelf == [self] || self == oldSelf", "oldSelf == {'a': self} || self == oldSelf", "self.?a == oldSelf.a", "other == oldSelf",
			"self == oldSelf ? self : oldSelf", "has(self.a.b)", "self == 'a'", "self >= oldSelf", "self == oldSelf || 0 > self",
			"self == oldSelf || 0 > oldSelf", "oldSelf > 0 ? self == oldSelf : true", "self == oldSelf || oldSelf == 0 && self > 0",
			"self == oldSelf || oldSelf == 'a'", "self == oldSelf || oldSelf.startsWith('a')", "self.all(x, x in oldSelf)",
			"self.a == oldSelf.a && self.b == oldSelf.b", "self.a == oldSelf.b", "self == oldSelf || self",
			"self.a == oldSelf.a && (oldSelf.a == '' || size(self) > 1)", "oldSelf == false || self == oldSelf", "self == oldSelf && has(self.a)",
			"self['a'] == oldSelf['a']", "size(self) == size(oldSelf)", "size(self.a) == 0 || self.a.b == oldSelf.a.b",
			"self.a.exists(x, x == oldSelf.a)",
		}},
		{true, "", []string{
			"!oldSelf.hasValue() || self == oldSelf.value()", "self == oldSelf.orValue(self)", "oldSelf.hasValue() && self == oldSelf.value()",
			"oldSelf.orValue('') == '' || self == oldSelf.value()",
		}},
		{false, "a", []string{
			"self.a == oldSelf.a", "has(self.a) == has(oldSelf.a) && (!has(self.a) || self.a == oldSelf.a)",
			"has(oldSelf.a) ? has(self.a) && self.a == oldSelf.a : true", "has(oldSelf.a) != has(self.a) || self.a == oldSelf.a",
			"self.a == oldSelf.a || !has(oldSelf.a)", "self.?a == oldSelf.?a", "self.?a.orValue('') == oldSelf.a",
			"self.?a.orValue('') == oldSelf.?a.orValue('')", "oldSelf.?a.orValue('') == '' || self.?a.orValue('') == oldSelf.a",
			"'' == oldSelf.a || self.a == oldSelf.a", "'' == '' && self.a == oldSelf.a", "'' != '' || self.a == oldSelf.a",
			"true ? self.a == oldSelf.a : false", "self.?a.value() == oldSelf.a",
		}},
		{false, "a.b", []string{
			"self.a.b == oldSelf.a.b", "!has(self.a) || !has(oldSelf.a) || self.a.b == oldSelf.a.b", "self.?a.?b == oldSelf.?a.?b",
			"has(self.a.b) && self.a.b == oldSelf.a.b", "has(self.a) && has(self.a.b) ? self.a.b == oldSelf.a.b : !has(oldSelf.a)",
			"self.?a.?b.orValue('') == oldSelf.?a.?b.orValue('')",
		}},
		{true, "a", []string{
			"!oldSelf.hasValue() || self.a == oldSelf.value().a", "!oldSelf.hasValue() || self.?a == oldSelf.value().?a",
			"oldSelf.?a.hasValue() ? self.?a == oldSelf.?a : true", "oldSelf.?a.orValue('') == self.?a.orValue('')",
		}},
		{false, "namespace", []string{
			"self.__namespace__ == oldSelf.__namespace__",
		}},
		{true, "a.b", []string{
			"oldSelf.hasValue() ? self.?a.?b == oldSelf.?a.?b : true",
		}},
		{true, "-", []string{
			"oldSelf.hasValue() ? self == oldSelf.value() : self",
		}},
	} {
		for _, rule := range test.rules {
			transition, ok := Of(rule, test.optional)
			if !ok || test.names == "-" {
				expect.Equal(t, test.names != "-", ok, "%s: that it is about one field", rule)
				continue
			}
			expect.Equal(t, test.names, strings.Join(transition.Names, "."), "%s: it is about", rule)
			checked, issues := env.Compile(rule)
			if issues.Err() != nil {
				t.Fatalf("%s: %v", rule, issues.Err())
			}
			program := expect.Value(env.Program(checked))(t)
			var states []State
			for depth := range transition.Names {
				states = append(states, State{Depth: depth})
			}
			for _, content := range []Content{Empty, One, Another} {
				states = append(states, State{len(transition.Names), content})
			}
			for _, from := range append(states, State{Depth: -1}) {
				for _, to := range states {
					if from.Depth < 0 && !test.optional {
						continue // nothing to compare
					}
					var old any = object(transition, from)
					if test.optional && from.Depth < 0 {
						old = types.OptionalNone
					} else if test.optional {
						old = types.OptionalOf(types.DefaultTypeAdapter.NativeToValue(old))
					}
					result, _, err := program.Eval(map[string]any{"self": object(transition, to), "oldSelf": old})
					want := err == nil && result == types.True
					expect.True(t, transition.Allows(from, to) == want, "%s: that %v may become %v is %v, and %v (%v) to CEL", rule, from, to, !want, want, err)
				}
			}
		}
	}
}

// object returns the object with a field in a state, and others beside it.
func object(t *Transition, s State) any {
	var value any = map[string]any{}
	if s.Depth == len(t.Names) {
		value = []string{"", "longer", "c"}[s.Content]
	}
	for _, name := range slices.Backward(t.Names[:max(0, s.Depth)]) {
		if name == "namespace" {
			name = "__namespace__"
		}
		value = map[string]any{name: value, "other": s.Depth}
	}
	return value
}

// TestEmptyLiterals checks that the literals of each type stand for an empty value.
func TestEmptyLiterals(t *testing.T) {
	for _, literal := range []string{"''", "0", "0.0", "[]", "{}"} {
		transition, ok := Of("oldSelf == "+literal+" || self == oldSelf", false)
		expect.True(t, ok && transition.Allows(State{0, Empty}, State{0, One}) && !transition.Allows(State{0, One}, State{0, Empty}), "%s isn't the empty value: %v", literal, ok)
	}
}

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
		rule string
		// names lead to the field, "-" if the rule is about something else.
		names    string
		optional bool
	}{
		{rule: "self == oldSelf"},
		{rule: "!(oldSelf != self)"},
		{rule: "size(oldSelf) == 0 || self == oldSelf"},
		{rule: "oldSelf.size() > 0 ? self == oldSelf : true"},
		{rule: "oldSelf == '' || self == oldSelf"},
		{rule: "(self == oldSelf) == true"},
		{rule: "(size(oldSelf) != 0 && size(self) != 0) || self == oldSelf", names: "-"},
		{rule: "!oldSelf.hasValue() || self == oldSelf.value()", optional: true},
		{rule: "self == oldSelf.orValue(self)", optional: true},
		{rule: "self.a == oldSelf.a", names: "a"},
		{rule: "self.a.b == oldSelf.a.b", names: "a.b"},
		{rule: "!has(self.a) || !has(oldSelf.a) || self.a.b == oldSelf.a.b", names: "a.b"},
		{rule: "has(self.a) == has(oldSelf.a) && (!has(self.a) || self.a == oldSelf.a)", names: "a"},
		{rule: "has(oldSelf.a) ? has(self.a) && self.a == oldSelf.a : true", names: "a"},
		{rule: "has(oldSelf.a) != has(self.a) || self.a == oldSelf.a", names: "a"},
		{rule: "self.a == oldSelf.a || !has(oldSelf.a)", names: "a"},
		{rule: "self.?a == oldSelf.?a", names: "a"},
		{rule: "self.?a.?b == oldSelf.?a.?b", names: "a.b"},
		{rule: "self.?a.orValue('') == oldSelf.a", names: "a"},
		{rule: "self.?a.orValue('') == oldSelf.?a.orValue('')", names: "a"},
		{rule: "oldSelf.?a.orValue('') == '' || self.?a.orValue('') == oldSelf.a", names: "a"},
		{rule: "size(self.?a.orValue('')) == 0 || self == oldSelf", names: "-"},
		{rule: "!oldSelf.hasValue() || self.a == oldSelf.value().a", names: "a", optional: true},
		{rule: "!oldSelf.hasValue() || self.?a == oldSelf.value().?a", names: "a", optional: true},
		{rule: "oldSelf.?a.hasValue() ? self.?a == oldSelf.?a : true", names: "a", optional: true},
		{rule: "self.__namespace__ == oldSelf.__namespace__", names: "namespace"},

		{rule: "oldSelf == self"},
		{rule: "self != oldSelf || true", names: "-"},
		{rule: "oldSelf == '' ? true : self == oldSelf"},
		{rule: "size(oldSelf) > 0 && size(self) > 0 ? self == oldSelf : size(oldSelf) == size(oldSelf)"},
		{rule: "has(self.a.b) && self.a.b == oldSelf.a.b", names: "a.b"},
		{rule: "has(self.a) && has(self.a.b) ? self.a.b == oldSelf.a.b : !has(oldSelf.a)", names: "a.b"},
		{rule: "!(has(oldSelf.a) && oldSelf.a != '') || has(self.a)", names: "-"},
		{rule: "!has(oldSelf.a) || (oldSelf.a == '') != (self.a == '')", names: "-"},
		{rule: "'' == oldSelf.a || self.a == oldSelf.a", names: "a"},
		{rule: "'' == '' && self.a == oldSelf.a", names: "a"},
		{rule: "'' != '' || self.a == oldSelf.a", names: "a"},
		{rule: "true ? self.a == oldSelf.a : false", names: "a"},
		{rule: "self.?a.hasValue() || !oldSelf.?a.hasValue()", names: "-"},
		{rule: "self.?a.?b.hasValue() == oldSelf.?a.?b.hasValue()", names: "-"},
		{rule: "self.?a.?b.orValue('') == oldSelf.?a.?b.orValue('')", names: "a.b"},
		{rule: "self.?a.value() == oldSelf.a", names: "a"},
		{rule: "oldSelf.hasValue() && self == oldSelf.value()", optional: true},
		{rule: "oldSelf.orValue('') == '' || self == oldSelf.value()", optional: true},
		{rule: "oldSelf.hasValue() ? self.?a.?b == oldSelf.?a.?b : true", names: "a.b", optional: true},
		{rule: "oldSelf.?a.orValue('') == self.?a.orValue('')", names: "a", optional: true},

		{rule: "self.a.b == oldSelf.a.b || self.a == oldSelf.a", names: "-"},
		{rule: "self.a == oldSelf", names: "-"},
		{rule: "oldSelf.hasValue() ? self == oldSelf.value() : self", names: "-", optional: true}, // self is a boolean
		{rule: "self.?a.?b == oldSelf.?a", names: "-"},
		{rule: "self.?a == oldSelf.?a.?b", names: "-"},
		{rule: "now() || self == oldSelf", names: "-"},
		{rule: "self == oldSelf || f(1, 2, 3, self)", names: "-"},
		{rule: "size(self.a, self.a) == size(oldSelf.a)", names: "-"},
		{rule: "self.a > oldSelf.a", names: "-"},
		{rule: "size(oldSelf) > 1 || self == oldSelf", names: "-"},
		{rule: "oldSelf == [self] || self == oldSelf", names: "-"},
		{rule: "oldSelf == {'a': self} || self == oldSelf", names: "-"},
		{rule: "self.?a == oldSelf.a", names: "-"},
		{rule: "other == oldSelf", names: "-"},
		{rule: "self == oldSelf ? self : oldSelf", names: "-"},
		{rule: "has(self.a.b)", names: "-"},
		{rule: "self == 'a'", names: "-"},
		{rule: "self >= oldSelf", names: "-"},
		{rule: "self == oldSelf || 0 > self", names: "-"},
		{rule: "self == oldSelf || 0 > oldSelf", names: "-"},
		{rule: "oldSelf > 0 ? self == oldSelf : true", names: "-"},
		{rule: "self == oldSelf || oldSelf == 0 && self > 0", names: "-"},
		{rule: "self == oldSelf || oldSelf == 'a'", names: "-"},
		{rule: "self == oldSelf || oldSelf.startsWith('a')", names: "-"},
		{rule: "self.all(x, x in oldSelf)", names: "-"},
		{rule: "self.a == oldSelf.a && self.b == oldSelf.b", names: "-"},
		{rule: "self.a == oldSelf.b", names: "-"},
		{rule: "self == oldSelf || self", names: "-"},
		{rule: "self.a == oldSelf.a && (oldSelf.a == '' || size(self) > 1)", names: "-"},
		{rule: "oldSelf == false || self == oldSelf", names: "-"}, // a boolean
		{rule: "self == oldSelf && has(self.a)", names: "-"},
		{rule: "self['a'] == oldSelf['a']", names: "-"},
		{rule: "size(self) == size(oldSelf)", names: "-"},
		{rule: "size(self.a) == 0 || self.a.b == oldSelf.a.b", names: "-"},
		{rule: "self.a.exists(x, x == oldSelf.a)", names: "-"},
	} {
		transition, ok := Of(test.rule, test.optional)
		if !ok || test.names == "-" {
			expect.Equal(t, test.names != "-", ok, "%s: that it is about one field", test.rule)
			continue
		}
		expect.Equal(t, test.names, strings.Join(transition.Names, "."), "%s: it is about", test.rule)
		checked, issues := env.Compile(test.rule)
		if issues.Err() != nil {
			t.Fatalf("%s: %v", test.rule, issues.Err())
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
				if want := err == nil && result == types.True; transition.Allows(from, to) != want {
					t.Errorf("%s: that %v may become %v is %v, and %v (%v) to CEL", test.rule, from, to, !want, want, err)
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
		if !ok || !transition.Allows(State{0, Empty}, State{0, One}) || transition.Allows(State{0, One}, State{0, Empty}) {
			t.Errorf("%s isn't the empty value: %v", literal, ok)
		}
	}
}

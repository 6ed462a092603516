package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/model"
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

// TestReading holds what else is read in rules: the fields, the literals, and those of a choice.
func TestReading(t *testing.T) {
	parse := func(rule string) *Parsed {
		p, ok := Parse(rule)
		if !ok {
			t.Fatalf("%s is no rule", rule)
		}
		return p
	}
	for rule, want := range map[string]string{
		"self.a.b == 1":                                "[self [a b] false]",
		"has(self.a.b) && self.a.c == 1":               "[self [a b] true] [self [a c] false]",
		"self.?a.?b.hasValue()":                        "[self [a] true]",
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
	for kind, want := range map[choiceKind][2]bool{atLeastOne: {true, false}, atMostOne: {false, true}, exactlyOne: {true, true}} {
		c := choice{kind, []string{"a", "namespace"}}
		names, demands, bounds := Choice(apiextensionsv1.ValidationRule{Rule: c.rule(), Message: c.message()})
		if !slices.Equal(names, c.names) || [2]bool{demands, bounds} != want {
			t.Errorf("%s: got %v, %t, %t", c.message(), names, demands, bounds)
		}
	}
	if names, demands, bounds := Choice(apiextensionsv1.ValidationRule{Rule: "has(self.a)"}); len(names) > 0 || demands || bounds {
		t.Error("a rule of an author is one of a marker")
	}
	for rule, want := range map[string]string{
		`self.a == "b"`: "rule=`self.a == \"b\"`", "self.a == 'b'": `rule="self.a == 'b'"`, "self.a == \"`\"": `rule="self.a == \"` + "`" + `\""`,
		`self.a.matches('\d')`: "rule=`self.a.matches('\\d')`",
	} {
		if got := MarkerArgument(rule); got != want {
			t.Errorf("%s: got %s, want %s", rule, got, want)
		}
	}
}

// TestAnySet has CEL judge values of each type: a rule holds if one of the values isn't what Go omits.
func TestAnySet(t *testing.T) {
	v := newVerdicts(t)
	basic := func(name string) *model.Type { return &model.Type{Kind: model.Basic, Basic: name} }
	for _, test := range []struct {
		goType  *model.Type
		celType *cel.Type
		empty   []any
		set     []any
	}{
		{basic("string"), cel.StringType, []any{""}, []any{"a"}},
		{basic("bool"), cel.BoolType, []any{false}, []any{true}},
		{basic("int64"), cel.IntType, []any{int64(0)}, []any{int64(1), int64(-1)}},
		{basic("float64"), cel.DoubleType, []any{0.0}, []any{1.5}},
		{basic("float32"), cel.DoubleType, []any{0.0}, []any{-1.5}},
		{&model.Type{Kind: model.Slice, Elem: basic("string")}, cel.ListType(cel.StringType), []any{[]any{}}, []any{[]any{"a"}}},
		{&model.Type{Kind: model.Slice, Array: true, Elem: basic("string")}, cel.ListType(cel.StringType), nil, []any{[]any{}, []any{"a"}}},
		{&model.Type{Kind: model.Map, Elem: basic("string")}, cel.MapType(cel.StringType, cel.StringType), []any{map[string]any{}}, []any{map[string]any{"a": "b"}}},
		{&model.Type{Kind: model.Pointer, Elem: basic("string")}, cel.StringType, nil, []any{"", "a"}},
		{&model.Type{Kind: model.Struct}, cel.MapType(cel.StringType, cel.StringType), nil, []any{map[string]any{}}},
	} {
		rule, ok := AnySet(Value{"a", test.goType}, Value{"namespace", basic("string")})
		if !ok {
			t.Fatal("rules can name the fields")
		}
		holds := v.holds(placed(t, strings.ReplaceAll(rule, "__namespace__", "b")))
		alone, _ := AnySet(Value{"a", test.goType})
		if env, err := cel.NewEnv(cel.Variable("self", cel.MapType(cel.StringType, test.celType))); err != nil {
			t.Fatal(err)
		} else if _, issues := env.Compile(alone); issues.Err() != nil {
			t.Errorf("%s: %v", alone, issues.Err())
		}
		for i, values := range [][]any{append(test.empty, nil), test.set} {
			for _, value := range values {
				object := map[string]any{"b": ""}
				if value != nil {
					object["a"] = value
				}
				if got, want := holds(object, nil), i == 1; got != want {
					t.Errorf("%s of %v: %t", rule, object, got)
				}
				object["b"] = "x"
				if !holds(object, nil) {
					t.Errorf("%s of %v doesn't hold", rule, object)
				}
			}
		}
	}
	if _, ok := AnySet(Value{"$a", basic("string")}); ok {
		t.Error("rules can name $a")
	}
}

package cel_test

import (
	"testing"

	"github.com/google/cel-go/cel"

	rules "github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestDemands evaluates rules on objects with and without a field: a rule that demands it holds for none
// without, and one that demands nothing else for all with it.
func TestDemands(t *testing.T) {
	env, err := cel.NewEnv(cel.Variable("self", cel.DynType), cel.OptionalTypes())
	expect.NoError(t, err)
	for _, test := range []struct {
		rule           string
		demands, alone bool
	}{
		{"has(self.c.x)", true, true},
		{"self.c.?x.hasValue()", true, true},
		{"!has(self.c) || has(self.c.x)", true, true},
		{"has(self.c.x) && self.c.x != 'a'", true, false},
		{"has(self.c.y) && has(self.c.x)", true, false},
		{"has(self.c.x) && self.c.x == 'a' || has(self.c.x) && self.c.x == 'b'", true, false},
		{"has(self.c.x) || has(self.c.y)", false, false},
		{"!has(self.c.y) || has(self.c.x)", false, false},
		{"!has(self.c.x)", false, false},
		{"!has(self.c.x) || has(self.c.x) && self.c.x != 'a'", false, false},
		{"has(self.c.y)", false, false},
		{"true", false, false},
	} {
		parsed, ok := rules.Parse(test.rule)
		if !ok {
			t.Fatal(test.rule)
		}
		tree, issues := env.Compile(test.rule)
		if issues.Err() != nil {
			t.Fatal(issues.Err())
		}
		program, err := env.Program(tree)
		expect.NoError(t, err)
		demands, alone := true, true
		for _, y := range []any{nil, "a", "c"} {
			for _, x := range []any{nil, "a", "b", "c"} {
				inner := map[string]any{}
				for name, value := range map[string]any{"x": x, "y": y} {
					if value != nil {
						inner[name] = value
					}
				}
				result, _, err := program.Eval(map[string]any{"self": map[string]any{"c": inner}})
				holds := err == nil && result.Value() == true
				demands = demands && (x != nil || !holds)
				alone = alone && holds == (x != nil)
			}
		}
		if demands != test.demands || alone != test.alone {
			t.Fatalf("%s: an evaluation says %t, %t", test.rule, demands, alone)
		}
		if gotDemands, gotAlone := parsed.Demands([]string{"c", "x"}); gotDemands != test.demands || gotAlone != test.alone {
			t.Errorf("%s demands x: %t, alone: %t, want %t, %t", test.rule, gotDemands, gotAlone, test.demands, test.alone)
		}
	}
}

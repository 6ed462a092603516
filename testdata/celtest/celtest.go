// Package celtest judges rules by CEL itself.
package celtest

import (
	"fmt"
	"testing"

	"github.com/google/cel-go/cel"
)

// New returns a judge of rules. For a rule, it returns a function that says what the rule comes to for an object: "true",
// "false", another value, or "fails". A rule that can't be parsed ends the test.
func New(t testing.TB, options ...cel.EnvOption) func(rule string) func(self map[string]any) string {
	t.Helper()
	env, err := cel.NewEnv(append(options, cel.Variable("self", cel.DynType))...)
	if err != nil {
		t.Fatal(err)
	}
	return func(rule string) func(self map[string]any) string {
		tree, issues := env.Parse(rule)
		if issues.Err() != nil {
			t.Fatalf("%s: %v", rule, issues.Err())
		}
		program, err := env.Program(tree)
		if err != nil {
			t.Fatal(err)
		}
		return Judge(program)
	}
}

// Judge returns a function that says what a program comes to for an object, as those of [New] do.
func Judge(program cel.Program) func(self map[string]any) string {
	return func(self map[string]any) string {
		value, _, err := program.Eval(map[string]any{"self": self})
		if err != nil {
			return "fails"
		}
		return fmt.Sprint(value)
	}
}

// Holding returns a function that reports whether a rule accepts an object.
func Holding(t testing.TB, rule string) func(self map[string]any) bool {
	t.Helper()
	result := New(t)(rule)
	return func(self map[string]any) bool { return result(self) == "true" }
}

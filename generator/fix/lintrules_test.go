package fix_test

import (
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules"
)

// TestLintRulesSay holds what each rule says of itself, and the order of the rules.
func TestLintRulesSay(t *testing.T) {
	for i, r := range lintrules.All {
		before, after := lintrules.Example(r.Name)
		switch {
		case r.Name == "" || r.Name != strings.ToLower(r.Name) || strings.ContainsAny(r.Name, " _"):
			t.Errorf("rule %q: the name must be in kebab case", r.Name)
		case i > 0 && lintrules.All[i-1].Name >= r.Name:
			t.Errorf("rule %s is listed after %s: sort them by name", r.Name, lintrules.All[i-1].Name)
		case !strings.HasSuffix(r.Doc, ".") || !strings.HasSuffix(r.Why, "."):
			t.Errorf("rule %s: what it asks for, and why, must be sentences", r.Name)
		case r.Source.Name == "" || !strings.HasPrefix(r.Source.URL, "https://"):
			t.Errorf("rule %s doesn't say where it comes from", r.Name)
		case before == "" || after == "":
			t.Errorf("rule %s has no example", r.Name)
		case r.Run == nil:
			t.Errorf("rule %s does nothing", r.Name)
		case r.Severity != linter.Off && r.Worth*2 < r.Read:
			t.Errorf("rule %s is on, though of %d findings only %d are worth mending", r.Name, r.Read, r.Worth)
		case r.Fix.Doc != "" && !strings.HasSuffix(r.Fix.Doc, "."):
			t.Errorf("rule %s: what its fix edits must be a sentence", r.Name)
		}
	}
}

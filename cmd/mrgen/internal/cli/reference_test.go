package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestReference checks that docs/commands.md is up to date.
func TestReference(t *testing.T) {
	const file = "../../../../docs/commands.md"
	data, err := os.ReadFile(file)
	page := strings.ReplaceAll(string(data), "\r\n", "\n")
	if want := string(reference(newRootCommand())); err != nil || page != want {
		t.Errorf("docs/commands.md is out of date (%v): run make generate\n%s", err, cmp.Diff(page, want))
	}
}

// TestExamples checks that the examples of all commands, which docs/commands.md shows,
// name commands, flags and arguments that there are.
func TestExamples(t *testing.T) {
	checked := 0
	var check func(*cobra.Command)
	check = func(command *cobra.Command) {
		for line := range strings.Lines(command.Example) {
			_, example, found := strings.Cut(strings.TrimSpace(line), "mrgen ")
			if !found || strings.HasPrefix(strings.TrimSpace(line), "#") {
				continue
			}
			checked++
			example, _, _ = strings.Cut(example, " > ")
			example, _, _ = strings.Cut(example, " | ")
			arguments := strings.Fields(strings.ReplaceAll(example, "'", ""))
			// A root of its own, since flags keep what is parsed.
			target, rest, err := newRootCommand().Find(arguments)
			if err == nil {
				err = target.ParseFlags(rest)
			}
			if err == nil {
				err = target.ValidateArgs(target.Flags().Args())
			}
			if err != nil {
				t.Errorf("%s: the example %q is wrong: %v", command.CommandPath(), example, err)
			} else if !strings.HasPrefix(target.CommandPath(), command.CommandPath()) {
				t.Errorf("%s: the example %q is one of %s", command.CommandPath(), example, target.CommandPath())
			}
		}
		for _, child := range command.Commands() {
			check(child)
		}
	}
	check(newRootCommand())
	expect.True(t, checked >= 10, "only %d examples were found", checked)
}

package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/settings"
	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestReference checks that the pages which mrgen writes are up to date: they show the flags, the settings and their defaults, the
// rules of lint, the markers and the codes, on which users rely.
func TestReference(t *testing.T) {
	for name, write := range map[string]func() ([]byte, error){
		"commands.md": func() ([]byte, error) { return reference(newRootCommand()), nil }, "lint.md": func() ([]byte, error) { return ruleReference(), nil },
		"markers.md":        func() ([]byte, error) { return markersAsMarkdown(markers.FullReference()) },
		"diagnostics.md":    func() ([]byte, error) { return describeCodes(allCodes(), "markdown") },
		"mrgen.schema.json": func() ([]byte, error) { return indented(settings.Schema()) },
	} {
		want := expect.Value(write())(t)
		data := expect.Value(os.ReadFile("../../../../docs/" + name))(t)
		page := strings.ReplaceAll(string(data), "\r\n", "\n") // a checkout may have changed the line ends
		expect.Equal(t, string(want), page, "docs/%s is out of date: run make generate", name)
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

package rules_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
	"github.com/mrgen-io/mrgen/generator/internal/stages/crd"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestRules makes the rules of the kinds in testdata/rules. Each archive holds a module and,
// below "want", what becomes of each kind: what is required, the rules and the decisions,
// with the diagnostics. A file "kinds" stands for the kinds of a package, see
// [testmodule.WriteKinds].
func TestRules(t *testing.T) {
	testmodule.EachArchive(t, "testdata/rules", func(t *testing.T, file string, archive *txtar.Archive) {
		root := t.TempDir()
		testmodule.Extract(t, archive, root, nil)
		options := run.Default()
		options.Dir = root
		run, diags, err := (stagerunner.Runner{Stages: []stage.Stage{crd.Stage, stage.Report}}).Open(options).Evaluate(context.Background())
		expect.NoError(t, err)
		got := map[string]string{}
		for _, d := range run.Output.Definitions() {
			got[d.Objects[0].Name] = describe(d)
		}
		for _, d := range diags.Sorted() {
			got["diagnostics"] += fmt.Sprintln(d)
		}
		testmodule.Compare(t, file, archive, got)
	})
}

// describe returns what is required in the spec of a kind, its rules, and what was decided.
func describe(d stage.Definition) string {
	var b strings.Builder
	var visit func(c schema.Cursor)
	visit = func(c schema.Cursor) {
		if len(c.Schema.Required) > 0 {
			fmt.Fprintf(&b, "%s requires %s\n", c.Path, strings.Join(c.Schema.Required, ", "))
		}
		for _, rule := range c.Schema.XValidations {
			fmt.Fprintf(&b, "%s: %s\n\t%s\n", c.Path, rule.Message, rule.Rule)
		}
		if element, ok := c.Element(); ok {
			visit(element)
		}
		for _, name := range slices.Sorted(maps.Keys(c.Schema.Properties)) {
			visit(c.Property(name))
		}
	}
	visit(d.Root(0).Property("spec"))
	for _, decision := range d.Decisions[0] {
		fmt.Fprintf(&b, "%s %s\n", decision.Field, decision.Reason)
	}
	return b.String()
}

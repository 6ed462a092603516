package artifact

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestLineBreaks has files keep the line breaks of Windows, if they have no others.
func TestLineBreaks(t *testing.T) {
	for name, test := range map[string]struct {
		disk, content string
		action        run.Action
		want          string
	}{
		"unchanged":        {"a\r\n\r\nb\r\n", "a\n\nb\n", run.Unchanged, "a\r\n\r\nb\r\n"},
		"changed":          {"a\r\nb", "a\nc\n\nd\n", run.Update, "a\r\nc\r\n\r\nd\r\n"},
		"no break":         {"a", "b\n", run.Update, "b\n"},
		"empty":            {"", "b\n", run.Update, "b\n"},
		"mixed":            {"a\r\nb\n", "a\nb\n", run.Update, "a\nb\n"},
		"returns alone":    {"a\rb\r\n", "a\nb\n", run.Update, "a\nb\n"},
		"edited":           {"a\r\nb\r\n", "a\r\nnew\nb\r\n", run.Update, "a\r\nnew\r\nb\r\n"},
		"edited and mixed": {"a\r\nb\n", "a\r\nnew\r\nb\n", run.Update, "a\r\nnew\r\nb\n"},
	} {
		root := t.TempDir()
		writeTree(t, root, map[string]string{"file": test.disk})
		plan := mustPlan(t, root, newSet(t, map[string]string{"file": test.content}), PlanOptions{})
		expect.Equal(t, test.action, plan.Changes[0].Action, "%s", name)
		mustApply(t, plan)
		got := expect.Value(os.ReadFile(filepath.Join(root, "file")))(t)
		expect.True(t, string(got) == test.want, "%s: got %q, want %q", name, got, test.want)
		if test.want != test.content && !strings.Contains(test.content, "\r") && string(UnixLineBreaks(got)) != test.content {
			t.Errorf("%s: got %q, want %q", name, UnixLineBreaks(got), test.content)
		}
	}
}

// TestLineBreaksOfOwnFiles has mrgen know its own files by either line breaks.
func TestLineBreaksOfOwnFiles(t *testing.T) {
	windows := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	root := t.TempDir()
	writeTree(t, root, map[string]string{
		"stale.go": "// Copyright.\r\n\r\n" + windows(ownedGoFile), "crds/stale.yaml": windows(ownedYAML("apis")), "crds/other.yaml": windows(ownedYAML("other")),
	})
	plan := mustPlan(t, root, newSet(t, nil), PlanOptions{Candidates: []string{"stale.go"}, DocumentFolders: []string{"crds"}, InScope: below("apis"), RemoveDefinitions: true})
	expect.Equal(t, []string{"delete crds/stale.yaml", "delete stale.go"}, actions(plan))
}

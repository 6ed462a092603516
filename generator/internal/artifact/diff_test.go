package artifact

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestDiff has git apply the differences of random files, which leads to the new ones. Git's own differences name them alike.
func TestDiff(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	several := func(most int, separator string, parts ...string) string {
		var chosen []string
		for range 1 + random.IntN(most) {
			chosen = append(chosen, parts[random.IntN(len(parts))])
		}
		return strings.Join(chosen, separator)
	}
	content := func() []byte {
		if random.IntN(8) == 0 {
			return []byte{}
		}
		text := several(14, "\n", "a", "b", "c", "d", "", "@@ -1 +1 @@", "--- a", "+++ b", "-", "+", `\ No newline at end of file`, "e\r")
		return []byte(text + several(1, "", "", "\n", "\n"))
	}
	for range budget.Of(20, 1000) {
		dir, want := t.TempDir(), map[string][]byte{}
		var changes []run.Change
		for i := range random.IntN(5) {
			change := run.Change{Path: fmt.Sprint(i) + several(3, "", "a", "ö", " a", `"`, "\n", `\`, "/b", "\t") + ".go", Old: content(), New: content()}
			change.Action = []run.Action{run.Create, run.Update, run.Delete, run.Unchanged}[random.IntN(4)]
			file := filepath.Join(dir, filepath.FromSlash(change.Path))
			expect.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			if change.Action == run.Update && bytes.Equal(change.Old, change.New) {
				change.Action = run.Unchanged
			}
			switch change.Action {
			case run.Create:
				change.Old = nil
			case run.Delete:
				change.New = nil
			case run.Unchanged:
				change.New = change.Old
			}
			if change.New != nil {
				want[file] = change.New
			}
			if change.Old != nil {
				expect.NoError(t, os.WriteFile(file, change.Old, 0o644))
			}
			changes = append(changes, change)
		}
		diff := Diff(changes)
		if len(diff) == 0 {
			continue
		}
		apply := exec.Command("git", "apply", "--whitespace=nowarn")
		apply.Dir, apply.Stdin = dir, bytes.NewReader(diff)
		out, err := apply.CombinedOutput()
		expect.Must(t, err == nil, "%v: %s\n%s", err, out, diff)
		for _, change := range changes {
			file := filepath.Join(dir, filepath.FromSlash(change.Path))
			got, err := os.ReadFile(file)
			expect.Must(t, bytes.Equal(got, want[file]) && (err == nil) == (want[file] != nil), "%q: %q, want %q\n%s", change.Path, got, want[file], diff)
			if change.Action != run.Create || len(change.New) == 0 {
				continue
			}
			byGit := exec.Command("git", "-c", "core.quotePath=false", "diff", "--no-index", "--", os.DevNull, change.Path)
			byGit.Dir = dir
			out, _ := byGit.Output() // it fails if there is a difference
			expect.Equal(t, newName(out), newName(Diff([]run.Change{change})), "the name")
		}
	}
}

// newName returns the new name of the first file in a diff, without quotes.
func newName(diff []byte) string {
	_, name, _ := strings.Cut(string(diff), "\n+++ ")
	name, _, _ = strings.Cut(name, "\n")
	name, tab, isEnded := strings.Cut(name, "\t")
	if unquoted, err := strconv.Unquote(name); err == nil {
		name = unquoted
	}
	return fmt.Sprint(name, tab, isEnded)
}

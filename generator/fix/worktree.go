package fix

import (
	"context"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/worktree"
	"github.com/mrgen-io/mrgen/generator/run"
)

// Uncommitted reports changed files of the author that git couldn't restore. own reports whether a file is the
// author's.
func Uncommitted(ctx context.Context, result generator.Result, own func(path string) bool) (diag.List, error) {
	var names []string
	for _, c := range result.Changes() {
		if c.Old != nil && c.Action != run.Delete && own(c.Path) { // a deleted file has nothing to restore over
			names = append(names, c.Path)
		}
	}
	diags, err := worktree.Check(ctx, result.Root, names)
	return diags.Sorted(), err
}

// KeepDiff writes the diff of a result to a folder, and returns the name of the file: git apply -R FILE undoes
// the changes.
func KeepDiff(result generator.Result, cacheDir string) (string, error) {
	return worktree.Keep(cacheDir, result.Diff())
}

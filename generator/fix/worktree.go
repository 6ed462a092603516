package fix

import (
	"context"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/worktree"
	"github.com/mrgen-io/mrgen/generator/run"
)

// Uncommitted reports changed files of the author that git couldn't restore. own reports whether a file is the
// author's. Files that [Remember] recorded in the same folder are accepted.
func Uncommitted(ctx context.Context, result generator.Result, cacheDir string, own func(path string) bool) (diag.List, error) {
	if result.Root == "" {
		return nil, nil // there are errors, and no changes
	}
	diags, err := worktree.Check(ctx, result.Root, cacheDir, files(result, own, func(c run.Change) []byte { return c.Old }))
	return diags.Sorted(), err
}

// Remember records the changes to the author's files after Apply.
func Remember(result generator.Result, cacheDir string, own func(path string) bool) {
	if result.Root != "" {
		worktree.Remember(result.Root, cacheDir, files(result, own, func(c run.Change) []byte { return c.New }))
	}
}

// KeepDiff writes the diff of a result to a folder, and returns the name of the file: git apply -R FILE undoes
// the changes.
func KeepDiff(result generator.Result, cacheDir string) (string, error) {
	return worktree.Keep(cacheDir, result.Diff())
}

// files returns the author's changed files with the content that a function returns, unless that is nil.
func files(result generator.Result, own func(path string) bool, content func(run.Change) []byte) map[string][]byte {
	files := map[string][]byte{}
	for _, c := range result.Changes() {
		// A deleted file has nothing to restore over.
		if text := content(c); own(c.Path) && text != nil && c.Action != run.Delete {
			files[c.Path] = text
		}
	}
	return files
}

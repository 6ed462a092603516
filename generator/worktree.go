package generator

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/authoring/worktree"
)

// Uncommitted reports the files of the author that the changes edit, and that nobody could
// have back: own tells which are the author's. What an earlier edit wrote, by
// [RememberEdits] in the same folder, may be edited again.
func (r Result) Uncommitted(ctx context.Context, cacheDir string, own func(path string) bool) ([]Diagnostic, error) {
	if r.plan == nil {
		return nil, nil
	}
	diags, err := worktree.Check(ctx, r.plan.Root, cacheDir, r.files(own, func(c Change) []byte { return c.Old }))
	return diags.Sorted(), err
}

// RememberEdits records that mrgen made the changes, once they are applied.
func (r Result) RememberEdits(cacheDir string, own func(path string) bool) {
	if r.plan != nil {
		worktree.Remember(r.plan.Root, cacheDir, r.files(own, func(c Change) []byte { return c.New }))
	}
}

// files returns the changed files of the author that have a content.
func (r Result) files(own func(path string) bool, content func(Change) []byte) []worktree.File {
	var files []worktree.File
	for _, c := range r.Changes() {
		if text := content(c); own(c.Path) && text != nil && c.Action != artifact.Delete {
			files = append(files, worktree.File{Name: c.Path, Content: text})
		}
	}
	return files
}

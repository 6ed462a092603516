package generator

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/authoring/worktree"
)

// Uncommitted reports the author's files among the changes that git couldn't restore. own tells which
// files are the author's. It accepts files that [Result.RememberEdits] recorded in the same folder.
func (r Result) Uncommitted(ctx context.Context, cacheDir string, own func(path string) bool) (diag.List, error) {
	if r.plan == nil {
		return nil, nil
	}
	diags, err := worktree.Check(ctx, r.plan.Root, cacheDir, r.files(own, func(c Change) []byte { return c.Old }))
	return diags.Sorted(), err
}

// RememberEdits records the changes to the author's files after Apply.
func (r Result) RememberEdits(cacheDir string, own func(path string) bool) {
	if r.plan != nil {
		worktree.Remember(r.plan.Root, cacheDir, r.files(own, func(c Change) []byte { return c.New }))
	}
}

// files returns the author's files among the changes, with a content unless it is nil.
func (r Result) files(own func(path string) bool, content func(Change) []byte) []worktree.File {
	var files []worktree.File
	for _, c := range r.Changes() {
		if text := content(c); own(c.Path) && text != nil && c.Action != artifact.Delete {
			files = append(files, worktree.File{Name: c.Path, Content: text})
		}
	}
	return files
}

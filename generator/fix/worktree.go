package fix

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/git"
	"github.com/mrgen-io/mrgen/generator/run"
)

const codeUncommitted diag.Code = "uncommitted"

// Uncommitted reports changed files of the author that git couldn't restore. own reports whether a file is the
// author's.
func Uncommitted(ctx context.Context, result generator.Result, own func(path string) bool) (diag.List, error) {
	var names []string
	for _, c := range result.Changes() {
		if c.Old != nil && c.Action != run.Delete && own(c.Path) { // a deleted file has nothing to restore over
			names = append(names, c.Path)
		}
	}
	diags, err := uncommitted(ctx, result.Root, names)
	return diags.Sorted(), err
}

// uncommitted reports the files with uncommitted changes. Without version control, it reports all. The names are those of
// existing files, slash-separated and relative to the module root.
func uncommitted(ctx context.Context, root string, names []string) (diag.List, error) {
	if len(names) == 0 {
		return nil, nil
	}
	args := []string{"status", "--porcelain", "-z", "--ignored", "--untracked-files=all", "--"}
	for _, name := range names {
		args = append(args, ":(literal)"+name)
	}
	out, err := git.Run(ctx, root, args...)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if git.IsUntrusted(err) {
		return diag.List{diag.Errorf(diag.Position{}, codeUncommitted, "%v", err)}, nil
	}
	if err != nil {
		return diag.List{diag.Errorf(diag.Position{}, codeUncommitted,
			"this module is not in a git repository, so that nobody could see or undo what changes in %s: see it with --diff, or set --force",
			list(names))}, nil
	}
	// git prints paths from the repository's root.
	prefix, err := git.Run(ctx, root, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	var diags diag.List
	for entry := range strings.SplitSeq(string(out), "\x00") {
		if len(entry) < 4 {
			continue
		}
		name := strings.TrimPrefix(entry[3:], strings.TrimSpace(string(prefix)))
		if slices.Contains(names, name) {
			diags = append(diags, diag.Errorf(diag.Position{File: name}, codeUncommitted,
				"this file has changes that are not committed: commit them first, see with --diff what would be edited, or set --force"))
		}
	}
	return diags, nil
}

func list(names []string) string {
	if len(names) > 3 {
		names = append(slices.Clone(names[:3]), "others")
	}
	return diag.And(names)
}

// KeepDiff writes the diff of a result to a folder, and returns the name of the file: git apply -R FILE undoes
// the changes.
func KeepDiff(result generator.Result, cacheDir string) (string, error) {
	if cacheDir == "" {
		return "", errors.New("there is no folder to keep the diff in")
	}
	diff := result.Diff()
	name := filepath.Join(cacheDir, "undo", fmt.Sprintf("%x.diff", sha256.Sum256(diff)))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return "", err
	}
	return name, os.WriteFile(name, diff, 0o600)
}

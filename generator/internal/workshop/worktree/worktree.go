// Package worktree checks that the author can restore files before they are edited.
package worktree

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/git"
)

const code diag.Code = "uncommitted"

// Check reports the files with uncommitted changes. Without version control, it reports all. The names are those of
// existing files, slash-separated and relative to the module root.
func Check(ctx context.Context, root string, names []string) (diag.List, error) {
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
	if err != nil {
		return diag.List{diag.Errorf(diag.Position{}, code,
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
			diags = append(diags, diag.Errorf(diag.Position{File: name}, code,
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

// Keep writes a diff to a folder, and returns the name of its file.
func Keep(cacheDir string, diff []byte) (string, error) {
	if cacheDir == "" {
		return "", errors.New("there is no folder to keep the diff in")
	}
	name := filepath.Join(cacheDir, "undo", fmt.Sprintf("%x.diff", sha256.Sum256(diff)))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return "", err
	}
	return name, os.WriteFile(name, diff, 0o600)
}

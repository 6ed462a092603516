package definitions

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/git"
)

// isYAML reports whether a file may hold definitions, by its name.
func isYAML(name string) bool {
	switch path.Ext(name) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// Disk returns the file that a path names, or the files that may hold definitions in a folder and
// the folders below it.
func Disk(name string) ([]File, diag.List) {
	files, err := onDisk(name)
	if err != nil {
		return nil, diag.List{diag.Errorf(diag.Position{File: filepath.ToSlash(name)}, Code, "cannot read this: %v", diag.Cause(err))}
	}
	return files, nil
}

func onDisk(name string) ([]File, error) {
	var files []File
	err := filepath.WalkDir(name, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || at != name && !isYAML(at) {
			return err
		}
		content, err := os.ReadFile(at)
		files = append(files, File{Name: filepath.ToSlash(at), Content: content})
		return err
	})
	return files, err
}

// A Repository is the git repository that a folder is in.
type Repository struct{ Dir string }

func (r Repository) line(ctx context.Context, args ...string) (string, error) {
	output, err := git.Run(ctx, r.Dir, args...)
	return strings.TrimSpace(string(output)), err
}

// Resolve returns the commit that a revision stands for.
func (r Repository) Resolve(ctx context.Context, revision string) (string, error) {
	return r.line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
}

// Release returns the last tag that is a version at a commit or before, "" if there is none.
func (r Repository) Release(ctx context.Context, commit string) string {
	tag, err := r.line(ctx, "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", commit)
	if err != nil {
		return ""
	}
	return tag
}

// defaults are the names that default branches usually have.
var defaults = []string{"origin/main", "origin/master", "main", "master"}

// Base returns the revision that work is to be compared with, and how to call it: where the
// branch left the default branch, or on that the last release.
func (r Repository) Base(ctx context.Context) (commit, name string, err error) {
	head, err := r.Resolve(ctx, "HEAD")
	if err != nil {
		return "", "", errors.New("there is no revision to compare with: name a folder or a file in --against")
	}
	branches := defaults
	if named, err := r.line(ctx, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"); err == nil {
		branches = append([]string{named}, defaults...)
	}
	current, _ := r.line(ctx, "symbolic-ref", "--quiet", "--short", "HEAD") // none if a commit is checked out
	for _, branch := range branches {
		tip, err := r.Resolve(ctx, branch)
		if err != nil {
			continue
		}
		if current == path.Base(branch) || current == "" && tip == head {
			break
		}
		base, err := r.line(ctx, "merge-base", tip, head)
		if err != nil {
			return "", "", fmt.Errorf("this branch and %s have nothing in common, in this clone: fetch all of the history, as with git fetch --unshallow, or name a revision in --against", branch)
		}
		return base, branch, nil
	}
	if tag := r.Release(ctx, head); tag != "" {
		commit, err := r.Resolve(ctx, tag)
		return commit, tag, err
	}
	return "", "", errors.New("this is the default branch, and this clone has no tag of a release: fetch the tags, as with git fetch --tags --unshallow, or name a revision in --against")
}

// Revision returns the files of a commit below folders, which are relative to the folder of
// the repository, if a function wants them by name. Folders that it doesn't have are empty.
func (r Repository) Revision(ctx context.Context, commit string, folders []string, wants func(name string) bool) ([]File, error) {
	present := slices.DeleteFunc(slices.Clone(folders), func(folder string) bool {
		_, err := git.Run(ctx, r.Dir, "cat-file", "-e", commit+":./"+folder)
		return err != nil
	})
	if len(present) == 0 {
		return nil, nil
	}
	archive, err := git.Run(ctx, r.Dir, append([]string{"archive", "--format=tar", commit, "--"}, present...)...)
	if err != nil {
		return nil, err
	}
	return untar(bytes.NewReader(archive), wants)
}

// Definitions returns the files of a commit below folders that may hold definitions.
func (r Repository) Definitions(ctx context.Context, commit string, folders []string) ([]File, error) {
	return r.Revision(ctx, commit, folders, isYAML)
}

// untar returns the files of an archive of git that are wanted, by name.
func untar(from io.Reader, wants func(name string) bool) ([]File, error) {
	var files []File
	archive := tar.NewReader(from)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if header.Typeflag != tar.TypeReg || !wants(header.Name) {
			continue
		}
		text, err := io.ReadAll(archive)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Name: header.Name, Content: text})
	}
}

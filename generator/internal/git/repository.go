package git

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// A File is a file of a commit, by its path in the repository's folder.
type File struct {
	Name    string
	Content []byte
}

// A Repository is the git repository around a folder.
type Repository struct{ Dir string }

func (r Repository) line(ctx context.Context, args ...string) (string, error) {
	output, err := Run(ctx, r.Dir, args...)
	return strings.TrimSpace(string(output)), err
}

// Resolve returns the hash of the commit that a revision names.
func (r Repository) Resolve(ctx context.Context, revision string) (string, error) {
	return r.line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
}

// IsShallow reports whether the clone lacks older commits.
func (r Repository) IsShallow(ctx context.Context) bool {
	is, err := r.line(ctx, "rev-parse", "--is-shallow-repository")
	return err == nil && is == "true"
}

// Release returns the newest tag of a version that a commit descends from, or "".
func (r Repository) Release(ctx context.Context, commit string) string {
	tag, err := r.line(ctx, "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", commit)
	if err != nil {
		return ""
	}
	return tag
}

// defaults are the names that default branches usually have.
var defaults = []string{"origin/main", "origin/master", "main", "master"}

// Base returns the commit to compare a working tree with, and a name for it. On a branch, that is the commit
// where the branch left the default branch; on the default branch, the last release.
func (r Repository) Base(ctx context.Context) (commit, name string, err error) {
	head, err := r.Resolve(ctx, "HEAD")
	switch {
	case IsUntrusted(err):
		return "", "", err
	case err != nil: // no repository, or no commit yet
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
			return "", "", fmt.Errorf("this branch and %s share no commit in this clone: run git fetch --unshallow, or name a revision in --against",
				branch)
		}
		return base, branch, nil
	}
	if tag := r.Release(ctx, head); tag != "" {
		commit, err := r.Resolve(ctx, tag)
		return commit, tag, err
	}
	fetch := "git fetch --tags"
	if r.IsShallow(ctx) {
		fetch += " --unshallow" // which git refuses in other clones
	}
	return "", "", fmt.Errorf("this is the default branch, and this clone has no release tag: run %s, or name a revision, such as --against=HEAD", fetch)
}

// Revision returns the files of a commit below folders, if a function wants them by name. Folders are relative to
// Dir; a folder that the commit lacks is empty.
func (r Repository) Revision(ctx context.Context, commit string, folders []string, wants func(name string) bool) ([]File, error) {
	present := slices.DeleteFunc(slices.Clone(folders), func(folder string) bool {
		_, err := Run(ctx, r.Dir, "cat-file", "-e", commit+":./"+folder)
		return err != nil
	})
	if len(present) == 0 {
		return nil, nil
	}
	archive, err := Run(ctx, r.Dir, append([]string{"archive", "--format=tar", commit, "--"}, present...)...)
	if err != nil {
		return nil, err
	}
	return untar(bytes.NewReader(archive), wants)
}

// untar returns the wanted files of an archive.
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

package memory

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// wroteAll reports whether the last run wrote all files on disk that mrgen wrote or would replace.
func (m *Memory) wroteAll() bool {
	written := m.last.Outputs
	if slices.ContainsFunc(m.scope.Generated, func(file string) bool { return written[file] == "" }) {
		return false
	}
	for _, dir := range m.folders {
		entries, err := os.ReadDir(m.scope.Abs(dir))
		if err != nil {
			continue // the folder doesn't exist
		}
		for _, entry := range entries {
			file := path.Join(dir, entry.Name())
			if !artifact.IsDocument(file) || written[file] != "" {
				continue
			}
			if content, err := os.ReadFile(m.scope.Abs(file)); err != nil || artifact.Owned(content) {
				// mrgen wrote it in another run: it may be stale
				return false
			}
		}
	}
	return true
}

// unmodified reports whether all files that the last run wrote are unmodified on disk. It reads them on all processors.
func (m *Memory) unmodified() bool {
	files := slices.Collect(maps.Keys(m.last.Outputs))
	if m.linkedAway(files) {
		return false
	}
	var differs atomic.Bool
	var unlogged *readlog.Log // outputs aren't inputs
	parallel.Do(len(files), func(i int) {
		file := m.scope.Abs(files[i])
		if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
			differs.Store(true)
			return
		}
		err := unlogged.Look(file, func(content []byte, _ string) {
			if readlog.Hash(artifact.UnixLineBreaks(content)) != m.last.Outputs[files[i]] {
				// git may have converted the line breaks
				differs.Store(true)
			}
		})
		if err != nil {
			differs.Store(true)
		}
	})
	return !differs.Load()
}

// linkedAway reports whether a symbolic link leads from a folder of files out of the module root, where mrgen writes nothing:
// what is there may be the same, and is an error all the same.
func (m *Memory) linkedAway(files []string) bool {
	root, err := filepath.EvalSymlinks(m.scope.Abs("."))
	if err != nil {
		return true
	}
	seen := map[string]bool{}
	for _, file := range files {
		folder := path.Dir(file)
		if seen[folder] {
			continue
		}
		seen[folder] = true
		location, err := filepath.EvalSymlinks(m.scope.Abs(folder))
		if err != nil {
			return true
		}
		if local, err := filepath.Rel(root, location); err != nil || !filepath.IsLocal(local) {
			return true
		}
	}
	return false
}

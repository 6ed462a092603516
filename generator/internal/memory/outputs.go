package memory

import (
	"maps"
	"os"
	"path"
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
	// A link may lead to the same files outside the module, where mrgen writes nothing.
	if !artifact.AreInside(m.scope.Abs("."), files) {
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

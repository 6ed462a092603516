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
			continue // there are none
		}
		for _, entry := range entries {
			file := path.Join(dir, entry.Name())
			if !artifact.IsDocument(file) || written[file] != "" {
				continue
			}
			if content, err := os.ReadFile(m.scope.Abs(file)); err != nil || artifact.Owned(content) {
				return false
			}
		}
	}
	return true
}

// unmodified reports whether all files that the last run wrote are still on disk as they were written. It reads them on
// all processors.
func (m *Memory) unmodified() bool {
	files := slices.Collect(maps.Keys(m.last.Outputs))
	var differs atomic.Bool
	var unlogged *readlog.Log // the run doesn't read outputs
	parallel.Do(len(files), func(i int) {
		file := m.scope.Abs(files[i])
		if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
			differs.Store(true)
			return
		}
		err := unlogged.Look(file, func(content []byte, _ string) {
			if readlog.Hash(artifact.UnixLineBreaks(content)) != m.last.Outputs[files[i]] {
				differs.Store(true)
			}
		})
		if err != nil {
			differs.Store(true)
		}
	})
	return !differs.Load()
}

package memory

import (
	"maps"
	"os"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// wroteAll reports whether all files on disk that mrgen wrote, or that it would replace, are among those
// that a record says were written.
func (t *Tree) wroteAll(written map[string]string) bool {
	for _, file := range t.scope.Generated {
		if written[file] == "" {
			return false
		}
	}
	for _, dir := range t.documentFolders {
		entries, err := os.ReadDir(t.scope.Abs(dir))
		if err != nil {
			continue // there are none
		}
		for _, entry := range entries {
			file := path.Join(dir, entry.Name())
			if !artifact.IsDocument(file) || written[file] != "" {
				continue
			}
			if content, err := os.ReadFile(t.scope.Abs(file)); err != nil || artifact.Owned(content) {
				return false
			}
		}
	}
	return true
}

// unmodified returns a function that reports whether some of the written files are still
// on disk as they were written. It first reads all of them, on all processors.
func (t *Tree) unmodified(written map[string]string) func(map[string]string) bool {
	files := slices.Sorted(maps.Keys(written))
	same := make([]bool, len(files))
	var unlogged *readlog.Log // outputs are not read by the run
	parallel.Do(len(files), func(i int) {
		info, err := os.Lstat(t.scope.Abs(files[i]))
		if err != nil || !info.Mode().IsRegular() {
			return // what can't be read is not as it was
		}
		// Nor is it if it can't be opened.
		_ = unlogged.Look(t.scope.Abs(files[i]), func(content []byte, _ string) {
			same[i] = readlog.Hash(artifact.UnixLineBreaks(content)) == written[files[i]]
		})
	})
	return func(outputs map[string]string) bool {
		for file := range outputs {
			if i, found := slices.BinarySearch(files, file); !found || !same[i] {
				return false
			}
		}
		return true
	}
}

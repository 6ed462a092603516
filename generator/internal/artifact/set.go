// Package artifact holds generated files in memory, compares them with the disk, and writes the
// differences.
//
// A run adds its files to a [Set]. [NewPlan] compares the set with the disk, [Plan.Diff] shows
// the differences, and [Plan.Apply] writes them. Nothing else here writes to the module.
package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
)

// A Set holds generated files by their path. The zero Set is empty and ready to use.
type Set struct {
	files map[string][]byte
}

// Add adds a file to the set. It doesn't copy the content. The path is slash-separated and
// relative to the module root, without "." and ".." elements. An error is a bug in mrgen.
func (s *Set) Add(path string, content []byte) error {
	if err := checkPath(path); err != nil {
		return fmt.Errorf("artifact with the path %q: %w; this is a bug in mrgen, please report it", path, err)
	}
	if earlier, ok := s.files[path]; ok {
		return fmt.Errorf("two artifacts with the path %q, one begins %q, the other %q; this is a bug in mrgen, please report it",
			path, firstLine(earlier), firstLine(content))
	}
	if s.files == nil {
		s.files = map[string][]byte{}
	}
	s.files[path] = content
	return nil
}

// Merge adds the files of another set. An error is a bug in mrgen.
func (s *Set) Merge(other *Set) error {
	// Both sets may have a file with the same content, such as the registry.
	for path, content := range other.Files() {
		if earlier, ok := s.files[path]; ok && bytes.Equal(earlier, content) {
			continue
		}
		if err := s.Add(path, content); err != nil {
			return err
		}
	}
	return nil
}

func checkPath(path string) error {
	if path == "." {
		return errors.New("it names a folder")
	}
	if _, err := filepath.Localize(path); err != nil {
		return errors.New("it is not a clean path below the module root")
	}
	return nil
}

func firstLine(content []byte) []byte {
	line, _, _ := bytes.Cut(content, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

// Files iterates over the paths and contents of the files, sorted by path.
func (s *Set) Files() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, path := range slices.Sorted(maps.Keys(s.files)) {
			if !yield(path, s.files[path]) {
				return
			}
		}
	}
}

// Has reports whether the set has a file with the path.
func (s *Set) Has(path string) bool {
	_, ok := s.files[path]
	return ok
}

// Package artifact holds generated files in memory, compares them with the
// disk, and writes what differs.
//
// A [Set] is what a run generated. [NewPlan] reads the disk and says what is to
// be done about it, [Plan.Diff] shows that, and [Plan.Apply] alone writes.
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

// A Set holds generated files by their path. The zero Set is empty and ready
// for use.
type Set struct {
	files map[string][]byte
}

// Add puts a file in the set, which keeps content as it is. The path is relative
// to the module root, with slashes and no "." or ".." elements. An error is a
// mistake of mrgen, not of its user.
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

func checkPath(path string) error {
	if path == "." {
		return errors.New("it names a folder")
	}
	if _, err := filepath.Localize(path); err != nil {
		return errors.New("it is no clean path below the module root")
	}
	return nil
}

func firstLine(content []byte) []byte {
	line, _, _ := bytes.Cut(content, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

// Files returns the paths and contents of the files, sorted by path.
func (s *Set) Files() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, path := range slices.Sorted(maps.Keys(s.files)) {
			if !yield(path, s.files[path]) {
				return
			}
		}
	}
}

// Has reports whether the set holds a file with the path.
func (s *Set) Has(path string) bool {
	_, ok := s.files[path]
	return ok
}

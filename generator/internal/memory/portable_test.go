package memory

import (
	"path/filepath"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// TestPlaces remembers inputs of one checkout, which are in the same places of another one.
func TestPlaces(t *testing.T) {
	roots := []string{t.TempDir(), t.TempDir()}
	at := func(root string) []readlog.Input {
		return []readlog.Input{
			{Path: filepath.Join(root, "a.go"), Kind: readlog.File, Hash: "1"},
			{Path: root, Kind: readlog.Folder, Hash: ""},
			{Path: filepath.Join(root, "link"), Kind: readlog.Link, Hash: filepath.Join(root, "b")},
			{Path: filepath.Join(root, "self"), Kind: readlog.Link, Hash: root},
			{Path: filepath.Join(root, "nowhere"), Kind: readlog.Link, Hash: ""},
		}
	}
	there := at(roots[1])
	for i, in := range at(roots[0]) {
		remembered := portable(roots[0]).input(in)
		if got := portable(roots[0]).here(remembered); got != in {
			t.Errorf("%v comes back as %v", in, got)
		}
		if got := portable(roots[1]).here(remembered); got != there[i] {
			t.Errorf("%v is %v in another checkout, want %v", in, got, there[i])
		}
	}
}

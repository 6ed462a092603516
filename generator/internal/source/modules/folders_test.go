package modules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestEachFolder visits the folders that the go command looks into, and those that it is asked for by name.
func TestEachFolder(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{
		"go.mod", "main.go", "a/a.go", "a/a_test.go", "a/_b.go", "a/.c.go", "a/d.txt", "a/e.go/f.go", "nested/go.mod", "nested/n.go", "testdata/x/t.go", "vendor/v.go", "_u/u.go", "unlinked/u.go",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		expect.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		expect.NoError(t, os.WriteFile(file, nil, 0o600))
	}
	// No module begins with a go.mod that leads nowhere.
	expect.NoError(t, os.Symlink("nowhere", filepath.Join(root, "unlinked", "go.mod")))
	for from, want := range map[string][]string{
		".":        {". [main.go]", "a [a.go a_test.go]", "a/e.go [f.go]", "unlinked [u.go]"},
		"a":        {"a [a.go a_test.go]", "a/e.go [f.go]"},
		"nested":   {"nested [n.go]"},
		"testdata": {"testdata []", "testdata/x [t.go]"},
		"none":     nil,
	} {
		var got []string
		modules.EachFolder(root, from, func(folder string, goFiles []string) { got = append(got, fmt.Sprint(folder, " ", goFiles)) })
		expect.Equal(t, want, got, "from %s", from)
	}
	_, err := modules.GoFiles(root, "none")
	expect.True(t, os.IsNotExist(err), "a folder that isn't there: %v", err)
}

// TestWithin cuts folders by their modules, of which a folder that begins with a dot is none.
func TestWithin(t *testing.T) {
	for _, tt := range []struct{ home, dir, want string }{
		{".", "apis/v1", "apis/v1"},
		{".", ".hidden/apis", ".hidden/apis"},
		{".", ".", "."},
		{"tools", "tools/apis/v1", "apis/v1"},
		{"tools", "tools", ""},
	} {
		expect.Equal(t, tt.want, modules.Within(tt.home, tt.dir), "%s in %s", tt.dir, tt.home)
	}
}

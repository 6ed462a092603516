package scopecopies

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/internal/testmodule"
	"github.com/mrgen-io/mrgen/generator/run"
)

// TestFingerprint edits each file of the modules in testdata/scopecopies, adds one beside it, and takes
// it away. Where that changes the copies, the fingerprint changes: they would be stale otherwise.
func TestFingerprint(t *testing.T) {
	testmodule.EachArchive(t, "testdata/scopecopies", func(t *testing.T, _ string, archive *txtar.Archive) {
		root := t.TempDir()
		var pair run.ScopePair
		testmodule.Extract(t, archive, root, func(f txtar.File) bool {
			if f.Name == "pair" {
				pair = parsePair(t, string(f.Data))
			}
			return f.Name == "pair"
		})
		opts := Options{Root: root, Module: testmodule.Path, Pairs: []run.ScopePair{pair}, IsOutput: func(name string) bool { return name == "zz_generated.deepcopy.go" }, PackageNames: packageNames}
		state := func() (fingerprint string, result []byte) {
			files, diags := Files(opts)
			for _, name := range slices.Sorted(maps.Keys(files)) {
				result = append(append(result, name...), files[name].Content...)
			}
			for _, d := range diags.Sorted() {
				result = append(result, d.String()...)
			}
			return Fingerprint(opts), result
		}
		before, resultBefore := state()
		if again, _ := state(); again != before {
			t.Error("the fingerprint is another one each time")
		}
		check := func(what string, undo func()) {
			after, result := state()
			if !bytes.Equal(result, resultBefore) && after == before {
				t.Errorf("%s changes the copies, and not the fingerprint", what)
			}
			undo()
		}
		for _, f := range archive.Files {
			name := filepath.Join(root, filepath.FromSlash(f.Name))
			content, err := os.ReadFile(name)
			if err != nil || !strings.HasSuffix(name, ".go") {
				continue
			}
			testmodule.Write(t, name, append(bytes.Clone(content), "\n// Edited is new.\nvar Edited int\n"...))
			check("an edit of "+f.Name, func() { testmodule.Write(t, name, content) })
			beside := filepath.Join(filepath.Dir(name), "beside.go")
			testmodule.Write(t, beside, []byte("package "+regexp.MustCompile(`(?m)^package (\w+)`).FindStringSubmatch(string(content) + "\npackage p")[1]+"\n\nvar Beside int\n"))
			check("a file beside "+f.Name, func() { remove(t, beside) })
			module := filepath.Join(filepath.Dir(name), "go.mod")
			if _, err := os.Stat(module); err != nil {
				testmodule.Write(t, module, []byte("module example.org/other\n"))
				check("a module around "+f.Name, func() { remove(t, module) })
			}
			remove(t, name)
			check("the loss of "+f.Name, func() { testmodule.Write(t, name, content) })
		}
		if after, _ := state(); after != before {
			t.Error("all is as it was, but for the fingerprint")
		}
		opts.Module += "/v2"
		if after, _ := state(); after == before {
			t.Error("another module has the same fingerprint")
		}
	})
}

func remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

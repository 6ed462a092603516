package lint_test

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestMemory holds that a run finds what is there after an edit of a controller, a client or a kind, and
// that another one takes what it finds from the last.
func TestMemory(t *testing.T) {
	dir := controllerModule(t, "../internal/review/controllers/testdata/cases.txtar")
	o := options(dir)
	o.CacheDir = t.TempDir()
	has := func(rule string) bool {
		t.Helper()
		found, err := lint.Run(context.Background(), o, lint.Options{Controllers: []string{"./..."}})
		if err != nil || found.Diagnostics.HasErrors() {
			t.Fatal(err, found.Diagnostics)
		}
		for _, f := range found.Findings {
			if f.Rule == rule {
				return true
			}
		}
		return false
	}
	kept := func() int {
		files, err := filepath.Glob(filepath.Join(o.CacheDir, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	if has("swallowed-error"); kept() != 1 {
		t.Fatalf("%d results are kept", kept())
	}
	for i, edit := range []struct{ file, old, new, rule string }{
		{"internal/bucket/bucket.go", "limit, _ := strconv.Atoi(*p.Limit)", "limit, err := strconv.Atoi(*p.Limit)\n\t\tif err != nil {\n\t\t\treturn nil, err\n\t\t}", "swallowed-error"},
		{"apis/v1/bucket.go", "\t// Lock is compared and never sent.\n", "\t// Lock is compared and never sent.\n\t// +immutable\n", "compared-unsent"},
		{"sdk/sdk.go", "Name, Region, Class, Owner, Alias", "Name, Region, Class, Holder, Alias", ""}, // changes no finding
	} {
		file := filepath.Join(dir, filepath.FromSlash(edit.file))
		if has(edit.rule) != (edit.rule != "") || kept() != i+1 {
			t.Errorf("before the edit of %s, %s finds nothing, or %d results are kept", edit.file, edit.rule, kept())
		}
		testmodule.Write(t, file, bytes.Replace(testmodule.Read(t, file), []byte(edit.old), []byte(edit.new), 1))
		if has(edit.rule) || kept() != i+2 {
			t.Errorf("after the edit of %s, %s finds something, or %d results are kept", edit.file, edit.rule, kept())
		}
	}
}

// TestMemoryOfBroken holds that a run looks again at code that did not compile: what it imports may be there by
// then, although no file of the module has changed.
func TestMemoryOfBroken(t *testing.T) {
	dir := controllerModule(t, "../internal/review/controllers/testdata/cases.txtar")
	testmodule.Write(t, filepath.Join(dir, "internal", "absent", "absent.go"), []byte("package absent\n\nimport \"example.org/absent\"\n\nfunc f() int { return absent.Of(missing) }\n"))
	o := options(dir)
	o.CacheDir = t.TempDir()
	found, err := lint.Run(context.Background(), o, lint.Options{Controllers: []string{"./..."}})
	if err != nil || len(found.Diagnostics) != 2 {
		t.Fatal(err, found.Diagnostics)
	}
	if files, err := filepath.Glob(filepath.Join(o.CacheDir, "*.json")); err != nil || len(files) > 0 {
		t.Errorf("%v, %v are kept", err, files)
	}
}

// TestMemoryOfWorkspace holds that nothing is kept of a workspace, whose other modules aren't looked at, wherever
// its file is, and that a workspace that is off is none.
func TestMemoryOfWorkspace(t *testing.T) {
	dir := controllerModule(t, "../internal/review/controllers/testdata/cases.txtar")
	work := filepath.Join(t.TempDir(), "go.work")
	testmodule.Write(t, work, []byte("go 1.26.0\n\nuse "+dir+"\n"))
	testmodule.Write(t, filepath.Join(dir, "go.work"), []byte("go 1.26.0\n\nuse .\n"))
	for _, c := range []struct {
		work string
		kept int
	}{{"", 0}, {work, 0}, {"off", 1}} {
		t.Setenv("GOWORK", c.work)
		o := options(dir)
		o.CacheDir = t.TempDir()
		found, err := lint.Run(context.Background(), o, lint.Options{Controllers: []string{"./..."}})
		if err != nil || found.Diagnostics.HasErrors() {
			t.Fatal(err, found.Diagnostics)
		}
		if files, err := filepath.Glob(filepath.Join(o.CacheDir, "*.json")); err != nil || len(files) != c.kept {
			t.Errorf("with GOWORK=%s: %v, %v are kept, want %d", c.work, err, files, c.kept)
		}
	}
}

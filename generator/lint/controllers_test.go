package lint_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// controllerModule writes a module with controllers, with the client that it imports.
func controllerModule(t *testing.T, name string) string {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range archive.Files {
		testmodule.Write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data)
	}
	sdk := testmodule.Require("example.org/sdk", "v0.0.0", filepath.Join(dir, "sdk"))
	testmodule.Write(t, filepath.Join(dir, "go.mod"), append(testmodule.GoMod(t), sdk...))
	return dir
}

func options(dir string) run.Options {
	o := run.Default()
	o.Dir, o.AllowDangerousTypes = dir, true
	return o
}

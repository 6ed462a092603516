package controllers_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// controllerCases are modules with controllers. The file "want" is what the rules about these find.
const controllerCases = "testdata/*.txtar"

// TestControllerRules holds that each rule about controllers finds what it must in a module, and nothing
// else.
func TestControllerRules(t *testing.T) {
	archives, err := filepath.Glob(controllerCases)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range archives {
		dir, archive, want := controllerModule(t, name)
		found, err := lint.Run(context.Background(), options(dir), lint.Options{Controllers: []string{"./..."}})
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, d := range found.Diagnostics {
			fmt.Fprintln(&got, d)
		}
		for _, f := range found.Findings {
			if ruleNamed(t, f.Rule).Controllers || f.Rule == "nolint" {
				fmt.Fprintln(&got, f)
			}
		}
		if *testmodule.Update {
			archive.Files = append(archive.Files, txtar.File{Name: "want", Data: []byte(got.String())})
			testmodule.Write(t, name, txtar.Format(archive))
		} else if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

// TestWithoutControllers holds that a check that looks at nothing is a finding.
func TestWithoutControllers(t *testing.T) {
	dir, _, _ := controllerModule(t, "testdata/cases.txtar")
	found, err := lint.Run(context.Background(), options(dir), lint.Options{Controllers: []string{"./apis/..."}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"apis/v1/bucket.go:132:6: warning: no external client was found, for Bucket or any other kind: " +
		"name the packages that have them in lint.controllers (missing-controller)"}
	var got []string
	for _, f := range found.Findings {
		if f.Rule == "missing-controller" {
			got = append(got, f.String())
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if c := found.Controllers.String(); c != "0 controllers of 0 kinds; none was found for Bucket (example), Queue (example), Topic (example)" {
		t.Error(c)
	}
}

// TestUnparsedController holds that a file that doesn't parse is a diagnostic, and that the rest is looked at.
func TestUnparsedController(t *testing.T) {
	dir, _, _ := controllerModule(t, "testdata/cases.txtar")
	testmodule.Write(t, filepath.Join(dir, "internal/queue/broken.go"), []byte("package queue\n\nfunc broken( {\n"))
	o := options(dir)
	o.Packages = []string{"./apis/..."}
	found, err := lint.Run(context.Background(), o, lint.Options{Controllers: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	want := "internal/queue/broken.go:3:14: warning: the package doesn't compile, so its code is not looked at: expected ')', found '{'"
	if len(found.Diagnostics) != 1 || found.Diagnostics[0].String() != want {
		t.Fatal(found.Diagnostics)
	}
	if c := found.Controllers.String(); c != "1 controller of 1 kind; none was found for Queue (example), Topic (example)" {
		t.Error(c)
	}
}

// controllerModule writes the module of an archive, with the client that it imports.
func controllerModule(t *testing.T, name string) (dir string, archive *txtar.Archive, want string) {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, f := range archive.Files {
		if f.Name == "want" {
			want = string(f.Data)
		} else {
			testmodule.Write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data)
		}
	}
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
	writeGoMod(t, dir)
	return dir, archive, want
}

// writeGoMod writes the go.mod of a module that requires the client in its folder sdk.
func writeGoMod(t *testing.T, dir string) {
	t.Helper()
	sdk := testmodule.Require("example.org/sdk", "v0.0.0", filepath.Join(dir, "sdk"))
	testmodule.Write(t, filepath.Join(dir, "go.mod"), append(testmodule.GoMod(t), sdk...))
}

func options(dir string) run.Options {
	o := run.Default()
	o.Dir, o.AllowDangerousTypes = dir, true
	return o
}

func ruleNamed(t *testing.T, name string) lint.Rule {
	t.Helper()
	for _, r := range lint.Rules() {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("there is no rule %s", name)
	return lint.Rule{}
}

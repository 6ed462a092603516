package lint_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/internal/testmodule"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/report"
	"github.com/mrgen-io/mrgen/generator/run"
)

// controllerCases are modules with controllers. The file "want" is what the rules about these find.
const controllerCases = "../internal/review/controllers/testdata/*.txtar"

// TestControllerRules holds that each rule about controllers finds what it must in a module, and nothing
// else.
func TestControllerRules(t *testing.T) {
	archives, err := filepath.Glob(controllerCases)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
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
				seen[f.Rule] = true
			}
		}
		if *testmodule.Update {
			archive.Files = append(archive.Files, txtar.File{Name: "want", Data: []byte(got.String())})
			testmodule.Write(t, name, txtar.Format(archive))
		} else if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
	for _, r := range lint.Rules() {
		if r.Controllers && !seen[r.Name] {
			t.Errorf("rule %s has no case in which it finds something", r.Name)
		}
	}
}

// TestExplainControllers holds that it is said of a field where code reads, sends, sets and compares it, and
// of a field that nothing uses, nothing.
func TestExplainControllers(t *testing.T) {
	dir, _, _ := controllerModule(t, "../internal/review/controllers/testdata/cases.txtar")
	for field, want := range map[string]string{
		"Bucket.lock":                    "is read by bucket.isUpToDate at internal/bucket/bucket.go:100:5\nmay be compared by bucket.isUpToDate at internal/bucket/bucket.go:100:28",
		"Bucket.status.atProvider.owner": "is set by bucket.observe at internal/bucket/bucket.go:84:33",
		"Bucket.ignored":                 "",
	} {
		explained, diags, err := report.Explain(context.Background(), options(dir), field, []string{"./..."})
		if err != nil || len(diags) > 0 || len(explained) != 1 {
			t.Fatal(field, explained, diags, err)
		}
		facts := slices.DeleteFunc(explained[0].Facts, func(fact string) bool { return !strings.Contains(fact, "internal/") })
		if diff := cmp.Diff(want, strings.Join(facts, "\n")); diff != "" {
			t.Errorf("%s: -want +got:\n%s", field, diff)
		}
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
	sdk := testmodule.Require("example.org/sdk", "v0.0.0", filepath.Join(dir, "sdk"))
	testmodule.Write(t, filepath.Join(dir, "go.mod"), append(testmodule.GoMod(t), sdk...))
	return dir, archive, want
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

package scaffold_test

import (
	"context"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/report"
	"github.com/mrgen-io/mrgen/generator/scaffold"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// fromSDK reads the flags of mrgen add kind.
func fromSDK(t *testing.T, dir, text string) scaffold.KindOptions {
	t.Helper()
	words := strings.Split(strings.TrimSpace(text), " --") // values have spaces
	o := scaffold.KindOptions{Options: existingOptions(t, dir), Kind: words[0], Version: "v1alpha1", SDK: &scaffold.KindSource{}}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.StringVar(&o.Group, "group", "", "")
	flags.StringVar(&o.SDK.Package, "sdk", "", "")
	flags.StringVar(&o.SDK.Observe, "observe", "", "")
	flags.StringVar(&o.SDK.Create, "create", "", "")
	flags.StringVar(&o.SDK.Update, "update", "", "")
	flags.Func("method", "", func(name string) error {
		o.SDK.Methods = append(o.SDK.Methods, name)
		return nil
	})
	for _, word := range words[1:] {
		if err := flags.Parse([]string{"--" + word}); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// TestAddKindFromSDK makes kinds from SDKs of several shapes, in a provider of both scopes, and compares
// what is written by hand from then on. Lint only asks to check what was guessed. A large budget has all of
// them, and runs the tests of all controllers; with a small one, package fromsdk tests what the others are
// made of.
func TestAddKindFromSDK(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "provider")
	newProvider(t, dir, scaffold.Both)
	files, err := filepath.Glob("../../testdata/fromsdk/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	slices.Reverse(files)
	if !*testmodule.Update {
		files = files[:budget.Of(1, len(files))]
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources := map[string][]byte{}
		var flags string
		i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "want/") })
		if i < 0 {
			i = len(archive.Files)
		}
		want := archive.Files[i:]
		for _, f := range archive.Files[:i] {
			if f.Name == "flags" {
				flags = string(f.Data)
			} else {
				sources[f.Name] = f.Data
			}
		}
		testmodule.WriteTree(t, dir, sources)
		done, err := scaffold.AddKind(context.Background(), fromSDK(t, dir, flags))
		if err != nil || len(done.Diagnostics) > 0 {
			t.Fatalf("%s: %v %v", file, err, done.Diagnostics)
		}
		var got []txtar.File
		for _, change := range done.Changes {
			if !generator.IsOwn(change.New) && !strings.HasPrefix(change.Path, "package/") && change.Old == nil && path.Base(change.Path) != "groupversion_info.go" && !strings.HasPrefix(change.Path, "internal/simulated/") {
				got = append(got, txtar.File{Name: "want/" + change.Path, Data: change.New})
			}
		}
		if *testmodule.Update {
			archive.Files = append(archive.Files[:i:i], got...)
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		compareFiles(t, file, want, got)
	}
	if !*testmodule.Update {
		checkFromSDK(t, dir)
	}
}

// checkFromSDK checks a provider with kinds of SDKs.
func checkFromSDK(t *testing.T, dir string) {
	t.Helper()
	found, err := lint.Run(context.Background(), existingOptions(t, dir).Run(), lint.Options{})
	if err != nil || len(found.Diagnostics) > 0 {
		t.Errorf("lint: %v %v", err, found.Diagnostics)
	}
	for _, f := range found.Findings {
		if f.Rule != "check" {
			t.Errorf("lint finds %v", f)
		}
	}
	if made, err := report.Examples(context.Background(), existingOptions(t, dir).Run(), "examples"); err != nil || len(made.Diagnostics) > 0 {
		t.Errorf("examples: %v %v", err, made.Diagnostics) // which has one of each kind
	}
	packages := "./..."
	if !budget.IsLarge() {
		packages = "./internal/controller/namespaced/dns/zone" // with the SDK against a server
	}
	goTest(t, dir, packages)
}

func goTest(t *testing.T, dir string, arguments ...string) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"test"}, arguments...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// compareFiles compares the files of an archive.
func compareFiles(t *testing.T, name string, want, got []txtar.File) {
	t.Helper()
	contents := func(files []txtar.File) map[string]string {
		all := map[string]string{}
		for _, f := range files {
			all[f.Name] = string(f.Data)
		}
		return all
	}
	w, g := contents(want), contents(got)
	for _, file := range slices.Sorted(maps.Keys(g)) {
		if w[file] != g[file] {
			t.Errorf("%s: %s is\n%s", name, file, g[file])
		}
	}
	if len(w) != len(g) {
		t.Errorf("%s has %d files, want %d", name, len(g), len(w))
	}
}

package scaffold_test

import (
	"context"
	"flag"
	"maps"
	"os"
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
	"github.com/mrgen-io/mrgen/testdata/expect"
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
	flags.StringVar(&o.SDK.ExternalName, "external-name", "", "")
	flags.Func("method", "", func(name string) error {
		o.SDK.Methods = append(o.SDK.Methods, name)
		return nil
	})
	for _, word := range words[1:] {
		expect.NoError(t, flags.Parse([]string{"--" + word}))
	}
	return o
}

// TestAddKindFromSDK makes kinds from SDKs of several shapes, in a provider of both scopes, and compares
// what is written by hand from then on. Lint asks for the decisions that are open. Once they are made, the kinds
// live. A large budget has all of them; with a small one, package fromsdk tests what the others are made of.
func TestAddKindFromSDK(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "provider")
	newProvider(t, dir, scaffold.Both)
	files := testmodule.Glob(t, "../../testdata/fromsdk/*.txtar")
	slices.Reverse(files)
	if !*testmodule.Update {
		files = files[:min(len(files), budget.Of(1, len(files)))]
	}
	var lives []authored
	for _, file := range files {
		archive := expect.Value(txtar.ParseFile(file))(t)
		sources := map[string][]byte{}
		var flags string
		var author authored
		i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "want/") })
		if i < 0 {
			i = len(archive.Files)
		}
		want := archive.Files[i:]
		for _, f := range archive.Files[:i] {
			switch f.Name {
			case "flags":
				flags = string(f.Data)
			case "author":
				author = authorOf(string(f.Data))
			default:
				sources[f.Name] = f.Data
			}
		}
		testmodule.WriteTree(t, dir, sources)
		done, err := scaffold.AddKind(context.Background(), fromSDK(t, dir, flags))
		expect.Must(t, err == nil && len(done.Diagnostics) == 0, "%s: %v %v", file, err, done.Diagnostics)
		var got []txtar.File // if the archive says what is written
		for _, change := range done.Changes {
			if i < len(archive.Files) && !generator.IsOwn(change.New) && !strings.HasPrefix(change.Path, "package/") && change.Old == nil && path.Base(change.Path) != "groupversion_info.go" && !strings.HasPrefix(change.Path, "internal/simulated/") {
				got = append(got, txtar.File{Name: "want/" + change.Path, Data: change.New})
			}
		}
		if *testmodule.Update {
			archive.Files = append(archive.Files[:i:i], got...)
			expect.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o644))
			continue
		}
		compareFiles(t, file, want, got)
		if author.edits != nil { // others need more than decisions, such as another kind
			lives = append(lives, author)
		}
	}
	if !*testmodule.Update {
		checkFromSDK(t, dir)
		liveFromSDK(t, dir, lives)
	}
}

// authored is what the author of a kind decides: edits of files, and the failure of the life that a wrong decision has.
type authored struct {
	edits [][3]string
	fails []string
}

// authorOf reads lines: a file, what stands there, and what replaces it; or a failure after "fails".
func authorOf(text string) (a authored) {
	for line := range strings.Lines(text) {
		switch parts := strings.Split(strings.TrimSpace(line), " | "); len(parts) {
		case 3:
			a.edits = append(a.edits, [3]string(parts))
		case 2:
			a.fails = append(a.fails, parts[1])
		}
	}
	return a
}

// liveFromSDK makes the decisions of the authors, and lives the lives of the kinds.
func liveFromSDK(t *testing.T, dir string, all []authored) {
	t.Helper()
	edit := func(name, old, replacement string) {
		content, err := os.ReadFile(filepath.Join(dir, name))
		expect.Must(t, err == nil && (old == undecided || strings.Contains(string(content), old)), "%s has no %q: %v", name, old, err)
		content = []byte(strings.ReplaceAll(string(content), old, strings.ReplaceAll(replacement, `\n`, "\n")))
		testmodule.WriteTree(t, dir, map[string][]byte{name: content})
	}
	for _, pattern := range []string{"internal/clients/*/*.go", "internal/controller/namespaced/*/*/client.go"} {
		found := expect.Value(filepath.Glob(filepath.Join(dir, pattern)))(t)
		for _, name := range found {
			edit(strings.TrimPrefix(name, dir), undecided, "decisions.ByAuthor")
		}
	}
	for _, author := range all {
		for _, e := range author.edits {
			edit(e[0], e[1], e[2])
		}
		out, err := testmodule.Run(dir, "go", "test", "-short", "-vet=off", "-trimpath", "-ldflags=-s -w", "./"+path.Dir(author.edits[len(author.edits)-1][0]))
		expect.True(t, (err != nil) == (author.fails != nil), "%v\n%s", err, out)
		for _, failure := range author.fails {
			expect.True(t, strings.Contains(string(out), failure), "a wrong decision lives, without %q:\n%s", failure, out)
		}
	}
}

const undecided = "decisions.Undecided"

// checkFromSDK checks a provider with kinds of SDKs.
func checkFromSDK(t *testing.T, dir string) {
	t.Helper()
	found, err := lint.Run(context.Background(), existingOptions(t, dir).Run(), lint.Options{})
	expect.True(t, err == nil && len(found.Diagnostics) == 0, "lint: %v %v", err, found.Diagnostics)
	for _, f := range found.Findings {
		if !slices.Contains([]string{"undecided", "list-order", "prose-enum"}, f.Rule) { // which the author is asked for
			t.Errorf("lint finds %v", f)
		}
	}
	made, err := report.Examples(context.Background(), existingOptions(t, dir).Run(), "examples")
	if err != nil || len(made.Diagnostics) > 0 {
		t.Errorf("examples: %v %v", err, made.Diagnostics) // which has one of each kind
	}
	_, err = made.Apply(context.Background())
	expect.NoError(t, err)
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
		expect.Equal(t, w[file], g[file], "%s: %s", name, file)
	}
	expect.True(t, len(w) == len(g), "%s has %d files, want %d", name, len(g), len(w))
}

package incremental

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/stages/deepcopy"
)

// clientsModule has clients that convert types of an SDK, which the module has itself, and which imports
// more of it.
var clientsModule = map[string]string{
	"go.mod":                "module example.org/p\n\ngo 1.26\n",
	"apis/a/a.go":           packageA + "\n// Parameters are desired.\ntype Parameters struct {\n\tName *string `json:\"name,omitempty\"`\n\tPart *Part `json:\"part,omitempty\"`\n}\n\n// Part is one.\ntype Part struct {\n\tSize *int64 `json:\"size,omitempty\"`\n}\n",
	"apis/b/b.go":           "package b\n\nimport _ \"example.org/p/apis/a\"\n",
	"internal/clients/c.go": "package clients\n\nimport (\n\t\"example.org/p/apis/a\"\n\t\"example.org/p/internal/sdk\"\n)\n\n// +mrgen:convert\ntype conversions interface {\n\tSend(a.Parameters) *sdk.Thing\n}\n",
	"internal/clients/d.go": "package clients\n",
	"internal/plain/p.go":   "package plain\n",
	"internal/sdk/s.go":     "package sdk\n\nimport \"example.org/p/internal/deep\"\n\n// Thing is sent.\ntype Thing struct {\n\tName *string\n\tPart *deep.Part\n}\n",
	"internal/deep/d.go":    "package deep\n\n// Part is one.\ntype Part struct {\n\tSize int64\n}\n",
}

// TestSecondRuns edits a module with clients, and runs with a memory and without one: both leave the same on
// disk, whatever an edit was about, and a run after nothing has nothing to do.
func TestSecondRuns(t *testing.T) {
	defer func(size int) { BatchSize = size }(BatchSize)
	BatchSize = 1 // so that parts are run over
	e := engine.Engine{Stages: []pipeline.Stage{deepcopy.Stage}}
	o := engine.DefaultOptions()
	o.Dir, o.CacheDir, o.Packages, o.ConvertPackages = t.TempDir(), t.TempDir(), []string{"./apis/..."}, []string{"./internal/clients/..."}
	for name, content := range clientsModule {
		write(t, o.Dir+"/"+name, content)
	}
	edit := func(name, old, text string) func() {
		return func() {
			content, err := os.ReadFile(filepath.Join(o.Dir, name))
			if err != nil || !strings.Contains(string(content), old) {
				t.Fatalf("%s has no %q: %v", name, old, err)
			}
			write(t, o.Dir+"/"+name, strings.Replace(string(content), old, text, 1))
		}
	}
	for _, step := range []struct {
		about string
		edit  func()
	}{
		{"at first", func() {}},
		{"a type", edit("apis/a/a.go", "Name *string", "Name string")},
		{"a package that clients import", edit("internal/sdk/s.go", "Name *string", "Name string")},
		{"a package which that imports", edit("internal/deep/d.go", "Size int64", "Size *int64")},
		{"another file of the clients", func() {
			write(t, o.Dir+"/internal/clients/d.go", "package clients\n\n// SendThing has its name.\nfunc SendThing() {}\n")
		}},
		{"an API that clients don't import", func() {
			write(t, o.Dir+"/apis/b/b.go", "// Package b is copied.\n//\n// +kubebuilder:object:generate=true\npackage b\n\n// B is one.\ntype B struct{ A []int }\n")
		}},
		{"a comment there", edit("apis/b/b.go", "B is one", "B is some")},
		{"a written file", func() {
			write(t, o.Dir+"/internal/clients/zz_generated.convert.go", artifact.GoHeader+"\n\npackage clients\n")
		}},
		{"no clients", edit("internal/clients/c.go", "+mrgen:convert", "")},
		{"no more deep copies", func() {
			write(t, o.Dir+"/apis/b/b.go", "package b\n")
		}},
		{"clients in another package", func() {
			write(t, o.Dir+"/internal/clients/more/m.go", strings.Replace(clientsModule["internal/clients/c.go"], "package clients", "package more", 1))
		}},
	} {
		step.edit()
		run(t, e, o)
		got := onDisk(t, o.Dir)
		if m := open(t, e, o); !m.IsUpToDate() {
			t.Errorf("%s: a second run has something to do", step.about)
		}
		fresh := o
		fresh.CacheDir = ""
		run(t, e, fresh)
		want := onDisk(t, o.Dir)
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if got[name] != want[name] {
				t.Errorf("%s: %s is\n%s\nand without a memory\n%s", step.about, name, got[name], want[name])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: there are %d files, and without a memory %d", step.about, len(got), len(want))
		}
	}
}

// run does what a run has to do, and writes what it results in.
func run(t *testing.T, e engine.Engine, o engine.Options) {
	t.Helper()
	m := open(t, e, o)
	if m.IsUpToDate() {
		return
	}
	r, diags, err := m.Evaluate(context.Background())
	if err != nil || diags.HasErrors() {
		t.Fatal(diags, err)
	}
	remember := m.Record(r, diags)
	files := maps.Collect(r.Output.Artifacts.Files())
	for _, name := range append(m.Former(), r.Generated...) {
		if files[name] == nil && !slices.Contains(m.UpToDate(), name) {
			_ = os.Remove(filepath.Join(o.Dir, name))
		}
	}
	for name, content := range files {
		write(t, o.Dir+"/"+name, string(content))
	}
	remember()
}

// onDisk returns the files of a module.
func onDisk(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestPagesNeedAll has a folder for reference pages, which say which kinds refer to one: a run after an edit
// is over all packages, though it is over a part without one.
func TestPagesNeedAll(t *testing.T) {
	defer func(size int) { BatchSize = size }(BatchSize)
	BatchSize = 1
	for docs, want := range map[string]int{"": 1, "docs": 2} {
		o := optionsFor(t)
		o.DocsDir = docs
		write(t, o.Dir+"/apis/b/b.go", "// Package b is copied.\n//\n// +kubebuilder:object:generate=true\npackage b\n")
		remember(t, engine.Engine{}, o)
		write(t, o.Dir+"/apis/a/a.go", packageA+"// So.\n")
		r, diags, err := open(t, engine.Engine{}, o).Evaluate(t.Context())
		if err != nil || diags.HasErrors() || len(r.Declared) != want {
			t.Errorf("with the folder %q, a run is over %d packages, want %d: %v, %v", docs, len(r.Declared), want, diags, err)
		}
	}
}

// TestCyclesOfBatches has packages that import each other in generated code, which their text doesn't say:
// the last that stages see of each batch is that they do.
func TestCyclesOfBatches(t *testing.T) {
	defer func(size int) { BatchSize = size }(BatchSize)
	BatchSize = 1
	o := optionsFor(t)
	write(t, o.Dir+"/apis/b/b.go", "// Package b is copied.\n//\n// +kubebuilder:object:generate=true\npackage b\n")
	const a, b = "example.org/p/apis/a", "example.org/p/apis/b"
	seen := map[string]importgraph.Cyclic{}
	graph := pipeline.Stage{Name: "graph", Doc: "It knows imports.", Result: reflect.TypeFor[importgraph.Graph](), Run: func(_ context.Context, pass *pipeline.Pass) error {
		g := importgraph.Graph{}
		for _, p := range pass.Model.Packages {
			seen[p.Path] = pass.Model.Cyclic
			g.Add(p.Path, importgraph.Edge{To: map[string]string{a: b, b: a}[p.Path], Reason: importgraph.Refers})
		}
		pipeline.Provide(pass, g)
		return nil
	}}
	m := open(t, engine.Engine{Stages: []pipeline.Stage{graph}}, o)
	if batches := m.Batches(); len(batches.All) != 2 {
		t.Fatalf("the batches are %v", batches)
	}
	if _, diags, err := m.Evaluate(t.Context()); err != nil || diags.HasErrors() {
		t.Fatal(diags, err)
	}
	for _, path := range []string{a, b} {
		if seen[path][a] == "" || seen[path][a] != seen[path][b] {
			t.Errorf("the last that is seen in %s are the cycles %v", path, seen[path])
		}
	}
}

// TestUnconfirmed changes what a package declares, so that a run over it is none: the run over all that comes
// after it leaves out nothing.
func TestUnconfirmed(t *testing.T) {
	defer func(size int) { BatchSize = size }(BatchSize)
	BatchSize = 1
	o := optionsFor(t)
	o.MisspeltMarkers = true
	write(t, o.Dir+"/apis/b/b.go", warned)
	run(t, engine.Engine{Stages: []pipeline.Stage{deepcopy.Stage}}, o)
	write(t, o.Dir+"/apis/a/a.go", packageA+"\n// A is one.\nfunc A() string { return \"\" }\n")
	m := open(t, engine.Engine{Stages: []pipeline.Stage{deepcopy.Stage}}, o)
	if all, _ := m.Stale(); all || len(m.Warnings()) != 1 {
		t.Fatalf("before the run, it is over all: %t, and leaves out %v", all, m.Warnings())
	}
	r, diags, err := m.Evaluate(t.Context())
	if err != nil || len(diags) != 1 || len(r.Declared) != 2 {
		t.Fatal(r.Declared, diags, err)
	}
	if all, _ := m.Stale(); !all || len(m.Warnings()) > 0 || len(m.UpToDate()) > 0 || len(m.Former()) > 0 {
		t.Errorf("a run over all leaves out %v, %v, %v", m.Warnings(), m.UpToDate(), m.Former())
	}
}

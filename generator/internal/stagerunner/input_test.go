package stagerunner

import (
	"context"
	"fmt"
	"go/ast"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"weak"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/source/batches"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stages/deepcopy"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

const packageA = "// Package a is copied deeply.\n//\n// +kubebuilder:object:generate=true\npackage a\n"

// optionsFor returns the options of runs over a module of two packages, which needs no other one.
func optionsFor(t *testing.T) run.Options {
	t.Helper()
	o := run.Default()
	o.Dir, o.MRDDir = t.TempDir(), "package/mrds"
	write(t, o.Dir+"/go.mod", "module example.org/p\n\ngo 1.26\n")
	write(t, o.Dir+"/apis/a/a.go", packageA)
	write(t, o.Dir+"/apis/b/b.go", "package b\n\nimport _ \"example.org/p/apis/a\"\n")
	return o
}

// mistakes are source of package a with errors, each of which is found in another way.
var mistakes = map[string]string{
	"markers": packageA + "\n// A is one.\n// +mrgen:secret:name=\ntype A struct {\n\t// +kubebuilder:validation:MaxLength=many\n\tB string `json:\"b\"`\n}\n",
	"a type":  packageA + "\n// A is one.\ntype A struct {\n\tB Nothing `json:\"b\"`\n}\n",
	"a body":  packageA + "\nfunc a() int { return nothing }\n",
	"syntax":  packageA + "\ntype A struct {\n",
	"imports": packageA + "\nimport _ \"example.org/p/apis/nowhere\"\n",
}

// warned is source of package b with a warning.
const warned = "// Package b is copied deeply.\n//\n// +kubebuilder:object:generate=true\npackage b\n\n// B is one.\n//\n// +mrgen:relaxx=false\ntype B struct{}\n"

// TestErrors has a mistake in a package, and a warning in another one: runs in batches say what a run over all
// says.
func TestErrors(t *testing.T) {
	defer func(size int) { BatchSize = size }(BatchSize)
	evaluate := func(o run.Options) diag.List {
		t.Helper()
		_, diags, err := Runner{}.Open(o).Evaluate(context.Background())
		expect.NoError(t, err)
		return diags.Sorted()
	}
	for name, source := range mistakes {
		o := optionsFor(t)
		o.MisspeltMarkers = true
		write(t, o.Dir+"/apis/b/b.go", warned)
		BatchSize = 1
		expect.Must(t, len(evaluate(o)) != 0, "there is no warning")
		write(t, o.Dir+"/apis/a/a.go", source)
		batches := evaluate(o)
		BatchSize = 1 << 20
		all := evaluate(o)
		expect.True(t, all.HasErrors() || name == "a body", "%s: a run over all says %v, want an error", name, all)
		expect.True(t, reflect.DeepEqual(batches, all), "%s: a run over all says\n%v\nand one in batches\n%v", name, all, batches)
	}
}

// TestEveryWayWarns has a warning about options: runs over all packages and in batches say the same.
func TestEveryWayWarns(t *testing.T) {
	defer func(size int) { BatchSize = size }(BatchSize)
	want := diag.Warningf(diag.Position{File: "mrgen.yaml", Line: 1}, "a", "a warning")
	for _, BatchSize = range []int{1, 1 << 20} {
		in := Runner{}.Open(optionsFor(t))
		in.diags = append(in.diags, want)
		_, diags, err := in.Evaluate(context.Background())
		expect.True(t, err == nil && slices.Contains(diags, want), "batches of %d bytes: a run says %v, %v, want a warning", BatchSize, diags, err)
	}
}

// TestCyclesOfBatches has packages that import each other in generated code, which their text doesn't say:
// stages see them in batches first, and then all at once, which finds it.
func TestCyclesOfBatches(t *testing.T) {
	defer func(size int) { BatchSize = size }(BatchSize)
	BatchSize = 1
	o := optionsFor(t)
	write(t, o.Dir+"/apis/b/b.go", "// Package b is copied.\n//\n// +kubebuilder:object:generate=true\npackage b\n")
	const a, b = "example.org/p/apis/a", "example.org/p/apis/b"
	var seen []string
	var noting sync.Mutex
	graph := stage.Stage{Name: "graph", Doc: "It knows imports.", Run: func(_ context.Context, pass *stage.Pass) error {
		g := importgraph.Graph{}
		noting.Lock()
		defer noting.Unlock()
		seen = append(seen, fmt.Sprintf("%d packages, a cycle: %t", len(pass.Model.Packages), len(pass.Model.Cyclic) > 0))
		for _, p := range pass.Model.Packages {
			g.Add(p.Path, importgraph.Edge{To: map[string]string{a: b, b: a}[p.Path], Reason: importgraph.Refers})
		}
		pass.Imports = g
		return nil
	}}
	in := Runner{Stages: []stage.Stage{graph}}.Open(o)
	tree, err := batches.NewTree(t.Context(), in.Scope)
	expect.Must(t, err == nil && len(Divide(tree, false)) == 2, "there are not two batches %v", err)
	if _, diags, err := in.Evaluate(t.Context()); err != nil || diags.HasErrors() {
		t.Fatal(diags, err)
	}
	expect.Equal(t, []string{"1 packages, a cycle: false", "1 packages, a cycle: false", "2 packages, a cycle: false"}, seen, "stages see")
}

// TestBatchesAreForgotten has the garbage collector find nothing of a batch in later ones: what is left would be
// looked through again and again.
func TestBatchesAreForgotten(t *testing.T) {
	defer func(size, processors int) {
		BatchSize = size
		runtime.GOMAXPROCS(processors)
	}(BatchSize, runtime.GOMAXPROCS(1)) // one batch after the other
	BatchSize = 1
	o := optionsFor(t)
	for _, name := range []string{"c", "d", "e"} {
		write(t, o.Dir+"/apis/"+name+"/types.go", strings.ReplaceAll(packageA, "package a", "package "+name)+"\n// T is copied.\ntype T struct{ Fields []U }\n\n// U is copied.\ntype U struct{ Name *string }\n")
	}
	batches := map[string][]weak.Pointer[ast.File]{}
	look := stage.Stage{Name: "look", Doc: "Looks at earlier batches.", Run: func(_ context.Context, p *stage.Pass) error {
		runtime.GC()
		current := ""
		for _, pkg := range p.Source.Packages {
			current += pkg.PkgPath + " "
		}
		for unit, files := range batches {
			if slices.ContainsFunc(files, func(file weak.Pointer[ast.File]) bool { return file.Value() != nil }) {
				t.Errorf("there is syntax of %s in memory when stages run on %s", unit, current)
			}
		}
		for _, pkg := range p.Source.Packages {
			for _, file := range pkg.Syntax {
				batches[current] = append(batches[current], weak.Make(file))
			}
		}
		return nil
	}}
	_, diags, err := Runner{Stages: []stage.Stage{deepcopy.Stage, look}}.Open(o).Evaluate(t.Context())
	expect.True(t, err == nil && !diags.HasErrors() && len(batches) >= 4, "%d batches, error %v, and %v", len(batches), err, diags)
}

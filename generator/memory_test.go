package generator_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/provider"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/generator/scopepair"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// TestMemory makes edits at random, and compares a run that remembers earlier ones,
// on all processors, and goes through packages in batches, with one that remembers
// nothing, on one, and has all packages before it at once. Most runs take the provider
// for a large one.
func TestMemory(t *testing.T) {
	edits := budget.Of(3, 25)
	t.Run("packages", func(t *testing.T) { testEdits(t, newPreparedWorkshop(t, nil), rand.New(rand.NewPCG(1, 2)), edits) })
	t.Run("registry", func(t *testing.T) {
		testEdits(t, newPreparedWorkshop(t, entangled), rand.New(rand.NewPCG(1, 3)), edits)
	})
	t.Run("part of a registry", func(t *testing.T) {
		testEdits(t, newPreparedWorkshop(t, func(w *workshop) {
			entangled(w)
			w.options.Packages = []string{"./apis/a/...", "./apis/b/...", "./apis/c/..."}
		}), rand.New(rand.NewPCG(1, 4)), edits/3)
	})
	t.Run("scopes", func(t *testing.T) { testEdits(t, newPreparedWorkshop(t, copied), rand.New(rand.NewPCG(1, 2)), edits) })
	t.Run("conversions", func(t *testing.T) {
		testEdits(t, newPreparedWorkshop(t, converted), rand.New(rand.NewPCG(1, 5)), edits)
	})
	for _, name := range budget.Sample(slices.Sorted(maps.Keys(wide)), 1) {
		t.Run(name, func(t *testing.T) {
			testEdits(t, newPreparedWorkshop(t, wide[name]), rand.New(rand.NewPCG(3, 4)), max(1, edits/5))
		})
	}
}

// copied has the kinds of a workshop copied to the other scope.
func copied(w *workshop) {
	text := func(s string) scopepair.Setting { return scopepair.Setting{Text: s} }
	w.options.Scopes = []scopepair.Pair{{
		Folders: scopepair.Folders{From: text("apis"), To: text("copies")},
		Code:    []scopepair.Folders{{From: text("internal/controller"), To: text("internal/copies")}},
		Groups:  []scopepair.Replacement{{Old: text("*.example.org"), New: text("*.cluster.example.org")}},
	}}
}

// converted has a package that declares conversions of a kind.
func converted(w *workshop) {
	w.options.Packages, w.options.ConvertPackages = []string{"./apis/..."}, []string{"./internal/clients/..."}
	w.kind("g", "v1", "Eta", "")
	w.write(clients, "// Package clients has conversions.\npackage clients\n\nimport v1 \"example.org/provider/apis/g/v1\"\n\n"+
		"// A Thing is the SDK's.\ntype Thing struct{ Region string }\n\n// +mrgen:convert\ntype conversions interface {\n\tcreate(v1.EtaParameters) *Thing\n}\n")
}

const clients = "internal/clients/clients.go"

// entangled has kinds refer to each other in a cycle, and resolvers look them up.
func entangled(w *workshop) {
	w.options.ResolverRegistry, w.options.Versions = "example.org/provider/internal/registry", run.IgnoreVersions
	w.append("apis/d/v1/delta.go", "\t// Unused is left out.\n", "type DeltaSpec struct {")
	w.kind("a", "v1", "Alpha", "example.org/provider/apis/c/v1.Gamma")
	w.kind("a", "v2", "Alpha", "example.org/provider/apis/c/v1.Gamma")
	w.append("apis/a/v2/alpha.go", "// +kubebuilder:storageversion", "// +kubebuilder:object:root=true\ntype Alpha struct")
	w.kind("f", "v1", "Zeta", "example.org/provider/apis/d/v1.Delta")
	w.write("apis/b/v1/extract.go", "package v1\n\nimport \"github.com/crossplane/crossplane-runtime/v2/pkg/reference\"\n\n// Extract takes the name.\nfunc Extract() reference.ExtractValueFn { return reference.ExternalName() }\n")
	w.write("apis/d/v1/unused.go", strings.NewReplacer("TARGET", "example.org/provider/apis/f/v1.Zeta").Replace(`package v1

import xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

// Unused is part of no kind, or of Delta.
type Unused struct {
	// +optional
	// +crossplane:generate:reference:type=TARGET
	Zeta *string `+"`json:\"zeta,omitempty\"`"+`
	// +optional
	ZetaRef *xpv2.NamespacedReference `+"`json:\"zetaRef,omitempty\"`"+`
	// +optional
	ZetaSelector *xpv2.NamespacedSelector `+"`json:\"zetaSelector,omitempty\"`"+`
}
`))
}

// entangledActions change which packages import each other, and what the text says of that.
func (w *workshop) entangledActions() map[string]func() {
	return map[string]func(){
		"a cycle, or none": func() {
			w.toggle("apis/a/v1/alpha.go", "apis/c/v1.Gamma", "apis/d/v1.Delta")
			w.toggle("apis/a/v2/alpha.go", "apis/c/v1.Gamma", "apis/d/v1.Delta")
		},
		"a cycle that only the text has, or a real one": func() {
			w.toggle("apis/d/v1/delta.go", "\t// Unused is left out.\n", "\t// +optional\n\tUnused *Unused `json:\"unused,omitempty\"`\n")
		},
		"another cycle, or none": func() { w.toggle("apis/f/v1/zeta.go", "apis/d/v1.Delta", "apis/b/v1.Beta") },
		"an extractor": func() {
			w.toggle("apis/c/v1/gamma.go", "// +crossplane:generate:reference:type=example.org/provider/apis/b/v1.Beta\n",
				"// +crossplane:generate:reference:extractor=example.org/provider/apis/b/v1.Extract()\n\t// +crossplane:generate:reference:type=example.org/provider/apis/b/v1.Beta\n")
		},
		"an import, which closes a cycle with the extractor": func() {
			w.toggle("apis/b/v1/extract.go", "import \"", "import _ \"example.org/provider/apis/c/v1\"\nimport \"")
		},
		"a lost registry": func() { w.lose("internal/registry/*.go") },
	}
}

// FuzzMemory makes other edits, a few at a time: the fuzzer gives up after ten seconds.
func FuzzMemory(f *testing.F) {
	f.Add(uint64(0))
	names := slices.Sorted(maps.Keys(wide))
	f.Fuzz(func(t *testing.T, seed uint64) {
		name := names[seed%uint64(len(names))]
		testEdits(t, newPreparedWorkshop(t, wide[name]), rand.New(rand.NewPCG(seed, 5)), 3)
	})
}

func testEdits(t *testing.T, w *workshop, random *rand.Rand, edits int) {
	w.random = random
	cached, plain := w.options, w.options
	cached.CacheDir, plain.CacheDir = t.TempDir(), ""
	failures, right := 0, w.snapshot()
	for step := range edits {
		name := "no edit"
		if step > 0 {
			name = w.edit()
		}
		want := result(t, plain, 1)
		reset := func() {}
		if step%4 > 0 {
			reset = generator.SetBatchSize(1)
		}
		got := result(t, cached, runtime.NumCPU())
		reset()
		diff := gocmp.Diff(testprovider.Changes(want), testprovider.Changes(got))
		expect.Must(t, diff == "", "step %d, %s: changes without and with memory (-without +with):\n%s", step, name, diff)
		diff = gocmp.Diff(want.Diagnostics, got.Diagnostics)
		expect.Must(t, diff == "", "step %d, %s: diagnostics without and with memory (-without +with):\n%s", step, name, diff)
		if failed(got) {
			expect.Must(t, step != 0, "%v", got.Diagnostics)
			// Mistakes are put right, sooner or later, or nothing else would be compared.
			failures++
			if w.random.IntN(2) > 0 {
				w.restore(right)
			}
			continue
		}
		right = w.snapshot()
		// Sometimes nobody writes what was found.
		if w.random.IntN(4) > 0 {
			diags, err := got.Apply(context.Background())
			expect.Must(t, err == nil && len(diags) == 0, "%v %v", err, diags)
			for _, change := range got.Changes() {
				if change.Action != run.Delete {
					w.earlier[change.Path] = string(change.New)
				}
			}
		}
	}
	expect.True(t, edits <= 10 || failures <= edits/2, "%d of %d runs have errors: the test proves little", failures, edits)
}

// TestBatches checks that packages come after those that they refer to, and that some
// runs have no batches.
func TestBatches(t *testing.T) {
	defer generator.SetBatchSize(1)()
	w := newWorkshop(t)
	w.options.CacheDir = t.TempDir()
	for _, step := range []struct {
		name string
		edit func()
		want [][]string
	}{
		{"references", func() {}, [][]string{{"apis"}, {"apis/a/v1", "apis/a/v2"}, {"apis/b/v1"}, {"apis/c/v1"}, {"apis/d/v1", "apis/shared"}, {"internal/controller"}}},
		{"another target", func() { w.toggle("apis/c/v1/gamma.go", "apis/b/v1.Beta", "apis/d/v1.Delta") },
			[][]string{{"apis"}, {"apis/a/v1", "apis/a/v2"}, {"apis/b/v1"}, {"apis/d/v1", "apis/shared"}, {"apis/c/v1"}, {"internal/controller"}}},
		{"units that refer to each other", func() {
			w.kind("a", "v3", "Alpha", "example.org/provider/apis/c/v1.Gamma")
			w.toggle("apis/c/v1/gamma.go", "apis/d/v1.Delta", "apis/a/v1.Alpha")
		}, [][]string{{"apis"}, {"apis/a/v1", "apis/a/v2", "apis/a/v3"}, {"apis/c/v1"}, {"apis/b/v1"}, {"apis/d/v1", "apis/shared"}, {"internal/controller"}}},
		{"an import cycle", func() { w.toggle("apis/c/v1/gamma.go", "apis/a/v1.Alpha", "apis/a/v3.Alpha") }, nil},
		{"a registry", func() { w.options.ResolverRegistry = "example.org/provider/internal/registry" },
			[][]string{{"apis"}, {"apis/a/v1", "apis/a/v2", "apis/a/v3"}, {"apis/c/v1"}, {"apis/b/v1"}, {"apis/d/v1", "apis/shared"}, {"internal/controller"}}},
		{"a cycle with what most others refer to", func() {
			w.kind("e", "v1", "Epsilon", "example.org/provider/apis/c/v1.Gamma")
			w.kind("f", "v1", "Zeta", "example.org/provider/apis/c/v1.Gamma")
		}, [][]string{{"apis"}, {"apis/c/v1"}, {"apis/a/v1", "apis/a/v2", "apis/a/v3"}, {"apis/b/v1"}, {"apis/d/v1", "apis/shared"}, {"apis/e/v1"}, {"apis/f/v1"}, {"internal/controller"}}},
		{"a registry, and patterns that leave out references", func() { w.options.Packages = []string{"./apis/a/...", "./apis/b/...", "./apis/c/..."} }, nil},
		{"no memory", func() {
			w.options.Packages = []string{"./..."}
			w.remove("apis/e")
			w.remove("apis/f")
			w.toggle("apis/c/v1/gamma.go", "apis/a/v3.Alpha", "apis/d/v1.Delta")
			w.options.ResolverRegistry, w.options.CacheDir = "", ""
		}, [][]string{{"apis"}, {"apis/d/v1", "apis/shared"}, {"apis/c/v1"}, {"apis/a/v1", "apis/a/v2", "apis/a/v3"}, {"apis/b/v1"}, {"internal/controller"}}},
	} {
		step.edit()
		expect.Equal(t, step.want, generator.Batches(context.Background(), w.options.Run()), "%s", step.name)
	}
}

// TestMemoryOfEarlierFiles brings back files of each kind that a run has deleted.
func TestMemoryOfEarlierFiles(t *testing.T) {
	w := newPreparedWorkshop(t, func(w *workshop) {
		converted(w)
		w.kind("h", "v1", "Theta", "example.org/provider/apis/g/v1.Eta")
		w.options.MRDDir = "package/mrds"
	})
	for _, file := range apply(t, w.options) {
		w.earlier[file.Path] = string(file.New)
	}
	w.editText(t, clients, "// +mrgen:convert\n", "")
	w.remove("apis/h/v1/theta.go")
	var gone []string
	for _, file := range apply(t, w.options) {
		if file.Action == run.Delete {
			gone = append(gone, file.Path)
		}
	}
	if len(gone) < 7 { // two of conversions, five of the kind
		t.Fatalf("only %v are deleted", gone)
	}
	for _, name := range budget.Sample(gone, 3) {
		w.write(name, w.earlier[name])
		expect.True(t, generator.IsStale(w.options.Run()), "%s comes back, which goes unnoticed", name)
		w.compare(t)
		w.remove(name)
	}
}

// TestMemoryOfCycles edits one package so that references elsewhere close a cycle, or no longer do,
// although its text names the same packages as before.
func TestMemoryOfCycles(t *testing.T) {
	defer generator.SetBatchSize(1)()
	w := newPreparedWorkshop(t, entangled)
	zeta := w.file("apis/f/v1/zz_generated.resolvers.go")
	for _, looksUp := range []bool{false, true, false} {
		w.compare(t)
		testprovider.Apply(t, w.options)
		expect.Equal(t, looksUp, strings.Contains(string(testmodule.Read(t, zeta)), "internal/registry"), "Zeta looks up what it refers to")
		w.entangledActions()["a cycle that only the text has, or a real one"]()
		expect.True(t, generator.IsStale(w.options.Run()), "the edit goes unnoticed")
	}

	// Without a registry, the cycle is an error.
	w.options.ResolverRegistry = ""
	w.entangledActions()["a cycle, or none"]()
	w.entangledActions()["a cycle that only the text has, or a real one"]()
	w.compare(t)
	testprovider.Apply(t, w.options)
	w.entangledActions()["a cycle that only the text has, or a real one"]()
	expect.True(t, failed(w.compare(t)), "there is no cycle")
}

// result runs the generator on so many processors.
func result(t *testing.T, o provider.Options, processors int) generator.Result {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	r := expect.Value(generator.Generate(context.Background(), o.Run()))(t)
	r.Remember()
	return r
}

// apply applies a run, and returns its changes.
func apply(t *testing.T, o provider.Options) []run.Change {
	t.Helper()
	r := result(t, o, runtime.NumCPU())
	if diags, err := r.Apply(context.Background()); err != nil || len(diags) > 0 {
		t.Fatal(err, diags, r.Diagnostics)
	}
	return r.Changes()
}

// A workshop is a module to edit.
type workshop struct {
	t       *testing.T
	options provider.Options
	random  *rand.Rand
	count   int
	// earlier are the files that runs have written, by path, as the last one wrote them.
	earlier map[string]string
	// isSpread is set if kinds use types in all places that packages may be in.
	isSpread bool
}

func newWorkshop(t *testing.T) *workshop {
	o := provider.Default()
	o.Dir = t.TempDir()
	w := &workshop{t: t, options: o, random: rand.New(rand.NewPCG(1, 2)), earlier: map[string]string{}}
	testmodule.Write(t, filepath.Join(o.Dir, "go.mod"), testmodule.GoMod(t))
	w.kind("a", "v1", "Alpha", "")
	w.kind("a", "v2", "Alpha", "")
	w.append("apis/a/v2/alpha.go", "// +kubebuilder:storageversion", "// +kubebuilder:object:root=true\ntype Alpha struct")
	w.kind("b", "v1", "Beta", "example.org/provider/apis/a/v1.Alpha")
	w.kind("c", "v1", "Gamma", "example.org/provider/apis/b/v1.Beta")
	w.kind("d", "v1", "Delta", "")
	testmodule.Write(t, w.file("apis/shared/shared.go"), []byte("// Package shared has types that kinds share.\n// +kubebuilder:object:generate=true\npackage shared\n\n// Size is shared.\ntype Size struct {\n\t// +optional\n\tHeight *int64 `json:\"height,omitempty\"`\n}\n"))
	w.append("apis/d/v1/delta.go", "\t// +optional\n\tSize *shared.Size `json:\"size,omitempty\"`", "type DeltaParameters struct {")
	w.append("apis/d/v1/delta.go", "\t\"example.org/provider/apis/shared\"", "import (")
	testmodule.Write(t, w.file("apis/apis.go"), []byte("// Package apis knows all groups.\npackage apis\n\nimport (\n\t_ \"example.org/provider/apis/a/v1\"\n\t_ \"example.org/provider/apis/b/v1\"\n)\n"))
	testmodule.Write(t, w.file("internal/controller/controller.go"), []byte("// Package controller has controllers.\npackage controller\n"))
	return w
}

func (w *workshop) file(name string) string {
	return filepath.Join(w.options.Dir, filepath.FromSlash(name))
}

// kind writes a package with a kind, which may refer to another one.
func (w *workshop) kind(group, version, kind, target string) {
	reference := ""
	if target != "" {
		reference = "\n\t// +optional\n\t// +crossplane:generate:reference:type=" + target +
			"\n\tOther *string `json:\"other,omitempty\"`\n\t// +optional\n\tOtherRef *xpv2.NamespacedReference `json:\"otherRef,omitempty\"`" +
			"\n\t// +optional\n\tOtherSelector *xpv2.NamespacedSelector `json:\"otherSelector,omitempty\"`\n"
	}
	w.write(fmt.Sprintf("apis/%s/%s/%s.go", group, version, strings.ToLower(kind)), strings.NewReplacer(
		"GROUP", group+".example.org", "VERSION", version, "KIND", kind, "REFERENCE", reference,
	).Replace(`// Package VERSION has a kind.
// +kubebuilder:object:generate=true
// +groupName=GROUP
// +versionName=VERSION
package VERSION

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// KINDParameters are what is desired.
type KINDParameters struct {
	// Region is where it is.
	// +mrgen:identifier
	Region string `+"`json:\"region\"`"+`
REFERENCE}

// KINDSpec is the spec.
type KINDSpec struct {
	xpv2.ManagedResourceSpec `+"`json:\",inline\"`"+`
	ForProvider KINDParameters `+"`json:\"forProvider\"`"+`
}

// KINDStatus is the status.
type KINDStatus struct {
	xpv2.ManagedResourceStatus `+"`json:\",inline\"`"+`
	AtProvider KINDObservation `+"`json:\"atProvider,omitempty\"`"+`
}

// KIND is a kind.
// +kubebuilder:object:root=true
type KIND struct {
	metav1.TypeMeta   `+"`json:\",inline\"`"+`
	metav1.ObjectMeta `+"`json:\"metadata,omitempty\"`"+`
	Spec   KINDSpec   `+"`json:\"spec\"`"+`
	Status KINDStatus `+"`json:\"status,omitempty\"`"+`
}

// KINDList is a list.
// +kubebuilder:object:root=true
type KINDList struct {
	metav1.TypeMeta `+"`json:\",inline\"`"+`
	metav1.ListMeta `+"`json:\"metadata,omitempty\"`"+`
	Items []KIND `+"`json:\"items\"`"+`
}
`))
}

func (w *workshop) write(name, content string) {
	expect.NoError(w.t, os.MkdirAll(filepath.Dir(w.file(name)), 0o755))
	testmodule.Write(w.t, w.file(name), []byte(content))
}

// append adds lines to a file after the first line that begins with a text.
func (w *workshop) append(name, lines, after string) {
	before, rest, found := strings.Cut(string(testmodule.Read(w.t, w.file(name))), after)
	if !found {
		w.t.Fatalf("%s has no %q", name, after)
	}
	if strings.Contains(after, "\n") { // before its last line
		first, last, _ := strings.Cut(after, "\n")
		testmodule.Write(w.t, w.file(name), []byte(before+first+"\n"+lines+"\n"+last+rest))
		return
	}
	testmodule.Write(w.t, w.file(name), []byte(before+after+"\n"+lines+rest))
}

// toggle replaces a text by another one, or this one by that.
func (w *workshop) toggle(name, a, b string) {
	content := string(testmodule.Read(w.t, w.file(name)))
	if strings.Contains(content, a) {
		content = strings.Replace(content, a, b, 1)
	} else {
		content = strings.Replace(content, b, a, 1)
	}
	testmodule.Write(w.t, w.file(name), []byte(content))
}

// A node is a file, a folder or a symbolic link.
type node struct {
	mode fs.FileMode
	text string
}

// snapshot returns what is in the folder of the workshop and beside it, by path.
func (w *workshop) snapshot() map[string]node {
	nodes := map[string]node{}
	base := filepath.Dir(w.options.Dir)
	err := filepath.WalkDir(base, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		n := node{mode: entry.Type()}
		switch n.mode {
		case 0:
			n.text = string(testmodule.Read(w.t, name))
		case fs.ModeSymlink:
			n.text, err = os.Readlink(name)
		}
		nodes[name] = n
		return err
	})
	expect.NoError(w.t, err)
	return nodes
}

// restore puts back what a snapshot has. What is as it was stays untouched.
func (w *workshop) restore(nodes map[string]node) {
	now := w.snapshot()
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(now))) {
		if n, found := nodes[name]; !found || n.mode != now[name].mode {
			expect.NoError(w.t, os.Remove(name))
			delete(now, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(nodes)) {
		n := nodes[name]
		old, found := now[name]
		if found && n == old {
			continue
		}
		var err error
		switch n.mode {
		case 0:
			testmodule.Write(w.t, name, []byte(n.text))
		case fs.ModeSymlink:
			if found {
				err = os.Remove(name)
			}
			if err == nil {
				err = os.Symlink(n.text, name)
			}
		case fs.ModeDir:
			err = os.Mkdir(name, 0o755)
		}
		expect.NoError(w.t, err)
	}
}

// bringBack writes the files of earlier runs that are gone, as git does after a checkout or a stash.
func (w *workshop) bringBack() {
	for name, content := range w.earlier {
		if _, err := os.Stat(w.file(name)); err != nil {
			w.write(name, content)
		}
	}
}

// lose removes files, if there are any.
func (w *workshop) lose(pattern string) {
	files := expect.Value(filepath.Glob(w.file(pattern)))(w.t)
	for _, file := range files {
		expect.NoError(w.t, os.Remove(file))
	}
}

// edit changes something, and says what.
func (w *workshop) edit() string {
	w.count++
	number := fmt.Sprint(w.count)
	kinds := []string{"apis/a/v1/alpha.go", "apis/a/v2/alpha.go", "apis/b/v1/beta.go", "apis/c/v1/gamma.go", "apis/d/v1/delta.go"}
	kind := kinds[w.random.IntN(len(kinds))]
	actions := map[string]func(){
		"a comment": func() { w.append(kind, "\t// It is "+number+".", "// Region is where it is.") },
		"a field": func() {
			w.append(kind, "\t// +optional\n\tField"+number+" *string `json:\"field"+number+",omitempty\"`\n", "Region string `json:\"region\"`\n")
		},
		"a rule": func() {
			w.append(kind, "\t// +immutable\n\t// +kubebuilder:validation:Required\n\tRule"+number+" *string `json:\"rule"+number+",omitempty\"`\n", "Region string `json:\"region\"`\n")
		},
		"a warning": func() {
			w.append(kind, "\tWarned"+number+" string `json:\"warned"+number+"\"`\n", "Region string `json:\"region\"`\n")
		},
		"a mistake": func() { w.toggle(kind, "+mrgen:identifier", "+mrgen:identifer") },
		"a syntax error": func() {
			w.toggle("internal/controller/controller.go", "package controller\n", "package controller\n\nfunc {\n")
		},
		"another group":  func() { w.toggle("apis/d/v1/delta.go", "+groupName=d.example.org", "+groupName=a.example.org") },
		"no list":        func() { w.toggle("apis/b/v1/beta.go", "type BetaList struct", "type BetaSet struct") },
		"another target": func() { w.toggle("apis/c/v1/gamma.go", "apis/b/v1.Beta", "apis/a/v1.Alpha") },
		"a shared field": func() {
			w.append("apis/shared/shared.go", "\t// +optional\n\tWidth"+number+" *int64 `json:\"width"+number+",omitempty\"`", "type Size struct {")
		},
		"a new package":    func() { w.kind("e"+number, "v1", "Epsilon", "") },
		"a new controller": func() { w.write("internal/controller/c"+number+".go", "package controller\n") },
		"a lost output":    func() { w.lose("package/crds/b.example.org_*.yaml") },
		"a spoilt output": func() {
			w.write("apis/c/v1/zz_generated.deepcopy.go", "// Code generated by mrgen. DO NOT EDIT.\n\npackage v1\n")
		},
		"a stale Go file": func() {
			w.write("apis/c/v1/zz_generated.stale.go", "// Code generated by mrgen. DO NOT EDIT.\n\npackage v1\n")
		},
		"a stale YAML file":    func() { w.write("package/crds/stale.yaml", "# Code generated by mrgen from apis/c/v1. DO NOT EDIT.\n") },
		"files that come back": w.bringBack,
		"a module":             func() { w.append("go.mod", "// "+number, "module example.org/provider") },
		"nothing":              func() {},
	}
	if w.isSpread {
		maps.Copy(actions, w.spreadActions(number))
	}
	if len(w.options.ConvertPackages) > 0 {
		actions["conversions, or none"] = func() { w.toggle(clients, "// +mrgen:convert\n", "// It declares nothing.\n") }
	}
	if w.options.ResolverRegistry != "" {
		maps.Copy(actions, w.entangledActions())
	}
	if len(w.options.Scopes) > 0 {
		maps.Copy(actions, map[string]func(){
			"a spoilt copy": func() {
				w.write("copies/c/v1/zz_generated.scope_gamma.go", "// Code generated by mrgen. DO NOT EDIT.\n\npackage v1\n")
			},
			"a lost copy": func() { w.lose("copies/b/v1/zz_generated.scope_*.go") },
			"a declaration that wins": func() {
				w.write("copies/c/v1/parameters.go", "package v1\n\n// GammaParameters are what is desired.\ntype GammaParameters struct {\n\t// +optional\n\tOwn"+number+" *string `json:\"own"+number+",omitempty\"`\n}\n")
			},
			"a kind of one scope": func() {
				w.toggle("apis/d/v1/delta.go", "// +mrgen:scope=namespaced\n// +kubebuilder:object:generate", "// +kubebuilder:object:generate")
			},
		})
	}
	names := make([]string, 0, len(actions))
	for name := range actions {
		names = append(names, name)
	}
	slices.Sort(names)
	name := names[w.random.IntN(len(names))]
	actions[name]()
	return name + " in " + kind
}

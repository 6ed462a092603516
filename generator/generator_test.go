package generator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/version"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/provider"
	"github.com/mrgen-io/mrgen/generator/report"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// needsLargeBudget skips a test that compiles much to judge little, unless the budget is large.
func needsLargeBudget(t *testing.T) {
	t.Helper()
	if !budget.IsLarge() {
		t.Skip("make check runs this")
	}
}

// TestProviders generates the providers' code from a tree without generated files; with a
// large budget also from one with broken ones, and from one that is up to date, and once more
// from what it has written, which a small one has for one of them alone.
func TestProviders(t *testing.T) {
	for _, p := range testprovider.All() {
		inAllStates := p == "provider-rules" || budget.IsLarge()
		t.Run(p, func(t *testing.T) {
			t.Parallel()
			want := testmodule.ReadTree(t, filepath.Join("../testdata", p))
			for name, prepare := range map[string]func(map[string][]byte){
				"clean": func(tree map[string][]byte) {
					maps.DeleteFunc(tree, func(name string, _ []byte) bool { return testprovider.IsGenerated(name) })
				},
				"broken": func(tree map[string][]byte) {
					for name, content := range tree {
						if testprovider.IsGenerated(name) {
							_, rest, _ := bytes.Cut(content, []byte(". DO NOT EDIT.")) // by which mrgen knows the file
							tree[name] = content[:len(content)-len(rest)/2]
						}
					}
				},
				"up to date": func(map[string][]byte) {},
			} {
				if name != "clean" && !inAllStates {
					continue
				}
				t.Run(name, func(t *testing.T) {
					tree := maps.Clone(want)
					prepare(tree)
					dir := t.TempDir()
					testmodule.WriteTree(t, dir, tree)
					testprovider.Apply(t, testprovider.Options(t, dir))
					diff := testprovider.Diff(want, testmodule.ReadTree(t, dir))
					expect.True(t, diff == "", "the generated tree differs (-want +got):\n%s", diff)
					if !inAllStates {
						return
					}
					if changes := testprovider.Generate(t, testprovider.Options(t, dir)).Changes(); len(changes) > 0 {
						t.Errorf("a second run changes %d files, among them %s", len(changes), changes[0].Path)
					}
				})
			}
		})
	}
}

// TestCutBeforeTheHeader has the beginning of a generated file, which doesn't say who wrote it: that is
// an error that says what to do, and the file stays.
func TestCutBeforeTheHeader(t *testing.T) {
	tree := testmodule.ReadTree(t, "../testdata/provider-references")
	const name = "apis/namespaced/v1alpha1/zz_generated.managedlist.go"
	for beginning, want := range map[string]string{
		"/*\nCopyright": name + ":1:1: comment not terminated: delete this file if mrgen wrote it, which what is left of its header doesn't say; otherwise, correct it",
		"// Copyright":  name + ":1:13: expected 'package', found 'EOF': delete this file if mrgen wrote it, which what is left of its header doesn't say; otherwise, correct it",
	} {
		tree[name] = []byte(beginning)
		dir := t.TempDir()
		testmodule.WriteTree(t, dir, tree)
		result, err := generator.Generate(context.Background(), testprovider.Options(t, dir).Run())
		expect.True(t, err == nil && len(result.Diagnostics) == 1 && result.Diagnostics[0].String() == want, "got %v, %v, want %s", result.Diagnostics, err, want)
		diff := testprovider.Diff(tree, testmodule.ReadTree(t, dir))
		expect.True(t, diff == "", "files change (-want +got):\n%s", diff)
	}
}

// TestProvidersInBatches compares runs that go through packages one batch after the
// other with those that have all packages at once: what they write, and what they say of kinds and
// fields. It must not run beside others.
func TestProvidersInBatches(t *testing.T) {
	batched, some := 0, []string{"provider-registry"}
	if budget.IsLarge() {
		some = testprovider.All()
	}
	for _, p := range some {
		tree := testmodule.ReadTree(t, filepath.Join("../testdata", p))
		maps.DeleteFunc(tree, func(name string, _ []byte) bool { return testprovider.IsGenerated(name) })
		dir := t.TempDir()
		testmodule.WriteTree(t, dir, tree)
		o := testprovider.Options(t, dir)
		want := testprovider.GenerateAll(t, o)
		wantReports := reports(t, o, want)
		reset := generator.SetBatchSize(1)
		batches := generator.Batches(context.Background(), o.Run())
		if len(batches) > 1 {
			batched++
		}
		var stages atomic.Int32
		o.OnStep = func(step string) func() {
			if step == "deepcopy" {
				stages.Add(1)
			}
			return func() {}
		}
		got := testprovider.GenerateAll(t, o)
		if o.OnStep = nil; int(stages.Load()) != max(1, len(batches)) {
			t.Errorf("%s: stages run %d times, and there are %d batches", p, stages.Load(), len(batches))
		}
		gotReports := reports(t, o, got)
		o.CacheDir = t.TempDir()
		remembered := testprovider.Generate(t, o)
		reset()
		for name, got := range map[string]generator.Result{"without memory": got, "with memory": remembered} {
			expect.Equal(t, testprovider.Changes(want), testprovider.Changes(got), "%s, %s: changes at once and in batches", p, name)
			expect.Equal(t, want.Diagnostics, got.Diagnostics, "%s, %s: diagnostics at once and in batches", p, name)
		}
		expect.Equal(t, wantReports, gotReports, "%s: reports at once and in batches", p)
	}
	expect.True(t, batched >= budget.Of(1, 2), "%d providers have batches: that proves little", batched)
}

// reports returns what there is to say of a provider: the rules of its kinds, their sizes, what lint
// finds, a page about all, and explanations.
func reports(t *testing.T, o provider.Options, r generator.Result) []string {
	t.Helper()
	var all []string
	note := func(value any) {
		text := expect.Value(json.Marshal(value))(t)
		all = append(all, string(text))
	}
	rules := r.Rules
	note(rules)
	_, found, err := lint.Verify(context.Background(), o.Run(), lint.Options{})
	expect.Must(t, err == nil && len(found.Diagnostics) == 0, "%v %v", err, found.Diagnostics)
	note(found.Findings)
	for _, kind := range rules[:min(len(rules), budget.Of(1, 20))] {
		explanations, diags, err := report.Explain(context.Background(), o.Run(), kind.Kind)
		expect.Must(t, err == nil && len(diags) == 0, "%v %v", err, diags)
		note(explanations)
	}
	return all
}

// TestProvidersCompile has the Go compiler and the providers' own tests judge the expected code, and
// with a large budget vet, which compiles it once more. A small budget has the tests of conversions
// alone.
func TestProvidersCompile(t *testing.T) {
	for _, p := range testprovider.All() {
		t.Run(p, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join("../testdata", p)
			switch {
			case budget.IsLarge():
				goCommand(t, dir, "vet", "./...")
				goCommand(t, dir, "test", "-vet=off", "./...") // which builds all packages
			case p == "provider-versions": // which has conversions
				goCommand(t, dir, "test", "-vet=off", "./...")
			default:
				goCommand(t, dir, "build", "./...")
			}
		})
	}
}

// TestCrossplane has Crossplane judge the expected MRDs, in a module of their own.
func TestCrossplane(t *testing.T) {
	t.Parallel()
	testModule(t, "../testdata/mrds", "./...")
}

// TestSARIF has the schema of SARIF judge what mrgen lint writes, in a module of its own, which takes
// a large budget.
func TestSARIF(t *testing.T) {
	needsLargeBudget(t)
	t.Parallel()
	testModule(t, "../testdata/sarif", "./...")
}

// TestCrdify compares what crdify and mrgen breaking report, in a module of its own, which takes a
// large budget.
func TestCrdify(t *testing.T) {
	needsLargeBudget(t)
	t.Parallel()
	testModule(t, "../testdata/crdify", "./...")
}

// TestAdmission has the API server's code admit and refuse objects of the expected
// CRDs, and of others, in a module of its own.
func TestAdmission(t *testing.T) {
	t.Parallel()
	testModule(t, "../testdata/admission", "./...")
}

// TestLoop has crossplane-runtime's reconciler work with what is generated for random kinds, in a module
// of its own.
func TestLoop(t *testing.T) {
	t.Parallel()
	testModule(t, "../testdata/loop", "./...")
}

// TestLives lives the lives of the kinds of provider-example that have a controller, which takes a large budget.
func TestLives(t *testing.T) {
	needsLargeBudget(t)
	t.Parallel()
	testModule(t, "../testdata/e2e", "./internal/provider")
}

// TestSupport runs the tests of the simulated API, which new providers get, and of the packages that tests use: ./... leaves
// testdata out.
func TestSupport(t *testing.T) {
	t.Parallel()
	args := []string{"-ldflags=-s -w", vet()}
	for _, name := range []string{"simulated", "budget", "celtest", "expect", "testmodule", "testprovider"} {
		testmodule.ReadTree(t, "../testdata/"+name)
		args = append(args, "./testdata/"+name)
	}
	goCommand(t, "..", "test", args...)
}

// testModule runs the tests of a module, every time: the go command remembers results, but
// not that they depend on mrgen and on other modules. Conversely, reading the module has
// it remember that the result of this test depends on it.
func testModule(t *testing.T, dir string, packages ...string) {
	t.Helper()
	testmodule.ReadTree(t, dir)
	goCommand(t, dir, "test", append([]string{"-count=1", "-ldflags=-s -w", "-timeout=60m", vet()}, packages...)...)
}

// vet returns the flag by which a large budget alone has go test vet what it tests.
func vet() string {
	if budget.IsLarge() {
		return "-vet=" // the checks that go test makes by itself
	}
	return "-vet=off"
}

// goCommand runs the go command in a module. As in make test, packages are compiled for all folders.
func goCommand(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	if name != "mod" {
		args = append([]string{"-trimpath"}, args...)
	}
	out, err := testmodule.Run(dir, "go", append([]string{name}, args...)...)
	expect.True(t, err == nil, "go %s %q: %v\n%s", name, args, err, out)
}

// TestCRDs has the API server's validation judge the expected CRDs as they are
// on disk, and compares MRDs with them.
func TestCRDs(t *testing.T) {
	files := testmodule.Glob(t, "../testdata/provider-*/package/crds/*.yaml")
	validator := apiserver.Upstream{MinKubernetes: version.MustParseGeneric("1.31")}
	for _, file := range files {
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.UnmarshalStrict(testmodule.Read(t, file), &crd); err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, p := range validator.Validate(context.Background(), &crd) {
			t.Errorf("%s: %s: %s", file, p.Path, p.Reason)
		}
	}

	mrds := testmodule.Glob(t, "../testdata/provider-*/package/mrds/*.yaml")
	for _, file := range mrds {
		crd := testprovider.Document(t, filepath.Join(filepath.Dir(file), "../crds", filepath.Base(file)))
		mrd := testprovider.Document(t, file)
		if mrd["apiVersion"] != "apiextensions.crossplane.io/v1alpha1" || mrd["kind"] != "ManagedResourceDefinition" {
			t.Errorf("%s is a %v %v", file, mrd["apiVersion"], mrd["kind"])
		}
		spec := mrd["spec"].(map[string]any)
		want := "Inactive"
		if strings.Contains(file, "nopresources") {
			want = "Active" // by its +mrgen:state marker
		}
		expect.Equal(t, want, spec["state"], "%s has state", file)
		delete(spec, "state")
		delete(spec, "connectionDetails")
		expect.True(t, reflect.DeepEqual(spec, crd["spec"]) && reflect.DeepEqual(mrd["metadata"], crd["metadata"]), "%s differs from its CRD", file)
	}
}

// TestDeterminism generates the same code again and again: with one processor
// and with all, from the module root and from a folder in it, in several places.
func TestDeterminism(t *testing.T) {
	runs := budget.Of(6, 50) // at least one of each sort
	p := "provider-runtime-v2"
	want := testmodule.ReadTree(t, filepath.Join("../testdata", p))
	clean := maps.Clone(want)
	maps.DeleteFunc(clean, func(name string, _ []byte) bool { return testprovider.IsGenerated(name) })
	all := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(all)
	for i := range runs {
		dir := t.TempDir()
		testmodule.WriteTree(t, dir, clean)
		runtime.GOMAXPROCS([]int{1, all}[i%2])
		testprovider.Apply(t, testprovider.Options(t, filepath.Join(dir, []string{"", "apis", "hack"}[i%3])))
		diff := testprovider.Diff(want, testmodule.ReadTree(t, dir))
		expect.Must(t, diff == "", "run %d differs (-want +got):\n%s", i, diff)
	}
}

// TestPackageWithoutClause has an API package, and one that its types are made of, import
// a package of another module whose source is empty.
func TestPackageWithoutClause(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ file, field, want string }{
		"API package":   {"apis/d/v1/delta.go", "type DeltaParameters struct {", `apis/d/v1/delta.go:8:11: cannot import "example.org/other/extent": expected 'package', found 'EOF'`},
		"other package": {"internal/size/size.go", "type Extent struct {", `internal/size/size.go:5:11: cannot import "example.org/other/extent": its source has no package clause`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newPreparedWorkshop(t, nil)
			w.write("../other/go.mod", otherGoMod)
			w.write("../other/extent/extent.go", "")
			w.replace("example.org/other", "../other")
			w.write("internal/size/size.go", strings.Replace(size("size", "Depth"), "package size\n", "package size\n\nimport (\n)\n", 1))
			w.use("example.org/provider/internal/size")
			w.append(test.file, "\texternal \"example.org/other/extent\"", "import (")
			w.append(test.file, "\t// +optional\n\tExtent *external.Extent `json:\"extent,omitempty\"`", test.field)
			got := expect.Strings(outcome(t, w.options).Diagnostics)
			expect.True(t, len(got) == 1 && got[0] == test.want, "got %q, want %q", got, test.want)
		})
	}
}

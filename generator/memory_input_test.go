package generator_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/provider"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// size is the source of a package with a type that kinds use, with its deep copies.
func size(name, field string) string {
	return fmt.Sprintf(`// Package %s has a type that kinds use.
package %[1]s

// Extent is used by kinds.
type Extent struct {
	// +optional
	%s *int64 `+"`json:\"%s,omitempty\"`"+`
}
`, name, field, strings.ToLower(field)) + sizeCopies
}

const sizeCopies = `
// DeepCopyInto copies a Extent.
func (in *Extent) DeepCopyInto(out *Extent) { *out = *in }

// DeepCopy copies a Extent.
func (in *Extent) DeepCopy() *Extent { out := *in; return &out }
`

// use has kind Delta use the type Extent of a package.
func (w *workshop) use(importPath string) {
	w.append("apis/d/v1/delta.go", "\t// +optional\n\tOther *other.Extent `json:\"other,omitempty\"`", "type DeltaParameters struct {")
	w.append("apis/d/v1/delta.go", "\tother \""+importPath+"\"", "import (")
}

// replace has the module require another one that is in a folder.
func (w *workshop) replace(module, folder string) {
	w.append("go.mod", fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %[1]s => %s", module, folder), "go 1.24")
}

// link makes a symbolic link in place of what is there.
func (w *workshop) link(target, name string) {
	w.t.Helper()
	if err := os.RemoveAll(w.file(name)); err != nil {
		w.t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(w.file(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Symlink(target, w.file(name)); err != nil {
		w.t.Skip(err)
	}
}

func (w *workshop) rename(from, to string) {
	w.t.Helper()
	if err := os.Rename(w.file(from), w.file(to)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *workshop) remove(name string) {
	w.t.Helper()
	if err := os.RemoveAll(w.file(name)); err != nil {
		w.t.Fatal(err)
	}
}

// An inputCase is something that a run depends on, and an edit of it that changes what
// the run makes.
type inputCase struct {
	name          string
	prepare, edit func(*workshop)
	// forgotten is set if nothing is remembered of such a run.
	forgotten bool
	// cgo is set if the go command must look at files of C, which it doesn't by itself where
	// there is no compiler for them.
	cgo bool
}

const otherGoMod = "module example.org/other\n\ngo 1.24\n"

var inputCases = []inputCase{
	{
		name: "nested module that is replaced, outside the patterns",
		prepare: func(w *workshop) {
			w.write("third/party/go.mod", otherGoMod)
			w.write("third/party/size/size.go", size("size", "Depth"))
			w.replace("example.org/other", "./third/party")
			w.use("example.org/other/size")
			w.options.Packages = []string{"./apis/..."}
		},
		edit: func(w *workshop) { w.write("third/party/size/size.go", size("size", "Weight")) },
	},
	{
		name: "nested module that is replaced",
		prepare: func(w *workshop) {
			w.write("third/party/go.mod", otherGoMod)
			w.write("third/party/size/size.go", size("size", "Depth"))
			w.replace("example.org/other", "./third/party")
			w.use("example.org/other/size")
		},
		edit: func(w *workshop) { w.write("third/party/size/size.go", size("size", "Weight")) },
	},
	{
		name: "file added to a nested module that is replaced",
		prepare: func(w *workshop) {
			w.write("third/party/go.mod", otherGoMod)
			w.write("third/party/size/size.go", strings.ReplaceAll(size("size", "Depth"), "*int64", "*Number"))
			w.write("third/party/size/number.go", "package size\n\n// Number is a number.\ntype Number int64\n")
			w.write("third/party/size/number_linux.go", "//go:build ignore\n\npackage size\n\n// Number is a number.\ntype Number int32\n")
			w.replace("example.org/other", "./third/party")
			w.use("example.org/other/size")
		},
		edit: func(w *workshop) {
			w.write("third/party/size/second.go", "package size\n\n// Number is a number.\ntype Number int32\n")
		},
	},
	{
		name: "replacement that is a symbolic link",
		prepare: func(w *workshop) {
			w.write("../one/go.mod", otherGoMod)
			w.write("../one/size/size.go", size("size", "Depth"))
			w.link("one", "../other")
			w.replace("example.org/other", "../other")
			w.use("example.org/other/size")
		},
		edit: func(w *workshop) { w.write("../one/size/size.go", size("size", "Weight")) },
	},
	{
		name: "replacement that is another symbolic link",
		prepare: func(w *workshop) {
			for folder, field := range map[string]string{"one": "Depth", "two": "Weight"} {
				w.write("../"+folder+"/go.mod", otherGoMod)
				w.write("../"+folder+"/size/size.go", size("size", field))
			}
			w.link("one", "../other")
			w.replace("example.org/other", "../other")
			w.use("example.org/other/size")
		},
		edit: func(w *workshop) { w.link("two", "../other") },
	},
	{
		name: "import below testdata",
		prepare: func(w *workshop) {
			w.write("apis/testdata/size/size.go", size("size", "Depth"))
			w.use("example.org/provider/apis/testdata/size")
		},
		edit: func(w *workshop) { w.write("apis/testdata/size/size.go", size("size", "Weight")) },
	},
	{
		name: "import below a folder with an underscore",
		prepare: func(w *workshop) {
			w.write("apis/_x/size/size.go", size("size", "Depth"))
			w.use("example.org/provider/apis/_x/size")
		},
		edit: func(w *workshop) { w.write("apis/_x/size/size.go", size("size", "Weight")) },
	},
	{
		name: "import below node_modules",
		prepare: func(w *workshop) {
			w.write("node_modules/size/size.go", size("size", "Depth"))
			w.use("example.org/provider/node_modules/size")
		},
		edit: func(w *workshop) { w.write("node_modules/size/size.go", size("size", "Weight")) },
	},
	{
		name: "import below testdata that another one imports",
		prepare: func(w *workshop) {
			w.write("internal/size/size.go", "// Package size has a type.\npackage size\n\nimport \"example.org/provider/testdata/span\"\n\n// Extent is used by kinds.\ntype Extent struct {\n\t// +optional\n\tInner *span.Span `json:\"inner,omitempty\"`\n}\n"+sizeCopies)
			w.write("testdata/span/span.go", strings.ReplaceAll(size("span", "Depth"), "Extent", "Span"))
			w.use("example.org/provider/internal/size")
		},
		edit: func(w *workshop) {
			w.write("testdata/span/span.go", strings.ReplaceAll(size("span", "Weight"), "Extent", "Span"))
		},
	},
	{
		name: "module that begins above an import",
		prepare: func(w *workshop) {
			w.write("apis/testdata/size/size.go", size("size", "Depth"))
			w.use("example.org/provider/apis/testdata/size")
		},
		edit: func(w *workshop) { w.write("apis/testdata/go.mod", otherGoMod) },
	},
	{
		name: "import through a symbolic link",
		prepare: func(w *workshop) {
			w.write("_elsewhere/size/size.go", size("size", "Depth"))
			w.link("../_elsewhere/size", "internal/size")
			w.use("example.org/provider/internal/size")
		},
		edit: func(w *workshop) { w.write("_elsewhere/size/size.go", size("size", "Weight")) },
	},
	{
		name: "import through another symbolic link",
		prepare: func(w *workshop) {
			w.write("_elsewhere/one/size.go", size("size", "Depth"))
			w.write("_elsewhere/two/size.go", size("size", "Weight"))
			w.link("../_elsewhere/one", "internal/size")
			w.use("example.org/provider/internal/size")
		},
		edit: func(w *workshop) { w.link("../_elsewhere/two", "internal/size") },
	},
	{
		name: "file that is a symbolic link",
		prepare: func(w *workshop) {
			w.write("_elsewhere/one.txt", size("size", "Depth"))
			w.write("_elsewhere/two.txt", size("size", "Weight"))
			w.link("../../_elsewhere/one.txt", "apis/size/size.go")
			w.use("example.org/provider/apis/size")
		},
		edit: func(w *workshop) { w.link("../../_elsewhere/two.txt", "apis/size/size.go") },
	},
	{
		name: "package that is a symbolic link",
		prepare: func(w *workshop) {
			w.kind("f", "v1", "Phi", "")
			w.rename("apis/f", "_f")
			w.link("../_f", "apis/f")
			w.options.Packages = []string{"./apis/f/v1"}
		},
		edit:      func(w *workshop) { w.append("_f/v1/phi.go", "\t// It is here.", "// Region is where it is.") },
		forgotten: true,
	},
	{
		name: "methods that another generator wrote",
		prepare: func(w *workshop) {
			w.write("internal/size/size.go", strings.TrimSuffix(size("size", "Depth"), sizeCopies))
			w.write("internal/size/zz_generated.deepcopy.go", "// Code generated by controller-gen. DO NOT EDIT.\n\npackage size\n"+sizeCopies)
			w.use("example.org/provider/internal/size")
			w.options.Packages = []string{"./apis/..."}
		},
		edit: func(w *workshop) { w.remove("internal/size/zz_generated.deepcopy.go") },
	},
	{
		name: "type that another generator wrote",
		prepare: func(w *workshop) {
			w.write("internal/size/zz_generated.observation.go", size("size", "Depth"))
			w.use("example.org/provider/internal/size")
			w.options.Packages = []string{"./apis/..."}
		},
		edit: func(w *workshop) { w.write("internal/size/zz_generated.observation.go", size("size", "Weight")) },
	},
	{
		name: "target of a reference in a nested module that is replaced",
		prepare: func(w *workshop) {
			w.kind("x", "v1", "Target", "")
			w.write("third/party/go.mod", otherGoMod+strings.TrimPrefix(string(testmodule.Read(w.t, w.file("go.mod"))), "module example.org/provider\n\ngo 1.24\n"))
			w.write("third/party/v1/target.go", string(testmodule.Read(w.t, w.file("apis/x/v1/target.go"))))
			w.remove("apis/x")
			w.replace("example.org/other", "./third/party")
			w.toggle("apis/c/v1/gamma.go", "example.org/provider/apis/b/v1.Beta", "example.org/other/v1.Target")
		},
		edit: func(w *workshop) {
			w.toggle("third/party/v1/target.go", "type TargetList struct", "type TargetSet struct")
		},
	},
	{
		name: "module of a workspace",
		prepare: func(w *workshop) {
			w.write("../other/go.mod", otherGoMod)
			w.write("../other/size/size.go", size("size", "Depth"))
			w.write("../go.work", "go 1.24\n\nuse (\n\t./provider\n\t./other\n)\n")
			w.use("example.org/other/size")
		},
		edit: func(w *workshop) { w.write("../other/size/size.go", size("size", "Weight")) },
	},
	{
		name: "new workspace",
		prepare: func(w *workshop) {
			for folder, field := range map[string]string{"one": "Depth", "two": "Weight"} {
				w.write("../"+folder+"/go.mod", otherGoMod)
				w.write("../"+folder+"/size/size.go", size("size", field))
			}
			w.replace("example.org/other", "../one")
			w.use("example.org/other/size")
		},
		edit: func(w *workshop) {
			w.write("../go.work", "go 1.24\n\nuse ./provider\n\nreplace example.org/other => ./two\n")
		},
	},
	{
		name: "replacement in a workspace",
		prepare: func(w *workshop) {
			for folder, field := range map[string]string{"one": "Depth", "two": "Weight"} {
				w.write("../"+folder+"/go.mod", otherGoMod)
				w.write("../"+folder+"/size/size.go", size("size", field))
			}
			w.replace("example.org/other", "../one")
			w.use("example.org/other/size")
			w.write("../go.work", "go 1.24\n\nuse ./provider\n\nreplace example.org/other => ./one\n")
		},
		edit: func(w *workshop) {
			w.write("../go.work", "go 1.24\n\nuse ./provider\n\nreplace example.org/other => ./two\n")
		},
	},
	{
		name: "vendored package",
		prepare: func(w *workshop) {
			w.write("../other/go.mod", otherGoMod)
			w.write("../other/size/size.go", size("size", "Depth"))
			w.replace("example.org/other", "../other")
			w.use("example.org/other/size")
			w.vendor()
		},
		edit: func(w *workshop) { w.write("vendor/example.org/other/size/size.go", size("size", "Weight")) },
	},
	{
		name: "list of vendored packages",
		prepare: func(w *workshop) {
			w.write("../other/go.mod", otherGoMod)
			w.write("../other/size/size.go", size("size", "Depth"))
			w.replace("example.org/other", "../other")
			w.use("example.org/other/size")
			w.vendor()
			w.write("vendor/example.org/other/size/size.go", size("size", "Weight"))
		},
		edit: func(w *workshop) { w.remove("vendor") },
	},
	{
		name:    "name in a test",
		prepare: func(w *workshop) { w.write("apis/d/v1/delta_test.go", "package v1\n") },
		edit:    func(w *workshop) { w.write("apis/d/v1/delta_test.go", "package v1\n\nfunc runtime() {}\n") },
	},
	{
		name:    "test that does not parse",
		prepare: func(w *workshop) { w.write("internal/controller/controller_test.go", "package controller\n") },
		edit:    func(w *workshop) { w.write("internal/controller/controller_test.go", "package\n") },
	},
	{
		name:    "package of a test",
		prepare: func(w *workshop) { w.write("internal/controller/controller_test.go", "package controller\n") },
		edit:    func(w *workshop) { w.write("internal/controller/controller_test.go", "package other\n") },
	},
	{
		name:    "file of C",
		cgo:     true,
		prepare: func(w *workshop) {},
		edit:    func(w *workshop) { w.write("apis/c/v1/gamma.c", "int gamma;\n") },
	},
	{
		name:    "build constraint of a file of C",
		cgo:     true,
		prepare: func(w *workshop) { w.write("apis/c/v1/gamma.c", "//go:build ignore\n\nint gamma;\n") },
		edit:    func(w *workshop) { w.write("apis/c/v1/gamma.c", "int gamma;\n") },
	},
}

// vendor vendors what the module imports, generated code included.
func (w *workshop) vendor() {
	w.t.Helper()
	plain := w.options
	plain.CacheDir = ""
	testprovider.Apply(w.t, plain)
	goCommand(w.t, w.options.Dir, "mod", "vendor")
}

// newPreparedWorkshop returns a workshop in a folder of its own below another one.
func newPreparedWorkshop(t *testing.T, prepare func(*workshop)) *workshop {
	t.Helper()
	w := newWorkshop(t)
	w.options.CacheDir = t.TempDir()
	dir := filepath.Join(t.TempDir(), "provider")
	if err := os.Rename(w.options.Dir, dir); err != nil {
		t.Fatal(err)
	}
	w.options.Dir = dir
	if prepare != nil {
		prepare(w)
	}
	return w
}

// compare compares a run that remembers earlier ones with one that doesn't, which is
// returned.
func (w *workshop) compare(t *testing.T) generator.Result {
	t.Helper()
	plain := w.options
	plain.CacheDir = ""
	want, got := outcome(t, plain), outcome(t, w.options)
	if diff := cmp.Diff(testprovider.Changes(want), testprovider.Changes(got)); diff != "" {
		t.Errorf("changes without and with memory (-without +with):\n%s", diff)
	}
	if diff := cmp.Diff(want.Diagnostics, got.Diagnostics); diff != "" {
		t.Errorf("diagnostics without and with memory (-without +with):\n%s", diff)
	}
	return want
}

// TestMemoryInput edits what a run depends on elsewhere than in the packages that it
// generates code for, or only by way of the go command.
func TestMemoryInput(t *testing.T) {
	for _, test := range budget.Sample(inputCases, 9) {
		t.Run(test.name, func(t *testing.T) {
			if test.cgo {
				t.Setenv("CGO_ENABLED", "1")
			} else {
				t.Parallel()
			}
			w := newPreparedWorkshop(t, test.prepare)
			testprovider.Apply(t, w.options)
			if stale := generator.IsStale(w.options.Run()); stale != test.forgotten {
				t.Errorf("nothing has changed, and the run has something to do: %t, want %t", stale, test.forgotten)
			}
			test.edit(w)
			if want := w.compare(t); !failed(want) && len(want.Changes()) == 0 {
				t.Error("the edit changes nothing: the test proves nothing")
			}
		})
	}
}

// TestMemoryEditedMeanwhile edits source while a run is at work, and puts it back.
func TestMemoryEditedMeanwhile(t *testing.T) {
	const file = "apis/c/v1/gamma.go"
	for _, test := range budget.Sample([]struct {
		name                string
		prepare, edit, undo func(*workshop)
	}{
		{
			"content", nil,
			func(w *workshop) { w.toggle(file, "// Region is where it is.", "// Region was where it is.") },
			func(w *workshop) { w.toggle(file, "// Region is where it is.", "// Region was where it is.") },
		},
		{
			"another file in its place", nil,
			func(w *workshop) {
				content := string(testmodule.Read(w.t, w.file(file)))
				w.rename(file, "aside")
				w.write(file, strings.Replace(content, "// Region is", "// Region was", 1))
			},
			func(w *workshop) { w.rename("aside", file) },
		},
		{
			"another file", nil,
			func(w *workshop) {
				w.write("apis/c/v1/more.go", "package v1\n\n// More is more.\n// +kubebuilder:object:generate=true\ntype More struct {\n\tA *string `json:\"a\"`\n}\n")
			},
			func(w *workshop) { w.remove("apis/c/v1/more.go") },
		},
		{
			"no file", nil,
			func(w *workshop) { w.rename("apis/c/v1", "aside") },
			func(w *workshop) { w.rename("aside", "apis/c/v1") },
		},
		{
			"other module",
			func(w *workshop) {
				w.write("../other/go.mod", otherGoMod)
				w.write("../other/size/size.go", size("size", "Depth"))
				w.replace("example.org/other", "../other")
				w.use("example.org/other/size")
			},
			func(w *workshop) { w.write("../other/size/size.go", size("size", "Weight")) },
			func(w *workshop) { w.write("../other/size/size.go", size("size", "Depth")) },
		},
	}, 2) {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newPreparedWorkshop(t, test.prepare)
			o := w.options
			o.OnStep = func(step string) func() {
				switch step {
				case "load":
					test.edit(w)
				case "plan":
					test.undo(w)
				}
				return func() {}
			}
			testprovider.Apply(t, o)
			if want := w.compare(t); len(want.Changes()) == 0 {
				t.Error("the edit changed nothing: the test proves nothing")
			}
		})
	}
}

// outcome runs the generator.
func outcome(t *testing.T, o provider.Options) generator.Result {
	t.Helper()
	r, err := generator.Generate(context.Background(), o.Run())
	if err != nil {
		t.Fatal(err)
	}
	r.Remember()
	return r
}

// failed reports whether a result has errors.
func failed(r generator.Result) bool {
	return slices.ContainsFunc(r.Diagnostics, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
}

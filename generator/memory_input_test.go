package generator_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/provider"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
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
	expect.NoError(w.t, os.RemoveAll(w.file(name)))
	expect.NoError(w.t, os.MkdirAll(filepath.Dir(w.file(name)), 0o755))
	if err := os.Symlink(target, w.file(name)); err != nil {
		w.t.Skip(err)
	}
}

func (w *workshop) rename(from, to string) {
	w.t.Helper()
	expect.NoError(w.t, os.Rename(w.file(from), w.file(to)))
}

func (w *workshop) remove(name string) {
	w.t.Helper()
	expect.NoError(w.t, os.RemoveAll(w.file(name)))
}

// An inputCase is something that a run depends on, and an edit of it that changes what
// the run makes.
type inputCase struct {
	name          string
	prepare, edit func(*workshop)
	// cgo is set if the go command must look at files of C, which it doesn't by itself where
	// there is no compiler for them.
	cgo bool
}

const otherGoMod = "module example.org/other\n\ngo 1.24\n"

// other has kinds use a type of a package of another module, which is in a folder.
func other(folder string) func(*workshop) {
	return func(w *workshop) {
		w.write(folder+"/go.mod", otherGoMod)
		w.write(folder+"/size/size.go", size("size", "Depth"))
		w.replace("example.org/other", folder)
		w.use("example.org/other/size")
	}
}

// inside has kinds use a type of a package in a folder of the module.
func inside(folder string) func(*workshop) {
	return func(w *workshop) {
		w.write(folder+"/size.go", size("size", "Depth"))
		w.use("example.org/provider/" + folder)
	}
}

// twoModules has kinds use a type of the first of two modules with the same package.
func twoModules(w *workshop) {
	w.write("../two/go.mod", otherGoMod)
	w.write("../two/size/size.go", size("size", "Weight"))
	other("../one")(w)
}

// weighs gives the type of a file another field.
func weighs(file string) func(*workshop) {
	return func(w *workshop) {
		w.editText(w.t, file, "Depth", "Weight")
		w.editText(w.t, file, "depth", "weight")
	}
}

// writes writes a file.
func writes(file, content string) func(*workshop) {
	return func(w *workshop) { w.write(file, content) }
}

const twoInWorkspace = "go 1.24\n\nuse ./provider\n\nreplace example.org/other => ./two\n"

// inputCases begin with those whose types [workshop.spread] puts in all places.
var inputCases = []inputCase{
	{name: "nested module that is replaced, outside the patterns", prepare: wide["patterns"], edit: weighs("third/party/area/area.go")},
	{name: "nested module that is replaced", prepare: wide["modules"], edit: weighs("third/party/area/area.go")},
	{name: "import below testdata", prepare: wide["modules"], edit: weighs("apis/testdata/span/span.go")},
	{name: "module that begins above an import", prepare: wide["modules"], edit: writes("apis/testdata/go.mod", otherGoMod)},
	{name: "import through a symbolic link", prepare: wide["modules"], edit: weighs("_elsewhere/width/width.go")},
	{name: "import through another symbolic link", prepare: wide["modules"], edit: func(w *workshop) { w.spreadActions("1")["a link to another folder"]() }},
	{name: "file that is a symbolic link", prepare: wide["modules"], edit: func(w *workshop) { w.spreadActions("1")["a link to another file"]() }},
	{name: "methods that another generator wrote", prepare: wide["patterns"], edit: func(w *workshop) { w.remove("internal/mass/zz_generated.deepcopy.go") }},
	{name: "test that does not parse", prepare: wide["modules"], edit: writes("internal/controller/controller_test.go", "package\n")},
	{name: "package of a test", prepare: wide["modules"], edit: writes("internal/controller/controller_test.go", "package other\n")},
	{name: "module of a workspace", prepare: wide["workspace"], edit: weighs("../other/extent/extent.go")},
	{name: "vendored package", prepare: wide["vendor"], edit: weighs("vendor/example.org/other/extent/extent.go")},
	{name: "list of vendored packages", prepare: wide["vendor"], edit: func(w *workshop) { w.remove("vendor") }},
	{name: "import below a folder with an underscore", prepare: inside("apis/_x/size"), edit: weighs("apis/_x/size/size.go")},
	{name: "import below node_modules", prepare: inside("node_modules/size"), edit: weighs("node_modules/size/size.go")},
	{
		name: "file added to a nested module that is replaced",
		prepare: func(w *workshop) {
			other("./third/party")(w)
			w.editText(w.t, "third/party/size/size.go", "*int64", "*Number")
			w.write("third/party/size/number.go", "package size\n\n// Number is a number.\ntype Number int64\n")
		},
		edit: writes("third/party/size/second.go", "package size\n\n// Number is a number.\ntype Number int32\n"),
	},
	{
		name: "replacement that is a symbolic link",
		prepare: func(w *workshop) {
			w.write("../one/size/size.go", "")
			w.link("one", "../other")
			other("../other")(w)
		},
		edit: weighs("../one/size/size.go"),
	},
	{
		name: "replacement that is another symbolic link",
		prepare: func(w *workshop) {
			twoModules(w)
			w.link("one", "../other")
			w.editText(w.t, "go.mod", "../one", "../other")
		},
		edit: func(w *workshop) { w.link("two", "../other") },
	},
	{
		name: "import below testdata that another one imports",
		prepare: func(w *workshop) {
			w.write("internal/size/size.go", "// Package size has a type.\npackage size\n\nimport \"example.org/provider/testdata/span\"\n\n// Extent is used by kinds.\ntype Extent struct {\n\t// +optional\n\tInner *span.Span `json:\"inner,omitempty\"`\n}\n"+sizeCopies)
			w.write("testdata/span/span.go", strings.ReplaceAll(size("span", "Depth"), "Extent", "Span"))
			w.use("example.org/provider/internal/size")
		},
		edit: weighs("testdata/span/span.go"),
	},
	{
		name: "type that another generator wrote",
		prepare: func(w *workshop) {
			inside("internal/size")(w)
			w.rename("internal/size/size.go", "internal/size/zz_generated.observation.go")
			w.options.Packages = []string{"./apis/..."}
		},
		edit: weighs("internal/size/zz_generated.observation.go"),
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
	{name: "new workspace", prepare: twoModules, edit: writes("../go.work", twoInWorkspace)},
	{
		name: "replacement in a workspace",
		prepare: func(w *workshop) {
			twoModules(w)
			w.write("../go.work", strings.Replace(twoInWorkspace, "./two", "./one", 1))
		},
		edit: writes("../go.work", twoInWorkspace),
	},
	{name: "name in a test", prepare: writes("apis/d/v1/delta_test.go", "package v1\n"), edit: writes("apis/d/v1/delta_test.go", "package v1\n\nfunc runtime() {}\n")},
	{name: "file of C", cgo: true, edit: writes("apis/c/v1/gamma.c", "int gamma;\n")},
	{name: "build constraint of a file of C", cgo: true, prepare: writes("apis/c/v1/gamma.c", "//go:build ignore\n\nint gamma;\n"), edit: writes("apis/c/v1/gamma.c", "int gamma;\n")},
}

// newPreparedWorkshop returns a workshop in a folder of its own below another one.
func newPreparedWorkshop(t *testing.T, prepare func(*workshop)) *workshop {
	t.Helper()
	w := newWorkshop(t)
	w.options.CacheDir = t.TempDir()
	dir := filepath.Join(t.TempDir(), "provider")
	expect.NoError(t, os.Rename(w.options.Dir, dir))
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
	expect.Equal(t, testprovider.Changes(want), testprovider.Changes(got), "changes without and with memory")
	expect.Equal(t, want.Diagnostics, got.Diagnostics, "diagnostics without and with memory")
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
			expect.True(t, !generator.IsStale(w.options.Run()), "nothing has changed, and the run has something to do")
			test.edit(w)
			want := w.compare(t)
			expect.True(t, failed(want) || len(want.Changes()) != 0, "the edit changes nothing: the test proves nothing")
		})
	}
}

// TestMemoryEditedMeanwhile edits source while a run is at work, and puts it back.
func TestMemoryEditedMeanwhile(t *testing.T) {
	const file = "apis/c/v1/gamma.go"
	const more = "package v1\n\n// More is more.\n// +kubebuilder:object:generate=true\ntype More struct {\n\tA *string `json:\"a\"`\n}\n"
	was := func(w *workshop) { w.toggle(file, "// Region is where it is.", "// Region was where it is.") }
	for _, test := range budget.Sample([]struct {
		name                string
		prepare, edit, undo func(*workshop)
	}{
		{"content", nil, was, was},
		{"another file in its place", nil, func(w *workshop) {
			content := string(testmodule.Read(w.t, w.file(file)))
			w.rename(file, "aside")
			w.write(file, strings.Replace(content, "// Region is", "// Region was", 1))
		}, func(w *workshop) { w.rename("aside", file) }},
		{"another file", nil, writes("apis/c/v1/more.go", more), func(w *workshop) { w.remove("apis/c/v1/more.go") }},
		{"no file", nil, func(w *workshop) { w.rename("apis/c/v1", "aside") }, func(w *workshop) { w.rename("aside", "apis/c/v1") }},
		{"other module", other("../other"), weighs("../other/size/size.go"), writes("../other/size/size.go", size("size", "Depth"))},
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
			want := w.compare(t)
			expect.True(t, len(want.Changes()) != 0, "the edit changed nothing: the test proves nothing")
		})
	}
}

// outcome runs the generator.
func outcome(t *testing.T, o provider.Options) generator.Result {
	t.Helper()
	r := expect.Value(generator.Generate(context.Background(), o.Run()))(t)
	r.Remember()
	return r
}

// failed reports whether a result has errors.
func failed(r generator.Result) bool {
	return slices.ContainsFunc(r.Diagnostics, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
}

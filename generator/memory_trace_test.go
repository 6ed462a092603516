package generator_test

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/internal/budget"
	"github.com/mrgen-io/mrgen/generator/internal/testmodule"
)

var tracedEdits = flag.Int("traced-edits", 0, "how many edits TestMemoryTrace makes of what was opened, of each kind of workshop; 0 leaves it to the budget")

// wide are preparations of workshops that read source of all kinds.
var wide = map[string]func(*workshop){
	"modules": func(w *workshop) { w.spread() },
	"workspace": func(w *workshop) {
		w.spread()
		w.toggle("go.mod", "replace example.org/other => ../other", "")
		w.toggle("go.mod", "require example.org/other v0.0.0", "")
		w.write("../go.work", "go 1.24\n\nuse (\n\t./provider\n\t./other\n)\n")
	},
	"vendor": func(w *workshop) {
		w.spread()
		goCommand(w.t, w.options.Dir, "mod", "tidy")
		goCommand(w.t, w.options.Dir, "mod", "vendor")
	},
	"patterns": func(w *workshop) {
		w.spread()
		w.options.Packages = []string{"./apis/..."}
	},
}

// spread has kinds use types in all places that packages may be in, and copies the stubs
// of other modules next to the module.
func (w *workshop) spread() {
	w.isSpread = true
	stubs, err := filepath.Abs("../testdata/stubs")
	if err != nil {
		w.t.Fatal(err)
	}
	if err := os.CopyFS(w.file("../stubs"), os.DirFS(stubs)); err != nil {
		w.t.Fatal(err)
	}
	mod := bytes.ReplaceAll(testmodule.Read(w.t, w.file("go.mod")), []byte(filepath.ToSlash(stubs)), []byte("../stubs"))
	testmodule.Write(w.t, w.file("go.mod"), mod)

	w.write("../other/go.mod", otherGoMod)
	w.write("../other/extent/extent.go", size("extent", "Depth"))
	w.replace("example.org/other", "../other")
	w.write("third/party/go.mod", "module example.org/nested\n\ngo 1.24\n")
	w.write("third/party/area/area.go", strings.ReplaceAll(size("area", "Depth"), "Extent", "Area"))
	w.replace("example.org/nested", "./third/party")
	w.write("apis/testdata/span/span.go", strings.ReplaceAll(size("span", "Depth"), "Extent", "Span"))
	w.write("_elsewhere/width/width.go", strings.ReplaceAll(size("width", "Depth"), "Extent", "Width"))
	w.link("../_elsewhere/width", "internal/width")
	w.write("_elsewhere/length.txt", strings.ReplaceAll(size("length", "Depth"), "Extent", "Length"))
	w.link("../../_elsewhere/length.txt", "internal/length/length.go")
	w.write("internal/mass/mass.go", "// +kubebuilder:object:generate=true\n"+strings.ReplaceAll(strings.TrimSuffix(size("mass", "Depth"), sizeCopies), "Extent", "Mass"))
	w.write("internal/mass/zz_generated.deepcopy.go", "//go:build !ignore\n\npackage mass\n"+strings.ReplaceAll(sizeCopies, "Extent", "Mass"))
	w.write("internal/controller/controller_test.go", "package controller\n")
	w.write("internal/controller/controller.s", "//go:build ignore\n")
	w.write("apis/b/v1/beta_windows.go", "package v1\n")

	fields, imports := "", ""
	for importPath, name := range map[string]string{
		"example.org/other/extent":                "Extent",
		"example.org/provider/apis/testdata/span": "Span",
		"example.org/provider/internal/width":     "Width",
		"example.org/provider/internal/length":    "Length",
		"example.org/provider/internal/mass":      "Mass",
	} {
		fields += "\n\t// +optional\n\t" + name + " *" + strings.ToLower(name) + "." + name + " `json:\"" + strings.ToLower(name) + ",omitempty\"`\n"
		imports += "\t\"" + importPath + "\"\n"
	}
	w.append("apis/d/v1/delta.go", fields, "type DeltaParameters struct {")
	w.append("apis/d/v1/delta.go", imports, "import (")
	w.append("apis/c/v1/gamma.go", "\n\t// +optional\n\tArea *area.Area `json:\"area,omitempty\"`\n", "type GammaParameters struct {")
	w.append("apis/c/v1/gamma.go", "\t\"example.org/nested/area\"", "import (")
}

// spreadActions are edits of what a workshop has that is spread.
func (w *workshop) spreadActions(number string) map[string]func() {
	sources := []string{
		"../other/extent/extent.go", "third/party/area/area.go", "apis/testdata/span/span.go", "_elsewhere/width/width.go",
		"_elsewhere/length.txt", "internal/mass/mass.go", "../stubs/crossplane-apis/core/v2/types.go",
		"vendor/example.org/other/extent/extent.go", "vendor/example.org/nested/area/area.go",
	}
	sources = slices.DeleteFunc(sources, func(name string) bool {
		_, err := os.Stat(w.file(name))
		return err != nil
	})
	source := sources[w.random.IntN(len(sources))]
	toggleFile := func(name, content string) {
		if _, err := os.Lstat(w.file(name)); err == nil {
			w.remove(name)
			return
		}
		w.write(name, content)
	}
	return map[string]func(){
		"a type elsewhere in " + source:         func() { w.toggle(source, "*int64", "*int32") },
		"a name in JSON elsewhere in " + source: func() { w.toggle(source, `json:"depth`, `json:"height`) },
		"a comment elsewhere in " + source:      func() { w.write(source, string(testmodule.Read(w.t, w.file(source)))+"\n// "+number+"\n") },
		"a syntax error elsewhere in " + source: func() { w.toggle(source, "type ", "typ ") },
		"a file elsewhere beside " + source:     func() { w.added(source, number, "\n// Added is added.\ntype Added"+number+" struct{}\n") },
		"a test elsewhere beside " + source:     func() { w.added(source, number+"_test", "") },
		"a module elsewhere beside " + source:   func() { toggleFile(path.Join(path.Dir(source), "go.mod"), otherGoMod) },
		"methods that another generator wrote":  func() { w.toggle("internal/mass/zz_generated.deepcopy.go", "DeepCopyInto", "DeepCopyOnto") },
		"a file that another generator wrote":   func() { toggleFile("internal/mass/zz_generated.other.go", "package mass\n\ntype other struct{}\n") },
		"a link to another folder": func() {
			if target, err := os.Readlink(w.file("internal/width")); err == nil && target == "../_elsewhere/width" {
				w.write("_elsewhere/wider/width.go", strings.ReplaceAll(size("width", "Depth"+number), "Extent", "Width"))
				w.link("../_elsewhere/wider", "internal/width")
			} else {
				w.link("../_elsewhere/width", "internal/width")
			}
		},
		"a link to another file": func() {
			w.write("_elsewhere/"+number+".txt", strings.ReplaceAll(size("length", "Depth"+number), "Extent", "Length"))
			w.link("../../_elsewhere/"+number+".txt", "internal/length/length.go")
		},
		"a folder in place of a link": func() {
			w.remove("internal/width")
			w.write("internal/width/width.go", strings.ReplaceAll(size("width", "Depth"), "Extent", "Width"))
		},
		"a workspace":             func() { toggleFile("../go.work", "go 1.24\n\nuse (\n\t./provider\n\t./other\n)\n") },
		"another workspace":       func() { toggleFile("go.work", "go 1.24\n\nuse (\n\t.\n\t../other\n)\n") },
		"no vendored packages":    func() { w.remove("vendor") },
		"a list of vendored ones": func() { toggleFile("vendor/modules.txt", "# example.org/other v0.0.0\n") },
		"another replacement": func() {
			w.write("../another/go.mod", otherGoMod)
			w.write("../another/extent/extent.go", size("extent", "Depth"+number))
			w.toggle("go.mod", "example.org/other => ../other", "example.org/other => ../another")
		},
		"a module that replaces another": func() { w.toggle("../other/go.mod", "go 1.24", "go 1.25") },
		"a test":                         func() { w.toggle("internal/controller/controller_test.go", "package controller", "package") },
		"a build constraint":             func() { w.toggle("internal/mass/zz_generated.deepcopy.go", "//go:build !ignore", "//go:build ignore") },
	}
}

// added adds a file of the same package beside a source.
func (w *workshop) added(source, name, content string) {
	before := string(testmodule.Read(w.t, w.file(source)))
	clause := regexp.MustCompile(`(?m)^package \w+$`).FindString(before)
	w.write(path.Join(path.Dir(source), "added"+name+".go"), clause+"\n"+content)
}

// An edit changes something, and returns a function that puts it back, or nil if there is
// nothing to change.
type edit struct {
	name string
	make func(w *workshop, path string) (undo func())
}

// content returns an edit of the content of a file.
func content(name string, change func(string) string) edit {
	return edit{name, func(w *workshop, path string) func() {
		before, err := os.ReadFile(path)
		if err != nil {
			w.t.Fatal(err)
		}
		after := change(string(before))
		if after == string(before) {
			return nil
		}
		testmodule.Write(w.t, path, []byte(after))
		return func() { testmodule.Write(w.t, path, before) }
	}}
}

// added returns an edit that adds a file to a folder. The name of the folder stands for
// NAME in its content.
func added(file, content string) edit {
	return edit{"add " + file, func(w *workshop, path string) func() {
		name := filepath.Join(path, filepath.FromSlash(file))
		if _, err := os.Lstat(name); err == nil {
			return nil
		}
		top := filepath.Join(path, strings.Split(file, "/")[0])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			w.t.Fatal(err)
		}
		testmodule.Write(w.t, name, []byte(strings.ReplaceAll(content, "NAME", filepath.Base(path))))
		return func() {
			if err := os.RemoveAll(top); err != nil {
				w.t.Fatal(err)
			}
		}
	}}
}

// moved returns an edit that moves a file or folder, and may leave something in its place.
func moved(name string, to func(w *workshop, path string) string, leave func(from, to string) error) edit {
	return edit{name, func(w *workshop, path string) func() {
		target := to(w, path)
		if err := os.Rename(path, target); err != nil {
			w.t.Fatal(err)
		}
		if leave != nil {
			if err := leave(path, target); err != nil {
				w.t.Fatal(err)
			}
		}
		return func() {
			if leave != nil {
				if err := os.Remove(path); err != nil {
					w.t.Fatal(err)
				}
			}
			if err := os.Rename(target, path); err != nil {
				w.t.Fatal(err)
			}
		}
	}}
}

func outside(w *workshop, _ string) string { return w.file("../../aside") }

func beside(_ *workshop, path string) string {
	return filepath.Join(filepath.Dir(path), "a_"+filepath.Base(path))
}

func linked(from, to string) error { return os.Symlink(to, from) }

var fileEdits = []edit{
	content("a comment", func(s string) string { return s + "\n// more\n" }),
	content("a syntax error at the end", func(s string) string { return s + "\nfunc {\n" }),
	content("a syntax error at the start", func(s string) string { return "{\n" + s }),
	content("a build constraint", func(s string) string { return "//go:build ignore\n\n" + s }),
	content("half", func(s string) string { return s[:len(s)/2] }),
	content("nothing", func(string) string { return "" }),
	content("another type", func(s string) string { return strings.ReplaceAll(s, "int64", "int32") }),
	content("another field", func(s string) string { return strings.ReplaceAll(s, "Depth", "Height") }),
	content("another name in JSON", func(s string) string { return strings.ReplaceAll(s, `json:"depth`, `json:"height`) }),
	content("a required field", func(s string) string { return strings.ReplaceAll(s, "// +optional", "// +required") }),
	content("no methods", func(s string) string { return strings.ReplaceAll(s, "DeepCopy", "Copy") }),
	content("another list", func(s string) string { return strings.ReplaceAll(s, "List struct", "Set struct") }),
	content("another package", func(s string) string { return strings.Replace(s, "package ", "package x", 1) }),
	content("another import", func(s string) string { return strings.Replace(s, "import (", "import (\n\t_ \"os\"", 1) }),
	content("another replacement", func(s string) string { return strings.ReplaceAll(s, "../other", "../nowhere") }),
	content("another version of Go", func(s string) string { return strings.ReplaceAll(s, "go 1.24", "go 1.23") }),
	moved("removed", outside, nil),
	moved("renamed", beside, nil),
	moved("a link in its place", outside, linked),
}

var folderEdits = []edit{
	added("added.go", "package NAME\n\n// Added is added.\n// +kubebuilder:object:generate=true\ntype Added struct {\n\tA *string `json:\"a\"`\n}\n"),
	added("added_test.go", "package NAME\n"),
	added("added.go", "package other\n"),
	added("added.go", "package\n"),
	added("added_test.go", "package\n"),
	added("added_test.go", "package NAME\n\nfunc runtime() {}\n"),
	added("zz_generated.deepcopy.go", "package NAME\n\nfunc (in *Extent) DeepCopyInto(out *Extent) {}\n"),
	added("zz_generated.added.go", "package NAME\n\n// Added is added.\ntype Added struct{}\n"),
	added("added.c", "int added;\n"),
	added("go.mod", "module example.org/added\n\ngo 1.24\n"),
	added("go.work", "go 1.24\n\nuse .\n"),
	added("vendor/modules.txt", "# example.org/other v0.0.0\n"),
	added("added/added.go", "// +kubebuilder:object:generate=true\npackage added\n\n// Added is added.\ntype Added struct{}\n"),
	added("added/go.mod", "module example.org/added\n\ngo 1.24\n"),
	moved("removed", outside, nil),
	moved("renamed", beside, nil),
	moved("a link in its place", outside, linked),
}

// A target is something to edit.
type target struct {
	path string
	edit edit
}

// TestMemoryTrace edits each file and folder that a run and the processes that it starts
// open, adds to it, removes and renames it, and compares a run that remembers what was
// there before with one that doesn't. It makes a choice of these edits.
func TestMemoryTrace(t *testing.T) {
	for name := range wide {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testTrace(t, name, rand.New(rand.NewPCG(1, 2)), cmp.Or(*tracedEdits, budget.Of(1, 8)))
		})
	}
}

// FuzzMemoryTrace makes other choices, as few as FuzzMemory.
func FuzzMemoryTrace(f *testing.F) {
	f.Add(uint64(0))
	names := slices.Sorted(maps.Keys(wide))
	f.Fuzz(func(t *testing.T, seed uint64) {
		name := names[seed%uint64(len(names))]
		testTrace(t, name, rand.New(rand.NewPCG(seed, 3)), 3)
	})
}

func testTrace(t *testing.T, name string, random *rand.Rand, count int) {
	w := newPreparedWorkshop(t, wide[name])
	plain := w.options
	plain.CacheDir = ""
	result := outcome(t, plain)
	if failed(result) {
		t.Fatal(result.Diagnostics)
	}
	if _, err := result.Apply(context.Background()); err != nil {
		t.Fatal(err)
	}
	base := filepath.Dir(w.options.Dir)
	opened := trace(t, base, func() { outcome(t, plain) })
	for _, want := range []string{"provider", "provider/go.mod", "provider/apis/testdata/span/span.go", "provider/_elsewhere/width/width.go", "provider/internal/mass/zz_generated.deepcopy.go"} {
		if !slices.Contains(opened, filepath.Join(base, filepath.FromSlash(want))) {
			t.Errorf("%s was not opened, but %v", want, opened)
		}
	}
	run(t, w.options)
	if all, stale := generator.Stale(context.Background(), w.options); all || len(stale) > 0 {
		t.Fatalf("nothing has changed, but it looks at %v (all: %v)", stale, all)
	}
	records := testmodule.ReadTree(t, w.options.CacheDir)

	var targets []target
	for _, path := range opened {
		info, err := os.Stat(path)
		if err != nil {
			continue // the go command's own
		}
		edits := fileEdits
		if info.IsDir() {
			edits = folderEdits
		}
		for _, e := range edits {
			if path != base && (path != w.options.Dir || strings.HasPrefix(e.name, "add ")) {
				targets = append(targets, target{path, e})
			}
		}
	}
	random.Shuffle(len(targets), func(i, j int) { targets[i], targets[j] = targets[j], targets[i] })
	t.Logf("%d edits of %d", min(count, len(targets)), len(targets))
	for _, p := range targets[:min(count, len(targets))] {
		undo := p.edit.make(w, p.path)
		if undo == nil {
			continue
		}
		w.compare(t)
		undo()
		testmodule.WriteTree(t, w.options.CacheDir, records)
		if t.Failed() {
			t.Fatalf("the edit was: %s, %s", p.path, p.edit.name)
		}
	}
	if w.compare(t); t.Failed() {
		t.Error("an edit was not undone")
	}
}

package deepcopy

import (
	"bytes"
	"fmt"
	"go/format"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
)

const header = "// Copyright YEAR The Authors   \n//go:build linux\n\n\n/* More\n   text */\n"

// TestControllerGen compares the files of all test providers, and of packages of
// awkward types, with those of controller-gen.
func TestControllerGen(t *testing.T) {
	const providers = "../../../../testdata"
	for name, root := range map[string]struct{ dir, pattern string }{
		"shapes":     {".", "./testdata/shapes/..."},
		"example":    {providers + "/provider-example", "./..."},
		"references": {providers + "/provider-references", "./..."},
		"rules":      {providers + "/provider-rules", "./..."},
		"runtime v1": {providers + "/provider-runtime-v1", "./..."},
		"runtime v2": {providers + "/provider-runtime-v2", "./..."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compare(t, root.dir, root.pattern)
		})
	}
}

// TestRandomTypes compares files for packages of random types.
func TestRandomTypes(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module example.org/random\n\ngo 1.25\n"}
	for seed := range 20 {
		files[fmt.Sprintf("p%d/types.go", seed)] = randomPackage(uint64(seed))
	}
	for name, content := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	compare(t, dir, "./...")
}

// randomPackage returns the source of a package of random types. Types that are no
// structs refer to earlier ones, so that none is an element of itself.
func randomPackage(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 0))
	source := "// +kubebuilder:object:generate=true\npackage types\n\n"
	const count = 60
	var random func(below, depth int) string
	random = func(below, depth int) string {
		named := []string{"string", "int64", "bool"}[r.IntN(3)]
		if below > 0 && r.IntN(2) == 0 {
			named = fmt.Sprintf("T%d", r.IntN(below))
		}
		if depth == 0 {
			return named
		}
		switch r.IntN(8) {
		case 0, 1:
			return "*" + random(below, depth-1)
		case 2, 3:
			return "[]" + random(below, depth-1)
		case 4:
			return "map[string]" + random(below, depth-1)
		case 5:
			return []string{"interface{}", "[2]string", "func()", "struct{ A []string }", "map[int]*string"}[r.IntN(5)]
		default:
			return named
		}
	}
	for i := range count {
		switch r.IntN(6) {
		case 0:
			source += fmt.Sprintf("type T%d = %s\n", i, random(i, 2))
			continue
		case 1:
			source += fmt.Sprintf("type T%d %s\n", i, random(i, 3))
			continue
		}
		source += fmt.Sprintf("type T%d struct {\n", i)
		for f := range r.IntN(8) {
			expr := random(i, 3)
			if r.IntN(4) == 0 {
				expr = "*" + random(count, 0)
			}
			source += fmt.Sprintf("\tF%d %s\n", f, expr)
		}
		source += "}\n"
		switch r.IntN(8) {
		case 0:
			source += fmt.Sprintf("func (t *T%d) DeepCopy() *T%d { return t }\n", i, i)
		case 1:
			source += fmt.Sprintf("func (t T%d) DeepCopy() T%d { return t }\n", i, i)
		case 2:
			source += fmt.Sprintf("func (t *T%d) DeepCopyInto(out *T%d) {}\n", i, i)
		}
	}
	return source
}

// TestUncopied reports types that controller-gen falls over.
func TestUncopied(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod": "module example.org/uncopied\n\ngo 1.25\n",
		"types.go": `// +kubebuilder:object:generate=true
package uncopied

type List []List

type Map map[string][]Map

type Struct struct {
	Any    *any
	Errors []error
	List   List
	Field  WithField
}

type WithField struct{ DeepCopy string }
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	collector, roots := load(t, dir, "./...")
	if _, err := generate(collector, roots[0], ""); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"types.go:4:6: List is an element of itself: write DeepCopyInto and DeepCopy of it yourself",
		"types.go:6:6: Map is an element of itself: write DeepCopyInto and DeepCopy of it yourself",
		"example.org/uncopied:-: invalid pointer element type: any",
		"example.org/uncopied:-: invalid slice element type: interface{Error() string}",
		"types.go:4:6: List is an element of itself: write DeepCopyInto and DeepCopy of it yourself",
	}
	for i := range roots[0].Errors {
		roots[0].Errors[i].Pos = strings.TrimPrefix(roots[0].Errors[i].Pos, dir+"/")
	}
	if diff := cmp.Diff(want, errorTexts(roots[0].Errors)); diff != "" {
		t.Error(diff)
	}
}

// compare generates files for packages in both ways, and compares them and the
// errors.
func compare(t *testing.T, dir, pattern string) {
	t.Helper()
	collector, roots := load(t, dir, pattern)
	files := 0
	for _, pkg := range roots {
		before := len(pkg.Errors)
		got, err := generate(collector, pkg, header)
		if err != nil {
			t.Fatal(err)
		}
		gotErrors := pkg.Errors[before:]
		pkg.Errors = pkg.Errors[:before:before]
		want := controllerGen(t, collector, pkg)
		if diff := cmp.Diff(errorTexts(pkg.Errors[before:]), errorTexts(gotErrors)); diff != "" {
			t.Errorf("errors of %s, controller-gen's -, mrgen's +:\n%s", pkg.PkgPath, diff)
		}
		if len(gotErrors) > 0 {
			// What can't be copied may not be formatted.
			if got, err = format.Source(got); err != nil {
				t.Errorf("%s: %v", pkg.PkgPath, err)
			}
		}
		if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(string(got), "\n")); diff != "" {
			t.Errorf("file of %s, controller-gen's -, mrgen's +:\n%s", pkg.PkgPath, diff)
		}
		if want != "" {
			files++
		}
	}
	if files == 0 {
		t.Error("no package has a file")
	}
}

// load returns packages with their types.
func load(t *testing.T, dir, pattern string) (*markers.Collector, []*loader.Package) {
	t.Helper()
	roots, err := loader.LoadRootsWithConfig(&packages.Config{Dir: dir}, pattern)
	if err != nil {
		t.Fatal(err)
	}
	collector := &markers.Collector{Registry: &markers.Registry{}}
	if err := (deepcopy.Generator{}).RegisterMarkers(collector.Registry); err != nil {
		t.Fatal(err)
	}
	checker := &loader.TypeChecker{NodeFilters: []loader.NodeFilter{deepcopy.Generator{}.CheckFilter()}}
	for _, pkg := range roots {
		checker.Check(pkg)
	}
	return collector, roots
}

func errorTexts(errors []packages.Error) []string {
	var texts []string
	for _, e := range errors {
		texts = append(texts, e.Error())
	}
	return texts
}

// controllerGen returns the file that controller-gen writes, with the line that
// names mrgen.
func controllerGen(t *testing.T, collector *markers.Collector, pkg *loader.Package) string {
	t.Helper()
	out := &memory{}
	if err := (deepcopy.Generator{HeaderFile: "header"}).Generate(&genall.GenerationContext{
		Collector:  collector,
		Checker:    &loader.TypeChecker{},
		Roots:      []*loader.Package{pkg},
		InputRule:  out,
		OutputRule: out,
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Replace(out.String(), "// Code generated by controller-gen. DO NOT EDIT.", artifact.GoHeader, 1)
}

// memory stands in for the files that controller-gen reads and writes.
type memory struct{ bytes.Buffer }

func (*memory) OpenForRead(string) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(header)), nil
}

func (m *memory) Open(*loader.Package, string) (io.WriteCloser, error) { return m, nil }

func (*memory) Close() error { return nil }

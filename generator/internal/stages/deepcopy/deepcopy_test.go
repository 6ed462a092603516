package deepcopy

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

const header = "// Copyright YEAR The Authors   \n//go:build linux\n\n\n/* More\n   text */\n"

// TestControllerGen compares the files of all test providers, and of packages of
// awkward types, with those of controller-gen. A small budget has one provider.
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
		if name != "shapes" && !budget.IsLarge() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compare(t, root.dir, root.pattern)
		})
	}
}

// TestRandomTypes compares files for packages of random types, as far as those of
// controller-gen compile. For the others, mrgen's do, or it reports an error; and it
// does not if they compile.
func TestRandomTypes(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module example.org/random\n\ngo 1.25\n"}
	for seed := range budget.Of(100, 300) {
		files[fmt.Sprintf("p%d/types.go", seed)] = randomPackage(uint64(seed))
	}
	for name, content := range files {
		file := filepath.Join(dir, name)
		expect.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		expect.NoError(t, os.WriteFile(file, []byte(content), 0o644))
	}
	copies, roots := load(t, dir, "./...")
	counts := map[string]int{}
	for _, pkg := range roots {
		err := compileError(t, pkg, "")
		expect.Must(t, err == nil, "%s: %v", pkg.PkgPath, err)
		got, want, known, refused := both(t, copies, pkg)
		problem := compileError(t, pkg, want)
		switch {
		case known:
			counts["errors of controller-gen"]++
		case problem == nil:
			counts["files of controller-gen that compile"]++
			expect.True(t, len(refused) == 0, "%s: refused, and what controller-gen writes compiles: %s", pkg.PkgPath, refused)
			diff := gocmp.Diff(strings.Split(want, "\n"), strings.Split(string(got), "\n"))
			expect.True(t, diff == "", "file of %s, controller-gen's -, mrgen's +:\n%s", pkg.PkgPath, diff)
		case len(refused) > 0:
			counts["refused"]++
		default:
			counts["files of mrgen alone that compile"]++
			err := compileError(t, pkg, string(got))
			expect.True(t, err == nil, "%s: %v\n%s\n%s", pkg.PkgPath, err, files[strings.TrimPrefix(pkg.PkgPath, "example.org/random/")+"/types.go"], got)
		}
	}
	for _, outcome := range []string{"files of controller-gen that compile", "refused", "files of mrgen alone that compile"} {
		expect.True(t, counts[outcome] != 0, "no package has the outcome %q, but %v: that proves little", outcome, counts)
	}
}

// compileError returns an error of a package with a file that is added to it, which
// imports nothing, or nil.
func compileError(t *testing.T, pkg *loader.Package, file string) error {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range pkg.CompiledGoFiles {
		parsed := expect.Value(parser.ParseFile(fset, name, nil, 0))(t)
		files = append(files, parsed)
	}
	if file != "" {
		parsed, err := parser.ParseFile(fset, "generated.go", file, 0)
		if err != nil {
			return err
		}
		files = append(files, parsed)
	}
	_, err := (&types.Config{}).Check(pkg.PkgPath, fset, files, nil)
	return err
}

// randomPackage returns the source of a package of random types. Types that are no
// structs refer to earlier ones, so that none is an element of itself.
func randomPackage(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 0))
	source := "// +kubebuilder:object:generate=true\npackage types\n\n"
	count := 2 + r.IntN(12)
	// Some types are not exported.
	prefixes := make([]string, count)
	for i := range prefixes {
		prefixes[i] = []string{"T", "T", "T", "T", "t"}[r.IntN(5)]
	}
	name := func(i int) string { return fmt.Sprintf("%s%d", prefixes[i], i) }
	structs := map[int]bool{}
	var random func(below, depth int) string
	random = func(below, depth int) string {
		named := []string{"string", "int64", "bool"}[r.IntN(3)]
		if below > 0 && r.IntN(2) == 0 {
			named = name(r.IntN(below))
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
			source += fmt.Sprintf("type %s = %s\n", name(i), random(i, 2))
			continue
		case 1:
			source += fmt.Sprintf("type %s %s\n", name(i), random(i, 3))
			continue
		}
		if r.IntN(10) == 0 {
			source += "// +kubebuilder:object:generate=false\n"
		}
		structs[i] = true
		source += fmt.Sprintf("type %s struct {\n", name(i))
		if embedded := r.IntN(count); embedded < i && structs[embedded] {
			source += fmt.Sprintf("\t%s%s\n", []string{"", "*"}[r.IntN(2)], name(embedded))
		}
		if r.IntN(10) == 0 {
			source += fmt.Sprintf("\t_ %s\n", []string{"string", "*string", "[]string", "struct{ A []string }"}[r.IntN(4)])
		}
		for f := range r.IntN(8) {
			expr := random(i, 3)
			if r.IntN(4) == 0 {
				expr = "*" + name(r.IntN(count))
			}
			source += fmt.Sprintf("\tF%d %s\n", f, expr)
		}
		source += "}\n"
		switch r.IntN(8) {
		case 0:
			source += fmt.Sprintf("func (t *%[1]s) DeepCopy() *%[1]s { return t }\n", name(i))
		case 1:
			source += fmt.Sprintf("func (t %[1]s) DeepCopy() %[1]s { return t }\n", name(i))
		case 2:
			source += fmt.Sprintf("func (t *%[1]s) DeepCopyInto(out *%[1]s) {}\n", name(i))
		}
	}
	return source
}

// TestTypesCalledAsVariables copies types with the names that variables in the methods have.
func TestTypesCalledAsVariables(t *testing.T) {
	dir := t.TempDir()
	source := "// +kubebuilder:object:generate=true\npackage types\n\nfunc inType() {}\n\n"
	for _, name := range variables {
		source += fmt.Sprintf("type %[1]s string\n\ntype Struct_%[1]s struct {\n\tA *%[1]s\n\tB []*%[1]s\n\tC map[%[1]s]**%[1]s\n\tD map[string]*[]%[1]s\n}\n\n", name)
	}
	for name, content := range map[string]string{"go.mod": "module example.org/types\n\ngo 1.25\n", "types.go": source} {
		expect.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	copies, roots := load(t, dir, "./...")
	into := gosrc.NewPackage(roots[0].PkgPath, roots[0].Name)
	into.Claim(slices.Values(roots[0].Types.Scope().Names()))
	content, _, err := generate(copies, roots[0], into, "")
	if err != nil || len(roots[0].Errors) > 0 {
		t.Fatal(err, roots[0].Errors)
	}
	err = compileError(t, roots[0], string(content))
	expect.True(t, err == nil, "%v\n%s", err, content)
	if formatted, err := format.Source(content); err != nil || !bytes.Equal(formatted, content) {
		t.Errorf("gofmt: %v\n%s", err, gocmp.Diff(string(content), string(formatted)))
	}
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

type Interface interface{ Name() string }
`,
	} {
		expect.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	copies, roots := load(t, dir, "./...")
	_, _, err := generate(copies, roots[0], gosrc.NewPackage(roots[0].PkgPath, roots[0].Name), "")
	expect.Must(t, err == nil, "%v", err)
	want := []string{
		"types.go:4:6: List is an element of itself: write DeepCopyInto and DeepCopy of it yourself",
		"types.go:6:6: Map is an element of itself: write DeepCopyInto and DeepCopy of it yourself",
		"types.go:9:2: deep copies can't be made of the type any: use another one, or write DeepCopyInto and DeepCopy of Struct yourself",
		"types.go:10:2: deep copies can't be made of the type interface{Error() string}: use another one, or write DeepCopyInto and DeepCopy of Struct yourself",
		"types.go:17:6: deep copies can't be made of the interface Interface: mark it +kubebuilder:object:generate=false",
	}
	for i := range roots[0].Errors {
		roots[0].Errors[i].Pos = strings.TrimPrefix(roots[0].Errors[i].Pos, dir+"/")
	}
	expect.Equal(t, want, errorTexts(roots[0].Errors))
}

// compare generates files for packages in both ways, and compares them and the
// errors.
func compare(t *testing.T, dir, pattern string) {
	t.Helper()
	copies, roots := load(t, dir, pattern)
	files := 0
	for _, pkg := range roots {
		got, want, known, refused := both(t, copies, pkg)
		if known {
			// What can't be copied may not be formatted.
			var err error
			if got, err = format.Source(got); err != nil {
				t.Errorf("%s: %v", pkg.PkgPath, err)
			}
		}
		expect.True(t, len(refused) == 0 || known, "%s: %s", pkg.PkgPath, refused)
		diff := gocmp.Diff(strings.Split(want, "\n"), strings.Split(string(got), "\n"))
		expect.True(t, diff == "", "file of %s, controller-gen's -, mrgen's +:\n%s", pkg.PkgPath, diff)
		if want != "" {
			files++
		}
	}
	expect.True(t, files != 0, "no package has a file")
}

// both returns the files that mrgen and controller-gen write for a package, whether
// controller-gen reports errors, and the texts of mrgen's.
func both(t *testing.T, copies *copies, pkg *loader.Package) (got []byte, want string, known bool, refused []string) {
	t.Helper()
	before := len(pkg.Errors)
	var err error
	got, _, err = generate(copies, pkg, gosrc.NewPackage(pkg.PkgPath, pkg.Name), header)
	expect.NoError(t, err)
	refused = errorTexts(pkg.Errors[before:])
	pkg.Errors = pkg.Errors[:before:before]
	want = controllerGen(t, copies.collector, pkg)
	known = len(pkg.Errors) > before
	if known && len(refused) == 0 {
		t.Errorf("%s: controller-gen reports errors and mrgen none: %s", pkg.PkgPath, errorTexts(pkg.Errors[before:]))
	}
	return got, want, known, refused
}

// load returns packages with their types.
func load(t *testing.T, dir, pattern string) (*copies, []*loader.Package) {
	t.Helper()
	roots := expect.Value(loader.LoadRootsWithConfig(&packages.Config{Dir: dir}, pattern))(t)
	collector := &markers.Collector{Registry: &markers.Registry{}}
	expect.NoError(t, (deepcopy.Generator{}).RegisterMarkers(collector.Registry))
	checker := &loader.TypeChecker{NodeFilters: []loader.NodeFilter{deepcopy.Generator{}.CheckFilter()}}
	for _, pkg := range roots {
		checker.Check(pkg)
	}
	return &copies{collector: collector, source: loaded(roots)}, roots
}

// loaded are packages, with those that they import.
type loaded []*loader.Package

func (l loaded) Package(importPath string) *loader.Package {
	seen := map[*loader.Package]bool{}
	var find func(pkgs iter.Seq[*loader.Package]) *loader.Package
	find = func(pkgs iter.Seq[*loader.Package]) *loader.Package {
		for pkg := range pkgs {
			if seen[pkg] {
				continue
			}
			seen[pkg] = true
			if pkg.PkgPath == importPath {
				return pkg
			}
			if found := find(maps.Values(pkg.Imports())); found != nil {
				return found
			}
		}
		return nil
	}
	return find(slices.Values(l))
}

func (l loaded) IsLocal(pkg *loader.Package) bool { return slices.Contains(l, pkg) }

func (l loaded) HiddenFiles(pkg *loader.Package) []*ast.File {
	var files []*ast.File
	for _, name := range pkg.IgnoredFiles {
		if !l.IsLocal(pkg) && strings.HasPrefix(filepath.Base(name), "zz_generated.") {
			if file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0); err == nil {
				files = append(files, file)
			}
		}
	}
	return files
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
	err := (deepcopy.Generator{HeaderFile: "header"}).Generate(&genall.GenerationContext{
		Collector: collector, Checker: &loader.TypeChecker{}, Roots: []*loader.Package{pkg}, InputRule: out, OutputRule: out,
	})
	expect.Must(t, err == nil, "%v", err)
	return strings.Replace(out.String(), "// Code generated by controller-gen. DO NOT EDIT.", artifact.GoHeader, 1)
}

// memory stands in for the files that controller-gen reads and writes.
type memory struct{ bytes.Buffer }

func (*memory) OpenForRead(string) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(header)), nil
}

func (m *memory) Open(*loader.Package, string) (io.WriteCloser, error) { return m, nil }

func (*memory) Close() error { return nil }

package load

import (
	"bytes"
	"context"
	_ "embed"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// requiresOther is the go.mod of a provider beside another module.
const requiresOther = `
-- provider/go.mod --
module example.org/provider

go 1.25

require example.org/other v0.0.0

replace example.org/other => ../other
`

//go:embed testdata/reached.txtar
var reachedFiles string

var reached = requiresOther + reachedFiles

// TestReach type-checks two parts of a module, one after the other. Of other modules, they
// need what their types refer to, which is as if whole packages were checked.
func TestReach(t *testing.T) {
	listing := listProvider(t, reached)
	var same []types.Type
	for _, part := range []struct {
		folder string
		want   map[string]string // the names in packages of the other module
	}{
		{"apis/a", map[string]string{
			"dotted": "", // where T, a type parameter, might come from
			"first":  "Alias Limit List Mode Off On Type embedded own size sizes",
			"second": "Aliased Base Element",
		}},
		{"apis/b", map[string]string{"dotted": "Dotted DottedToo", "first": "Alias Later Limit List Mode Off On Type embedded own size sizes", "second": "Aliased Base Element"}},
	} {
		program := typeCheck(t, listing, []string{part.folder})
		whole := &judge{program, map[*loader.Package]*types.Package{}}
		got := map[string]string{}
		program.each(func(pkg *loader.Package) {
			if short, other := strings.CutPrefix(pkg.PkgPath, "example.org/other/"); other && pkg.TypesInfo != nil {
				got[short] = strings.Join(pkg.Types.Scope().Names(), " ")
				whole.compare(t, pkg)
			}
			if pkg.PkgPath == "example.org/other/first" {
				same = append(same, pkg.Types.Scope().Lookup("Type").Type())
			}
		})
		expect.Equal(t, part.want, got, "%s: names of the other module", part.folder)
		errors := program.TypeErrors(nil, nil)
		expect.True(t, len(errors) == 0, "%v", errors)
		program.Release()
	}
	expect.True(t, len(same) == 2 && same[0] == same[1], "the parts have different types by one name")
}

// listProvider lists the API packages of the provider that an archive has beside other modules.
func listProvider(t *testing.T, archive string) *Listing {
	t.Helper()
	dir := t.TempDir()
	testmodule.Extract(t, txtar.Parse([]byte(archive)), dir, func(txtar.File) bool { return false })
	return list(t, filepath.Join(dir, "provider"), "./apis/...")
}

func list(t *testing.T, root, pattern string) *Listing {
	t.Helper()
	sc, diags := modules.New(modules.Options{Root: root, Patterns: []string{pattern}})
	expect.None(t, diags.Errors())
	listing, diags := List(context.Background(), sc, nil, nil)
	expect.None(t, diags.Errors())
	return listing
}

func typeCheck(t *testing.T, listing *Listing, folders []string) *Program {
	t.Helper()
	program, diags := listing.Load(folders)
	expect.None(t, diags.Errors())
	program.TypeCheck(program.APIs)
	return program
}

// A judge checks packages as wholes, with all that they import.
type judge struct {
	program *Program
	checked map[*loader.Package]*types.Package
}

// compare compares what is known of a package with what is if it is checked as a whole.
func (j *judge) compare(t *testing.T, pkg *loader.Package) {
	t.Helper()
	whole := j.check(t, pkg)
	for _, name := range pkg.Types.Scope().Names() {
		diff := cmp.Diff(described(whole.Scope().Lookup(name)), described(pkg.Types.Scope().Lookup(name)))
		expect.True(t, diff == "", "%s.%s (-whole +partial):\n%s", pkg.PkgPath, name, diff)
	}
}

func (j *judge) check(t *testing.T, pkg *loader.Package) *types.Package {
	t.Helper()
	if pkg.PkgPath == "unsafe" {
		return types.Unsafe
	}
	if j.checked[pkg] == nil {
		j.program.Parse(pkg)
		config := types.Config{IgnoreFuncBodies: true, FakeImportC: true, Importer: importerFunc(func(importPath string) (*types.Package, error) {
			return j.check(t, pkg.Imports()[importPath]), nil
		}), Error: func(error) {}}
		// The standard library has errors without the bodies of functions: unused imports.
		j.checked[pkg], _ = config.Check(pkg.PkgPath, j.program.Files.Fset, pkg.Syntax, nil)
	}
	return j.checked[pkg]
}

type importerFunc func(string) (*types.Package, error)

func (f importerFunc) Import(importPath string) (*types.Package, error) { return f(importPath) }

// described describes an object with the type that it is declared as, and the names of methods.
// The parameters of methods don't matter, nor do those in interfaces.
func described(object types.Object) []string {
	qualifier := func(p *types.Package) string { return p.Path() }
	underlying := types.TypeString(object.Type().Underlying(), qualifier)
	if before, _, found := strings.Cut(underlying, "interface{"); found {
		underlying = before
	}
	description := []string{types.ObjectString(object, qualifier), underlying}
	if constant, ok := object.(*types.Const); ok {
		description = append(description, constant.Val().String())
	}
	if strings.Contains(description[0], "interface{") {
		description = description[1:]
	}
	methods := types.NewMethodSet(types.NewPointer(object.Type()))
	for method := range methods.Methods() {
		description = append(description, method.Obj().Name())
	}
	return description
}

// TestReachLibrary type-checks a package whose type refers to the standard library, and compares
// what it needs of that with whole packages.
func TestReachLibrary(t *testing.T) {
	root := t.TempDir()
	testmodule.Write(t, filepath.Join(root, "go.mod"), []byte("module example.org/provider\n\ngo 1.25\n"))
	testmodule.Write(t, filepath.Join(root, "types.go"), bytes.ReplaceAll([]byte(`// +groupName=a
package a

import (
	"encoding/json"
	"math/big"
	"net/url"
	"regexp"
	"time"
)

type A struct {
	Time    time.Time       'json:"time"'
	Big     big.Int         'json:"big"'
	Raw     json.RawMessage 'json:"raw"'
	URL     url.URL         'json:"url"'
	Pattern regexp.Regexp   'json:"pattern"'
}
`), []byte("'"), []byte("`")))
	program := typeCheck(t, list(t, root, "."), nil)
	whole := &judge{program, map[*loader.Package]*types.Package{}}
	var checked []string
	program.each(func(pkg *loader.Package) {
		if pkg.TypesInfo != nil && !program.IsLocal(pkg) {
			checked = append(checked, pkg.PkgPath)
			whole.compare(t, pkg)
		}
	})
	for _, importPath := range []string{"encoding/json", "math/big", "net/url", "regexp", "regexp/syntax", "time"} {
		expect.True(t, slices.Contains(checked, importPath), "%s is not among what was checked: %s", importPath, checked)
	}
	expect.True(t, !slices.Contains(checked, "runtime") && len(checked) <= 20, "too much was checked: %s", checked)
	for _, pkg := range program.APIs {
		for _, e := range pkg.Errors {
			t.Error(e)
		}
	}
}

package generator_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// declarations are what an author may declare, each of a name, in one line, without another
// name.
var declarations = []string{"type %s struct{}", "func %s() {}", "var %s struct{}", "const %s = 1"}

// TestAuthorsNames has the author of each package declare, in each of these ways, all names
// that are in its generated files: of imports, functions, parameters, variables and fields.
// What is then generated compiles.
//
// Left out are the names that Go knows, see TestPredeclaredNames, those that generated
// files declare for others to use or in a package of their own, which are errors, and those
// that the author has declared already.
func TestAuthorsNames(t *testing.T) {
	eachWayToDeclare(t, func(t *testing.T, p string, tree map[string][]byte, way int) {
		count, packages := 0, goPackages(t, tree)
		for dir, pkg := range packages {
			if len(pkg.generated) == 0 || isCopied(tree, dir) {
				continue
			}
			source := "package " + pkg.generated[0].Name.Name + "\n"
			for i, name := range slices.Sorted(maps.Keys(pkg.names())) {
				other := packages[strings.Replace(dir, "/namespaced/", "/cluster/", 1)] // which has a copy
				if types.Universe.Lookup(name) == nil && !pkg.declares(name) && !other.declares(name) {
					source += "\n" + fmt.Sprintf(declarations[(i+way)%len(declarations)], name) + "\n"
					count++
				}
			}
			tree[path.Join(dir, authorsFile(dir))] = []byte(source)
		}
		expect.True(t, count >= 50, "only %d names are declared", count)
		dir := t.TempDir()
		testmodule.WriteTree(t, dir, tree)
		testprovider.Apply(t, testprovider.Options(t, dir))
		before := goPackages(t, testmodule.ReadTree(t, filepath.Join("../testdata", p)))
		for dir, pkg := range goPackages(t, testmodule.ReadTree(t, dir)) {
			if want, got := before[dir].check(), pkg.check(); len(want) != len(got) {
				t.Errorf("%s does not compile (-before +after):\n%s", dir, cmp.Diff(want, got))
			}
		}
		if changes := testprovider.Generate(t, testprovider.Options(t, dir)).Changes(); len(changes) > 0 {
			t.Errorf("a second run changes %d files, among them %s", len(changes), changes[0].Path)
		}
	})
}

// TestPredeclaredNames has the author of each package declare, in each of these ways, what
// Go calls by a name that its generated files need: there is no other word for that. Each is
// an error where it is declared, and nothing is written. Left out are the names that the
// author needs as well: with these, his own code means something else.
func TestPredeclaredNames(t *testing.T) {
	eachWayToDeclare(t, func(t *testing.T, p string, tree map[string][]byte, way int) {
		var want []string
		for dir, pkg := range goPackages(t, tree) {
			if len(pkg.generated) == 0 || isCopied(tree, dir) {
				continue
			}
			file := path.Join(dir, authorsFile(dir))
			source := "package " + pkg.generated[0].Name.Name + "\n"
			authors := namesIn(pkg.authors)
			for i, name := range slices.Sorted(maps.Keys(pkg.names())) {
				if types.Universe.Lookup(name) != nil && !authors[name] {
					declaration := declarations[(i+way)%len(declarations)]
					source += "\n" + fmt.Sprintf(declaration, name) + "\n"
					want = append(want, fmt.Sprintf("%s:%d:%d: %s hides what Go calls by that name",
						file, strings.Count(source, "\n"), strings.Index(declaration, "%s")+1, name))
				}
			}
			tree[file] = []byte(source)
		}
		dir := t.TempDir()
		testmodule.WriteTree(t, dir, tree)
		result := expect.Value(generator.Generate(context.Background(), testprovider.Options(t, dir).Run()))(t)
		var got []string
		for _, message := range errorsOf(result) {
			short, _, _ := strings.Cut(message, ", and zz_generated.")
			got = append(got, short)
		}
		slices.Sort(got)
		slices.Sort(want)
		expect.Equal(t, want, got)
		changes := result.Changes()
		expect.True(t, len(changes) == 0, "%d files are to be written", len(changes))
	})
}

// isCopied reports whether the package in a folder is made of one of the other scope, with all that
// the author declares there.
func isCopied(tree map[string][]byte, dir string) bool {
	return tree[path.Join(dir, "zz_generated.scope_groupversion_info.go")] != nil
}

// eachWayToDeclare calls a function for each provider and each way to declare names, with
// the files of the provider. A small budget has two providers, and one of the ways for each.
func eachWayToDeclare(t *testing.T, do func(t *testing.T, p string, tree map[string][]byte, way int)) {
	for i, p := range testprovider.Some(2) {
		for way := range budget.Of(1, len(declarations)) {
			t.Run(fmt.Sprintf("%s/%d", p, way), func(t *testing.T) {
				t.Parallel()
				do(t, p, testmodule.ReadTree(t, filepath.Join("../testdata", p)), i+way)
			})
		}
	}
}

// authorsFile returns the name of the file that the author adds to a folder. One whose
// package mrgen writes as a whole has tests of the author, at most.
func authorsFile(dir string) string {
	if strings.HasSuffix(dir, "/registry") {
		return "author_test.go"
	}
	return "author.go"
}

// A goPackage has the files of a package, parsed.
type goPackage struct {
	fset               *token.FileSet
	authors, generated []*ast.File
}

// goPackages returns the packages of a tree that may have generated files, by folder.
func goPackages(t *testing.T, tree map[string][]byte) map[string]*goPackage {
	t.Helper()
	found := map[string]*goPackage{}
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		dir := path.Dir(name)
		if path.Ext(name) != ".go" || !strings.HasPrefix(name, "apis/") && !strings.HasPrefix(name, "internal/registry/") {
			continue
		}
		if found[dir] == nil {
			found[dir] = &goPackage{fset: token.NewFileSet()}
		}
		pkg := found[dir]
		file, err := parser.ParseFile(pkg.fset, name, tree[name], parser.SkipObjectResolution)
		switch {
		case err != nil:
			t.Fatal(err)
		case strings.HasSuffix(file.Name.Name, "_test"):
		case testprovider.IsGenerated(name):
			pkg.generated = append(pkg.generated, file)
		default:
			pkg.authors = append(pkg.authors, file)
		}
	}
	return found
}

// names returns the names in the generated files.
func (p *goPackage) names() map[string]bool { return namesIn(p.generated) }

// namesIn returns the names in files, but for those that something is selected by.
func namesIn(files []*ast.File) map[string]bool {
	names := map[string]bool{}
	for _, file := range files {
		for _, spec := range file.Imports {
			importPath := strings.Trim(spec.Path.Value, `"`)
			names[path.Base(importPath)] = token.IsIdentifier(path.Base(importPath))
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.SelectorExpr:
				ast.Inspect(node.X, func(node ast.Node) bool {
					if name, ok := node.(*ast.Ident); ok {
						names[name.Name] = true
					}
					return true
				})
				return false
			case *ast.Ident:
				names[node.Name] = node.Name != "_"
			}
			return true
		})
	}
	maps.DeleteFunc(names, func(_ string, isName bool) bool { return !isName })
	return names
}

// declares reports whether the author declares a name, or a generated file one that can't
// be another.
func (p *goPackage) declares(name string) bool {
	declares := func(file *ast.File) bool {
		return slices.ContainsFunc(file.Decls, func(decl ast.Decl) bool {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				return decl.Recv == nil && decl.Name.Name == name
			case *ast.GenDecl:
				return slices.ContainsFunc(decl.Specs, func(spec ast.Spec) bool {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						return spec.Name.Name == name
					case *ast.ValueSpec:
						return slices.ContainsFunc(spec.Names, func(n *ast.Ident) bool { return n.Name == name })
					case *ast.ImportSpec:
						// What one file imports, no file may declare.
						return spec.Name != nil && spec.Name.Name == name || spec.Name == nil && path.Base(strings.Trim(spec.Path.Value, `"`)) == name
					}
					return false
				})
			}
			return false
		})
	}
	return slices.ContainsFunc(p.authors, declares) || (ast.IsExported(name) || len(p.authors) == 0) && slices.ContainsFunc(p.generated, declares)
}

// check returns what doesn't compile, as far as that can be told without what the package
// imports.
func (p *goPackage) check() []string {
	var problems []string
	config := &types.Config{
		Importer: nothing{},
		Error: func(err error) {
			var problem types.Error
			if errors.As(err, &problem) && !strings.Contains(problem.Msg, "could not import") {
				problems = append(problems, problem.Error())
			}
		},
	}
	_, _ = config.Check("p", p.fset, slices.Concat(p.authors, p.generated), nil)
	return problems
}

// nothing is an importer of nothing.
type nothing struct{}

func (nothing) Import(string) (*types.Package, error) { return nil, errors.New("not imported") }

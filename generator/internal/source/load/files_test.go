package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/source/goenv"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestErrorPosition checks positions as the go command and go/packages write them.
func TestErrorPosition(t *testing.T) {
	root := expect.Value(filepath.Abs("testdata"))(t)
	inRoot := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	files := Files{Scope: &modules.Scope{Options: modules.Options{Root: root}}}
	types := []string{inRoot("apis/v1/types.go")}
	pkgs := []*packages.Package{{GoFiles: types}, {CompiledGoFiles: types}, {IgnoredFiles: types}, {OtherFiles: types}}
	for text, want := range map[string]diag.Position{
		inRoot("a/b.go") + ":12:3": {File: "a/b.go", Line: 12, Column: 3},
		inRoot("a/b.go") + ":12":   {File: "a/b.go", Line: 12},
		inRoot("a/b.go") + ":12:-": {File: "a/b.go", Line: 12},
		inRoot("a/b.go"):           {File: "a/b.go"},
		"b.go:4:5":                 {File: "apis/b.go", Line: 4, Column: 5},
		"b:7.go:4:5":               {File: "apis/b:7.go", Line: 4, Column: 5},
		"a:1:2:3":                  {File: "apis/a:1", Line: 2, Column: 3},
		"-":                        {File: "apis/v1"},
		"":                         {File: "apis/v1"},
		"example.org/v1":           {File: "apis/v1"},
	} {
		for _, pkg := range pkgs {
			pkg.ID = "example.org/v1"
			expect.Equal(t, want, files.ErrorPosition(&loader.Package{Package: pkg}, inRoot("apis"), text), "%q", text)
		}
	}
}

// TestEnclosingAt has the position of each name lead to the name.
func TestEnclosingAt(t *testing.T) {
	const source = "package p\n\n// A is a type.\ntype A struct {\n\tB []string\n}\n\nvar c int\n"
	files := Files{Scope: &modules.Scope{Options: modules.Options{Root: "/p"}}, Fset: token.NewFileSet()}
	file := expect.Value(parser.ParseFile(files.Fset, "/p/a.go", source, parser.ParseComments))(t)
	pkg := &loader.Package{Package: &packages.Package{Syntax: []*ast.File{file}}}
	ast.Inspect(file, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok {
			nodes := files.EnclosingAt(pkg, files.Position(name.Pos()))
			expect.True(t, len(nodes) != 0 && nodes[0] == n, "%s is within %v", name, nodes)
		}
		return true
	})
	for at, encloses := range map[diag.Position]bool{
		{File: "a.go", Line: 5}: true, {File: "a.go", Line: 99, Column: 1}: false, {File: "a.go"}: false, {File: "b.go", Line: 4, Column: 6}: false,
	} {
		nodes := files.EnclosingAt(pkg, at)
		expect.True(t, len(nodes) > 0 == encloses, "%s is within %v", at, nodes)
	}
}

// TestDropBodies keeps bodies with markers, which controller-tools reads.
func TestDropBodies(t *testing.T) {
	const source = "package p\n\nfunc f() {\n\t// +kubebuilder:validation:Enum=a\n\ttype a string\n}\n\nfunc g() {\n\t// A type.\n\ttype a string\n}\n"
	file := expect.Value(parser.ParseFile(token.NewFileSet(), "a.go", source, parser.ParseComments))(t)
	DropBodies(file)
	f, g := file.Decls[0].(*ast.FuncDecl), file.Decls[1].(*ast.FuncDecl)
	expect.True(t, len(f.Body.List) == 1 && len(g.Body.List) == 0, "there are %d and %d statements", len(f.Body.List), len(g.Body.List))
}

// TestOverlay writes content that several files have once.
func TestOverlay(t *testing.T) {
	flag, remove, err := writeOverlay(map[string][]byte{"/a.go": []byte("package a"), "/b/a.go": []byte("package a"), "/c.go": []byte("package c")})
	expect.NoError(t, err)
	defer remove()
	files := expect.Value(filepath.Glob(filepath.Join(filepath.Dir(strings.TrimPrefix(flag, "-overlay=")), "*.go")))(t)
	expect.Equal(t, 2, len(files))
}

// TestNoModule asks for the module of a folder without go.mod.
func TestNoModule(t *testing.T) {
	files := Files{Scope: &modules.Scope{Options: modules.Options{Root: t.TempDir()}}}
	name, version := (&Program{Files: files, listing: &Listing{Files: files, settings: &goenv.Settings{}}}).Module(".")
	expect.Equal(t, "", name+version)
}

// TestBuild reports what the compiler says of the author's files, and not of those that mrgen writes.
func TestBuild(t *testing.T) {
	root := t.TempDir()
	testmodule.WriteTree(t, root, map[string][]byte{"go.mod": []byte("module example.org/p\n"), "a/a.go": []byte("package a\n\nvar a int = \"\"\n")})
	p := &Program{Files: Files{Scope: &modules.Scope{Options: modules.Options{Root: root}, Overlay: map[string][]byte{}}}}
	for _, temporary := range []string{os.TempDir(), filepath.Dir(root)} { // where mrgen's are for the compiler: it writes shorter paths
		t.Setenv("TMPDIR", temporary)
		diags := expect.Value(p.Build(t.Context(), ".", []string{"./a"}, map[string][]byte{"a/b.go": []byte("package a\n\nvar b int = \"\"\n")}))(t)
		expect.Equal(t, []string{`a/a.go:3:13: cannot use "" (untyped string constant) as int value in variable declaration`}, expect.Strings(diags))
	}
}

package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// TestErrorPosition checks positions as the go command and go/packages write them.
func TestErrorPosition(t *testing.T) {
	root, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	inRoot := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	files := Files{Scope: &modules.Scope{Options: modules.Options{Root: root}}}
	pkg := &loader.Package{Package: &packages.Package{ID: "example.org/v1", GoFiles: []string{inRoot("apis/v1/types.go")}}}
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
		if got := files.ErrorPosition(pkg, inRoot("apis"), text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// TestEnclosingAt checks which declaration a position leads to.
func TestEnclosingAt(t *testing.T) {
	const source = "package p\n\n// A is a type.\ntype A struct {\n\tB []string\n}\n\nvar c int\n"
	files := Files{Scope: &modules.Scope{Options: modules.Options{Root: "/p"}}, Fset: token.NewFileSet()}
	file, err := parser.ParseFile(files.Fset, "/p/a.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg := &loader.Package{Package: &packages.Package{Syntax: []*ast.File{file}}}
	for _, test := range []struct {
		at   diag.Position
		want string
	}{
		{diag.Position{File: "a.go", Line: 4, Column: 6}, "A"},
		{diag.Position{File: "a.go", Line: 5, Column: 2}, "A"},
		{diag.Position{File: "a.go", Line: 5, Column: 6}, "A"},
		{diag.Position{File: "a.go", Line: 5}, "A"},
		{diag.Position{File: "a.go", Line: 8, Column: 5}, ""},
		{diag.Position{File: "a.go", Line: 99, Column: 1}, ""},
		{diag.Position{File: "b.go", Line: 4, Column: 6}, ""},
	} {
		got := ""
		for _, node := range files.EnclosingAt(pkg, test.at) {
			if spec, isType := node.(*ast.TypeSpec); isType {
				got = spec.Name.Name
			}
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.at, got, test.want)
		}
	}
}

package load

import (
	_ "embed"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

//go:embed testdata/importing.txtar
var importingFiles string

// importing has a package of another module that imports one of the provider's.
var importing = requiresOther + importingFiles

func loadImporting(t *testing.T) *Program {
	t.Helper()
	return typeCheck(t, listProvider(t, importing), nil)
}

// TestImportsMayCloseCycles has the imports of all packages that may be part of an import cycle, and of no others.
func TestImportsMayCloseCycles(t *testing.T) {
	imports := loadImporting(t).Imports()
	want := []string{"example.org/other/back", "example.org/provider/apis/a", "example.org/provider/shared"}
	expect.Equal(t, want, slices.Sorted(maps.Keys(imports)), "there are imports of")
	of := imports["example.org/other/back"]
	expect.True(t, len(of) == 2 && of[1].Path == "example.org/provider/shared", "the other module imports %v", of)
	of = imports["example.org/provider/apis/a"]
	expect.True(t, len(of) == 2 && of[0].Pos.Line == 4 && of[1].Pos.Line == 5, "the API package imports %v", of)
}

// TestPositionsAreForgotten holds that nothing is left of a batch: each adds to the positions else, and looking
// for one takes longer and longer.
func TestPositionsAreForgotten(t *testing.T) {
	const plain = `
-- provider/apis/a/plain.go --
package a

import _ "example.org/provider/plain"
-- provider/plain/plain.go --
package plain
`
	program := typeCheck(t, listProvider(t, importing+plain), nil)
	below := func() (names []string) {
		program.Files.Fset.Iterate(func(file *token.File) bool {
			if strings.HasPrefix(file.Name(), program.Scope.Root()) {
				names = append(names, file.Name())
			}
			return true
		})
		return names
	}
	program.Imports()
	if shared := program.Find(".", "example.org/provider/shared"); len(shared.Parse()) != 1 || len(below()) != 3 { // types refer to it
		t.Fatalf("there are positions in %q, want three files", below())
	}
	code := program.Find(".", "example.org/provider/plain")
	if len(code.Parse()) != 1 || len(below()) != 4 {
		t.Fatalf("there are positions in %q, want four files", below())
	}
	code.Release()
	program.Release()
	names := below()
	expect.True(t, len(names) == 0, "there are positions in %q", names)
}

// TestFoldImports holds that imports which fail for one reason, names aside, are one line.
func TestFoldImports(t *testing.T) {
	at := func(line int) diag.Position { return diag.Position{File: "a.go", Line: line} }
	get := "no module that go.mod requires has it: run go get "
	diags := foldImports([]failedImport{
		{at(1), "example.org/a", get + "example.org/a"},
		{at(2), "example.org/b/v2", get + "example.org/b/v2"},
		{at(3), "example.org/a", get + "example.org/a"},
		{at(4), "example.org/c", "its go.mod can't be read"},
	})
	var alike []string
	for _, d := range diags {
		alike = append(alike, d.Like)
	}
	first := `cannot import "example.org/a" and others, in %d places: ` + get + "example.org/a"
	expect.Equal(t, []string{first, first, first, `cannot import "example.org/c", as %d files do: its go.mod can't be read`}, alike)
}

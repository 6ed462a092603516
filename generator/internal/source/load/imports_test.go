package load

import (
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// TestFoldImports holds that imports which fail for one reason, names aside, are one line.
func TestFoldImports(t *testing.T) {
	at := func(line int) diag.Position { return diag.Position{File: "a.go", Line: line} }
	get := "no module that go.mod requires has it: run go get "
	diags := foldImports([]failedImport{
		{at(1), "example.org/a", get + "example.org/a"},
		{at(2), "example.org/b/v2", get + "example.org/b/v2"},
		{at(3), "example.org/a", get + "example.org/a"},
		{at(4), "example.org/c", "its go.mod can't be read"},
	}).Grouped()
	want := []string{
		`a.go:1: cannot import "example.org/a" and others, in 3 places: ` + get + "example.org/a",
		`a.go:4: cannot import "example.org/c": its go.mod can't be read`,
	}
	if len(diags) != len(want) || diags[0].String() != want[0] || diags[1].String() != want[1] {
		t.Errorf("got %v\nwant %v", diags, want)
	}
}

package gosyntax_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

func TestNames(t *testing.T) {
	for _, test := range []struct {
		source, receiver string
		names            []string
	}{
		{"func F() {}", "", []string{"F"}},
		{"func init() {}", "", nil},
		{"func (t T) F() {}", "T", nil},
		{"func (*T) F() {}", "T", nil},
		{"func (t *T[K, _]) F() {}", "T", nil},
		{"func ((*(T))) F() {}", "T", nil},
		{"const a, b = 1, 2", "", []string{"a", "b"}},
		{"var (_ = 1; c int)", "", []string{"c"}},
		{"type (A int; B = A)", "", []string{"A", "B"}},
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a\n"+test.source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		gosyntax.EachName(file.Decls[0], func(name *ast.Ident) { names = append(names, name.Name) })
		if !slices.Equal(names, test.names) {
			t.Errorf("%s: EachName visits %q, want %q", test.source, names, test.names)
		}
		if f, ok := file.Decls[0].(*ast.FuncDecl); ok && gosyntax.Receiver(f) != test.receiver {
			t.Errorf("%s: Receiver = %q, want %q", test.source, gosyntax.Receiver(f), test.receiver)
		}
	}
}

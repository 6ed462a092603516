package gosyntax_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/testdata/expect"
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
		file := expect.Value(parser.ParseFile(token.NewFileSet(), "a.go", "package a\n"+test.source, parser.SkipObjectResolution))(t)
		var names []string
		gosyntax.EachName(file.Decls[0], func(name *ast.Ident) { names = append(names, name.Name) })
		expect.Equal(t, test.names, names, "%s: EachName visits", test.source)
		if f, ok := file.Decls[0].(*ast.FuncDecl); ok && gosyntax.Receiver(f) != test.receiver {
			t.Errorf("%s: Receiver = %q, want %q", test.source, gosyntax.Receiver(f), test.receiver)
		}
	}
}

func TestUses(t *testing.T) {
	const source = `package p

import (
	"a/pkg"
	ä "b"
	_ "c"
	. "d"
)

// A comment names things.Like this.
func (x *T) m(a pkg.Type, b []ä.Name) {
	x.field.deep[0].last = len(a.b) + f().g
	_ = "len"
}
`
	file := expect.Value(parser.ParseFile(token.NewFileSet(), "a.go", source, parser.SkipObjectResolution))(t)
	var got []string
	gosyntax.EachUse(file, func(from, name *ast.Ident) {
		if from != nil {
			got = append(got, from.Name+"."+name.Name)
		} else {
			got = append(got, name.Name)
		}
	})
	want := []string{"p", "x", "T", "m", "a", "pkg.Type", "b", "ä.Name", "x.field", "len", "a.b", "f", "_"}
	expect.Equal(t, want, got, "EachUse visits")
	imports := gosyntax.NewImports(file, path.Base)
	for name, want := range map[string]string{"pkg": "a/pkg", "ä": "b", "_": "", ".": "", "d": ""} {
		expect.Equal(t, want, imports.Path(name), "%s stands for", name)
	}
	expect.True(t, len(imports.Dots) == 1 && gosyntax.ImportPath(imports.Dots[0]) == "d", "dot imports: %v, want d", imports.Dots)
	unknown := gosyntax.NewImports(file, func(string) string { return "" })
	expect.True(t, unknown.Path("pkg") == "" && unknown.Path("ä") == "b", "a package without a known name stands for a name: %v", unknown.ByName)
}

func TestDeclared(t *testing.T) {
	const source = `// +a:b=first
package p

/* +a:b=block */
type A struct{ x.Embedded }

//+a:b=second
type (
	B struct{ Embedded x.Other }
	C int
)

func f() {
	// + kept
	type local struct{ x.Embedded }
}
`
	file := expect.Value(parser.ParseFile(token.NewFileSet(), "a.go", source, parser.SkipObjectResolution|parser.ParseComments))(t)
	var types, embedding []string
	for group, spec := range gosyntax.Types(file) {
		types = append(types, spec.Name.Name)
		expect.True(t, len(group.Specs) == map[string]int{"A": 1, "B": 2, "C": 2}[spec.Name.Name], "%s is declared with %d types", spec.Name.Name, len(group.Specs))
		if gosyntax.Embeds(spec.Type, "Embedded") {
			embedding = append(embedding, spec.Name.Name)
		}
	}
	expect.True(t, slices.Equal(types, []string{"A", "B", "C"}) && slices.Equal(embedding, []string{"A"}), "got the types %q, of which %q embed one", types, embedding)
	var markers []string
	for _, text := range gosyntax.Markers(file.Comments...) {
		markers = append(markers, text)
	}
	expect.Equal(t, []string{"a:b=first", "a:b=second", " kept"}, markers, "got the markers")
	for range gosyntax.Types(file) {
		break
	}
	for range gosyntax.Markers(file.Comments...) {
		break
	}
}

// TestCase holds how names of types become those of functions and variables.
func TestCase(t *testing.T) {
	for name, want := range map[string][2]string{
		"VPCParameters": {"VPCParameters", "vpcParameters"}, "Tag": {"Tag", "tag"}, "ID": {"ID", "id"}, "A": {"A", "a"},
		"IPv4": {"IPv4", "iPv4"}, "tag": {"Tag", "tag"}, "öffnung": {"Öffnung", "öffnung"}, "HTTPS2": {"HTTPS2", "https2"}, "ID2": {"ID2", "id2"}, "aB": {"AB", "aB"},
		"IDs": {"IDs", "ids"}, "URLsRef": {"URLsRef", "urlsRef"}, "IPsec": {"IPsec", "iPsec"}, "IsA": {"IsA", "isA"},
	} {
		expect.Equal(t, want, [2]string{gosyntax.Exported(name), gosyntax.Unexported(name)}, "%s", name)
	}
}

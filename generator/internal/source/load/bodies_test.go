package load

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var bodies = []struct{ name, source, want string }{
	{"empty", "", ""},
	{"a function", "func f() {\n\treturn g()\n}\n", "func f() {\n\n}\n"},
	{"on one line", "func f() { g() } // c\n", "func f() {     } // c\n"},
	{"indented", "func f() {\n\tif a {\n\t}\n\n  } // c\n", "func f() {\n\n\n\n  } // c\n"},
	{"a method", "func (t *T[K]) f(a [n]int) (b int) { x }", "func (t *T[K]) f(a [n]int) (b int) {   }"},
	{"brackets in literals", "func f() { a(\"}\\\"}\", '}', '\\'', `}\"`) }", "func f() {" + strings.Repeat(" ", 28) + "}"},
	{"brackets in comments", "func f() { /* } */ // }\n}", "func f() {\n}"},
	{"types with braces", "func f(a struct{ b int }) (interface{ c() }, d) { x }", "func f(a struct{ b int }) (interface{ c() }, d) {   }"},
	{"a result with braces", "func f() struct{} { x }", "func f() struct{} {   }"},
	{"a result over lines", "func f() interface {\n\tc()\n} { x }", "func f() interface {\n\tc()\n} {   }"},
	{"no body", "func f()\nfunc g() { x }", "func f()\nfunc g() {   }"},
	{"a type parameter", "func f[T interface{ ~int }](a T) { x }", "func f[T interface{ ~int }](a T) {   }"},
	{"a marker", "func f() {\n\t// +a\n\ttype t int\n}\n", "func f() {\n\t// +a\n\ttype t int\n}\n"},
	{"a marker before it", "// +a\nfunc f() { x }", "// +a\nfunc f() {   }"},
	{"declarations", "type t struct{ a int }\nvar f = func() { x }\n", "type t struct{ a int }\nvar f = func() { x }\n"},
	{"text in the first column", "const c = `\nfunc f() { x }`", "const c = `\nfunc f() { x }`"},
	{"an open body", "func f() { x", "func f() { x"},
	{"an open header", "func f(a", "func f(a"},
	{"an open string", "func f() { \"\\", "func f() { \"\\"},
}

func TestWithoutBodies(t *testing.T) {
	for _, test := range bodies {
		t.Run(test.name, func(t *testing.T) {
			got := string(withoutBodies([]byte(test.source)))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("withoutBodies(%q) (-want +got):\n%s", test.source, diff)
			}
		})
	}
}

// TestWithoutBodiesOfLibrary compares what the parser finds in packages of the standard
// library with and without bodies.
func TestWithoutBodiesOfLibrary(t *testing.T) {
	dropped := 0
	for _, dir := range []string{"encoding", "go", "reflect"} {
		err := filepath.WalkDir(filepath.Join(build.Default.GOROOT, "src", dir), func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && entry.Name() == "testdata":
				return fs.SkipDir
			}
			if filepath.Ext(name) != ".go" {
				return nil
			}
			source, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			dropped += compareBodies(t, name, source)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if dropped < 100_000 {
		t.Errorf("only %d characters were dropped", dropped)
	}
}

func FuzzWithoutBodies(f *testing.F) {
	for _, test := range bodies {
		f.Add([]byte("package p\n\n" + test.source))
	}
	f.Fuzz(func(t *testing.T, source []byte) { compareBodies(t, "fuzz.go", source) })
}

// compareBodies parses source with and without bodies, and returns how many characters
// were dropped. Source that does not parse only has to be survived.
func compareBodies(t *testing.T, name string, source []byte) int {
	t.Helper()
	dropped := withoutBodies(bytes.Clone(source))
	want, err := declarations(name, source)
	if err != nil {
		return 0
	}
	got, err := declarations(name, dropped)
	if err != nil {
		t.Fatalf("%s doesn't parse without bodies: %v", name, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s differs without bodies (-want +got):\n%s", name, diff)
	}
	return len(source) - len(dropped)
}

// declarations returns a file as it is printed without the bodies of functions, and
// where its declarations begin and end.
func declarations(name string, source []byte) (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, source, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	dropBodies(file)
	var text strings.Builder
	for _, decl := range file.Decls {
		text.WriteString(fset.PositionFor(decl.Pos(), false).String() + " " + fset.PositionFor(decl.End(), false).String() + "\n")
		if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil && len(f.Body.List) == 0 {
			f.Body = nil
		}
		if err := printer.Fprint(&text, fset, decl); err != nil {
			return "", err
		}
	}
	return text.String(), nil
}

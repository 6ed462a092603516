package gosrc_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestImportsKeepClear imports packages into a file of a package that has the names.
func TestImportsKeepClear(t *testing.T) {
	p := gosrc.NewPackage("example.org/own/v1", "v1")
	p.Claim(slices.Values([]string{"fmt", "client", "clientpkg", "helper"}))
	p.ClaimImports(slices.Values([]string{"author", "wanted"}))
	for name, want := range map[string]string{"helper": "helper2", "author": "author2", "free": "free", "client": "client2"} {
		expect.Equal(t, want, p.Declare(name), "declared %s as", name)
	}
	imports := p.NewImports(gosrc.Variables("in", "x1"))
	var got []string
	for _, importPath := range []string{
		"example.org/free", "example.org/author", "example.org/client", "example.org/in", "example.org/x", "example.org/a/x",
		"example.org/b/x", "example.org/len", "example.org/range", "example.org/init", "example.org/own/v1", "example.org/x",
	} {
		alias := importPath[strings.LastIndex(importPath, "/")+1:]
		got = append(got, imports.Qualified(flavor.Import{Path: importPath, Alias: alias}, "Name"))
	}
	got = append(got, imports.Standard("fmt", "Name"), imports.Standard("maps", "Name"))
	want := []string{
		"freepkg.Name", "author.Name", "clientpkgpkg.Name", "inpkg.Name", "x.Name", "x2.Name",
		"x3.Name", "len1.Name", "range1.Name", "init1.Name", "Name", "x.Name", "fmtpkg.Name", "maps.Name",
	}
	expect.Equal(t, want, got)
	specs := imports.Specs()
	expect.True(t, slices.Contains(specs, `fmtpkg "fmt"`) && slices.Contains(specs, `"maps"`), "got the imports %v", specs)
	// Another file declares no name that this one imports by.
	expect.Equal(t, "maps2", p.Declare("maps"), "declared maps as")
}

// TestVariable makes sure that a variable hides nothing, and that its name is known again.
func TestVariable(t *testing.T) {
	hidden := gosrc.Variables("p", "pVar")
	for name, want := range map[string]string{"p": "pVarVar", "q": "q"} {
		if got := gosrc.Variable(name, hidden); got != want || gosrc.Wanted(got) != name {
			t.Errorf("the variable %s is called %s, want %s, which is for %s", name, got, want, gosrc.Wanted(got))
		}
	}
}

// TestTemplate copies a function and a whole file with other names.
func TestTemplate(t *testing.T) {
	const source = "package p\n\nimport (\n\t\"fmt\"\n\t\"go/ast\"\n)\n\n// F prints.\nfunc F(x *ast.Ident) { fmt.Println(x.Name, g(\"fmt.x\")) } // as it is\n\nfunc g(s string) string { return s }\n"
	template := gosrc.MustParseTemplate(source)
	replaced := func(node ast.Node, names map[string]string) string {
		var copied strings.Builder
		write := func(text string) { copied.WriteString(text) }
		template.Copy(node, write, func(importPath, name string) func() {
			if by := names[importPath+"|"+name]; by != "" {
				return func() { write(by) }
			}
			return nil
		})
		return copied.String()
	}
	expect.Equal(t, strings.TrimSuffix(source, "\n"), replaced(template.Syntax, nil), "without other names it became")
	got := replaced(template.Syntax, map[string]string{"fmt|": `f "fmt"`, "fmt|Println": "f.Println", "|g": "g2"})
	want := strings.NewReplacer(`"fmt"`, `f "fmt"`, "fmt.Println", "f.Println", `g("fmt.x")`, `g2("fmt.x")`, "func g(", "func g2(").Replace(strings.TrimSuffix(source, "\n"))
	expect.Equal(t, want, got)
	got = replaced(template.Syntax.Decls[1], map[string]string{"go/ast|Ident": "syntax.Ident"})
	expect.True(t, got == `func F(x *syntax.Ident) { fmt.Println(x.Name, g("fmt.x")) }`, "the function became %s", got)
}

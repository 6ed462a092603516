package scopecopies

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/scopepair"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestElements removes each selection of elements from lists, and of statements from functions, in several layouts. Go's
// parser must find the others in the copy.
func TestElements(t *testing.T) {
	const count = 4
	var declarations, functions strings.Builder
	declarations.WriteString("package code\n\nimport \"example.org/provider/apis/namespaced/v1\"\n\nvar _ v1.Kind\n\n")
	want := map[string][]string{}
	for i := range count {
		fmt.Fprintf(&declarations, "type Kept%d struct{}\n\n// +mrgen:scope=namespaced\ntype Gone%d struct{}\n\n", i, i)
	}
	declarations.WriteString("func use(any) {}\n\n")
	for mask := range 1 << count {
		for layout, separator := range []string{", ", ",\n\t\t", ", // one\n\t\t", " /* one */, ", ";", "; ", "\n\t", " ;\n\t", " /* one */; ", " // one\n\t"} {
			name := fmt.Sprintf("F%d_%d", mask, layout)
			element, function := "&%s{}", "func %s() []any { return []any{%s} }\n\n"
			if !strings.Contains(separator, ",") {
				element, function = "use(&%s{})", "func %s() {\n\t%s\n}\n\n"
			}
			var elements []string
			for i := range count {
				kind := fmt.Sprintf("Kept%d", i)
				if mask>>i&1 == 1 {
					kind = fmt.Sprintf("Gone%d", i)
				} else {
					want[name] = append(want[name], kind)
				}
				elements = append(elements, fmt.Sprintf(element, kind))
			}
			fmt.Fprintf(&functions, function, name, strings.Join(elements, separator))
		}
	}
	root := t.TempDir()
	testmodule.WriteTree(t, root, map[string][]byte{
		"go.mod": []byte("module " + testmodule.Path + "\n"), "apis/namespaced/v1/kind.go": []byte("// +groupName=a.m.example.org\n" + headed),
		"code/namespaced/code.go": []byte(declarations.String() + functions.String()),
	})
	pair := parsePair(t, "folders apis/namespaced apis/cluster\ngroup *.m.example.org *.example.org\ncode code/namespaced code/cluster")
	opts := Options{Root: root, Module: testmodule.Path, Pairs: []scopepair.Pair{pair}, IsOutput: func(string) bool { return false }, PackageNames: packageNames}
	files, diags := Files(opts)
	copied := files["code/cluster/zz_generated.scope_code.go"]
	expect.Must(t, len(diags) == 0 && copied != nil, "%v", diags)
	file := expect.Value(parser.ParseFile(token.NewFileSet(), "", copied.Content, 0))(t)
	for _, decl := range file.Decls {
		function, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		var got []string
		for node := range ast.Preorder(function) {
			if name, ok := node.(*ast.Ident); ok && (strings.HasPrefix(name.Name, "Kept") || strings.HasPrefix(name.Name, "Gone")) {
				got = append(got, name.Name)
			}
		}
		expect.Equal(t, want[function.Name.Name], got, "%s", function.Name.Name)
		delete(want, function.Name.Name)
	}
	expect.True(t, len(want) == 0, "the copy lacks %v", want)
}

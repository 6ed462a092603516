package generator

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocumentedFields holds that go doc shows the fields of all types that users of the package
// meet: none is another name of a struct in an internal package.
func TestDocumentedFields(t *testing.T) {
	isStruct := map[string]bool{} // by package and name
	var aliases []*ast.TypeSpec
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			spec, ok := node.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if _, ok := spec.Type.(*ast.StructType); ok {
				isStruct[parsed.Name.Name+"."+spec.Name.Name] = true
			}
			if _, isOther := spec.Type.(*ast.SelectorExpr); isOther && filepath.Dir(file) == "." && spec.Name.IsExported() {
				aliases = append(aliases, spec)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(aliases) == 0 || !isStruct["diag.Diagnostic"] {
		t.Error("nothing was found: that proves little")
	}
	for _, spec := range aliases {
		selector := spec.Type.(*ast.SelectorExpr)
		if name := selector.X.(*ast.Ident).Name + "." + selector.Sel.Name; isStruct[name] {
			t.Errorf("%s is %s, whose fields go doc doesn't show", spec.Name.Name, name)
		}
	}
}

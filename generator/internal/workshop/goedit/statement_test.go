package goedit

import (
	"go/ast"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestInsertStatement checks where a statement is inserted, with the line breaks of the file.
func TestInsertStatement(t *testing.T) {
	const condition = "\tif err := a.Add(m); err != nil {\n\t\treturn err\n\t}\n"
	for name, test := range map[string]struct{ before, statement, after string }{
		"condition": {
			"package p\n\nimport \"x/a\"\n\nfunc f() error {\n" + condition + "\treturn nil\n}\n", "if err := gone.Add(m); err != nil {\n\t\treturn err\n\t}",
			"package p\n\nimport \"x/a\"\nimport gone \"x/gone\"\n\nfunc f() error {\n" + condition + "\tif err := gone.Add(m); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n",
		},
		"call in a call": {
			"package p\n\nimport \"x/a\"\n\nfunc f() {\n\tmust(a.Add(m)) // first\n}\n", "must(gone.Add(m))",
			"package p\n\nimport \"x/a\"\nimport gone \"x/gone\"\n\nfunc f() {\n\tmust(a.Add(m)) // first\n\tmust(gone.Add(m))\n}\n",
		},
		"line breaks of Windows": {
			"package p\r\n\r\nimport \"x/a\"\r\n\r\nfunc f() {\r\n\ta.Add(m)\r\n}\r\n", "gone.Add(m)",
			"package p\r\n\r\nimport \"x/a\"\r\nimport gone \"x/gone\"\r\n\r\nfunc f() {\r\n\ta.Add(m)\r\n\tgone.Add(m)\r\n}\r\n",
		},
	} {
		f := expect.Value(Parse(t.TempDir(), "p.go", []byte(test.before)))(t)
		f.Import("x/gone", "x", "gone")
		function := f.Syntax.Decls[1].(*ast.FuncDecl)
		f.InsertStatement(function.Body.List[0], test.statement)
		got, err := f.Edited()
		expect.True(t, err == nil && string(got) == test.after, "%s: got (%v)\n%s\nwant\n%s", name, err, got, test.after)
	}
}

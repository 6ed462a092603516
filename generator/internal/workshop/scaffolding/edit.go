package scaffolding

import (
	"go/ast"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/goedit"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
)

// edit changes a file of the author, on top of earlier edits.
func (a *addition) edit(name string, change func(*goedit.File)) {
	content, ok := a.content(name)
	if !ok {
		return
	}
	f, err := goedit.Parse(a.root, name, content)
	if err != nil {
		a.diags = append(a.diags, layout.Unparsable(name, err))
		return
	}
	change(f)
	if a.Files[name], err = f.Edited(); err != nil {
		a.errorf(name, "mrgen can't add to this file: %v: run gofmt on it, and put each element of a list on a line of its own", err)
	}
	a.Edited[name] = true
}

// findType returns the declaration of a type in a file, or nil.
func findType(file *ast.File, name string) (*ast.GenDecl, *ast.TypeSpec) {
	for declaration, spec := range gosyntax.Types(file) {
		if spec.Name.Name == name {
			return declaration, spec
		}
	}
	return nil, nil
}

package gosrc

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// A Template is a Go file that is compiled and tested as it is, and copied into generated files, with other names for
// its imports.
type Template struct {
	// Syntax is the file, parsed.
	Syntax *ast.File

	source  string
	files   *token.FileSet
	imports *gosyntax.Imports
}

// MustParseTemplate parses the source of a template, which is part of mrgen. It panics if the source isn't Go. The
// template must import all packages by their own names, which are the last elements of their paths.
func MustParseTemplate(source string) *Template {
	t := &Template{source: source, files: token.NewFileSet()}
	var err error
	if t.Syntax, err = parser.ParseFile(t.files, "", source, parser.ParseComments); err != nil {
		panic(err)
	}
	t.imports = gosyntax.NewImports(t.Syntax, path.Base)
	return t
}

// Text returns the source from one position to another.
func (t *Template) Text(from, to token.Pos) string {
	return t.source[t.files.Position(from).Offset:t.files.Position(to).Offset]
}

// Copy calls text with the parts of a node, in order, except for replaced parts. Replace returns a function that writes
// the replacement of an identifier, or nil. It gets the import path with an identifier that an imported package
// declares, and the import path alone with each import.
func (t *Template) Copy(node ast.Node, text func(string), replace func(importPath, name string) func()) {
	at := node.Pos()
	ast.Inspect(node, func(part ast.Node) bool {
		var write func()
		switch part := part.(type) {
		case *ast.ImportSpec:
			write = replace(gosyntax.ImportPath(part), "")
		case *ast.SelectorExpr:
			if importPath, name := t.imports.Selected(part); importPath != "" {
				write = replace(importPath, name)
			}
		case *ast.Ident:
			write = replace("", part.Name)
		}
		if write == nil {
			return true
		}
		text(t.Text(at, part.Pos()))
		write()
		at = part.End()
		return false
	})
	text(t.Text(at, node.End()))
}

// Source returns the formatted source of a file whose text is given from its package comment on, below the first lines
// of all generated files.
func (p *Package) Source(header, source string) ([]byte, error) {
	top, err := render(newFile(p, header))
	if err != nil {
		return nil, err
	}
	top, _ = bytes.CutSuffix(top, []byte("package "+p.name+"\n"))
	content, err := format.Source(append(top, source...))
	if err != nil {
		return nil, fmt.Errorf("cannot render Go source: %w", err)
	}
	return content, nil
}

package gosrc

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"strings"

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

// Declare declares the names of a template in a package, and returns the names there by the template's.
func (t *Template) Declare(in *Package) map[string]string {
	names := map[string]string{}
	for _, decl := range t.Syntax.Decls {
		gosyntax.EachName(decl, func(name *ast.Ident) { names[name.Name] = in.Declare(name.Name) })
	}
	return names
}

// Write writes copies of the declarations of a template to a file, with the names of [Template.Declare] and the file's
// names for its imports.
func (t *Template) Write(f *File, names map[string]string) {
	for _, decl := range t.Syntax.Decls {
		if imports, ok := decl.(*ast.GenDecl); ok && imports.Tok == token.IMPORT { // the file has imports of its own
			continue
		}
		f.Blank()
		doc := t.Text(start(decl), decl.Pos())
		gosyntax.EachName(decl, func(name *ast.Ident) {
			if other := names[name.Name]; other != "" {
				// the doc comment begins with the name, which may be another one in the copy
				doc = strings.Replace(doc, " "+name.Name+" ", " "+other+" ", 1)
			}
		})
		f.WriteString(doc)
		t.Copy(decl, func(text string) { f.WriteString(text) }, func(importPath, name string) func() {
			switch {
			case importPath != "":
				return func() { f.WriteString(f.Reference(importPath, name)) }
			case names[name] != "":
				return func() { f.WriteString(names[name]) }
			default:
				return nil
			}
		})
		f.WriteString("\n")
	}
}

// start returns the beginning of a declaration, including its comment.
func start(decl ast.Decl) token.Pos {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Doc != nil {
			return decl.Doc.Pos()
		}
	case *ast.GenDecl:
		if decl.Doc != nil {
			return decl.Doc.Pos()
		}
	}
	return decl.Pos()
}

// Variables returns the names of variables and fields in a template.
func (t *Template) Variables() map[string]bool {
	inside := map[string]bool{}
	ast.Inspect(t.Syntax, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.AssignStmt:
			for _, left := range node.Lhs {
				if name, ok := left.(*ast.Ident); ok && node.Tok == token.DEFINE {
					inside[name.Name] = true
				}
			}
		case *ast.RangeStmt:
			for _, left := range []ast.Expr{node.Key, node.Value} {
				if name, ok := left.(*ast.Ident); ok {
					inside[name.Name] = true
				}
			}
		case *ast.Field:
			for _, name := range node.Names {
				inside[name.Name] = true
			}
		case *ast.ValueSpec:
			for _, name := range node.Names {
				inside[name.Name] = true
			}
		}
		return true
	})
	return inside
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

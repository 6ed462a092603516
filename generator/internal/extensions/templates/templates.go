// Package templates copies functions into generated tests: from Go files that are compiled and tested as they are.
package templates

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

// Declare declares the names of a template in a package, and returns the names there by the template's.
func Declare(t *gosrc.Template, in *gosrc.Package) map[string]string {
	names := map[string]string{}
	for _, decl := range t.Syntax.Decls {
		gosyntax.EachName(decl, func(name *ast.Ident) { names[name.Name] = in.Declare(name.Name) })
	}
	return names
}

// Write writes copies of the declarations of a template to a file, with the names of [Declare] and the file's names for
// its imports.
func Write(t *gosrc.Template, f *gosrc.File, names map[string]string) {
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
func Variables(t *gosrc.Template) map[string]bool {
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

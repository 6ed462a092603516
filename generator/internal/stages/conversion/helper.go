package conversion

import (
	"go/ast"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

// helper returns the name of a declaration of a template, and has it written.
func (w *writer) helper(name string) string {
	if w.helpers[name] == "" {
		w.helpers[name] = w.into.Declare(name)
	}
	return w.helpers[name]
}

// writeHelpers writes the declarations of templates that are needed, in their order there.
func (w *writer) writeHelpers() {
	copies := map[ast.Node]string{}
	for len(copies) < len(w.helpers) {
		for _, declared := range w.declarations() {
			if _, isDone := copies[declared.node]; !isDone && w.helpers[declared.name] != "" {
				copies[declared.node] = "" // it may name itself
				copies[declared.node] = w.copyOf(declared)
			}
		}
	}
	for _, declared := range w.declarations() {
		if text, ok := copies[declared.node]; ok {
			w.Blank()
			w.WriteString(text + "\n")
		}
	}
}

// reference returns a reference to a name in a package that is called as its path ends.
func (w *writer) reference(importPath, name string) string {
	if domain, _, _ := strings.Cut(importPath, "/"); !strings.Contains(domain, ".") {
		return w.Standard(importPath, name)
	}
	return w.Qualified(flavor.NewImport(importPath, path.Base(importPath)), name)
}

// A declaration is one of a template, without what it imports.
type declaration struct {
	template *gosrc.Template
	name     string
	node     ast.Node
}

// declarations returns what the templates declare, but for methods, which come with their
// types.
func (w *writer) declarations() []declaration {
	var all []declaration
	for _, template := range w.templates {
		for _, decl := range template.Syntax.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Recv == nil {
					all = append(all, declaration{template, decl.Name.Name, decl})
				}
			case *ast.GenDecl:
				switch spec := decl.Specs[0].(type) {
				case *ast.TypeSpec:
					all = append(all, declaration{template, spec.Name.Name, decl})
				case *ast.ValueSpec:
					all = append(all, declaration{template, spec.Names[0].Name, decl})
				}
			}
		}
	}
	return all
}

// copyOf returns a declaration, and the methods of a type, with the names that the file has
// for what they use.
func (w *writer) copyOf(declared declaration) string {
	isDeclared := func(name string) bool {
		return slices.ContainsFunc(w.declarations(), func(d declaration) bool { return d.name == name })
	}
	var texts []string
	for _, part := range append([]declaration{declared}, w.methodsOf(declared.name)...) {
		var b strings.Builder
		add := func(text string) func() { return func() { b.WriteString(text) } }
		part.template.Copy(part.node, func(text string) { b.WriteString(text) }, func(importPath, name string) func() {
			switch {
			case importPath != "":
				return add(w.reference(importPath, name))
			case isDeclared(name):
				return add(w.helper(name))
			default:
				return nil
			}
		})
		texts = append(texts, w.docOf(part)+b.String())
	}
	return strings.Join(texts, "\n\n")
}

// methodsOf returns the methods of a type, which any template may have.
func (w *writer) methodsOf(name string) []declaration {
	var methods []declaration
	for _, template := range w.templates {
		for _, decl := range template.Syntax.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv == nil {
				continue
			}
			of := f.Recv.List[0].Type
			if pointer, ok := of.(*ast.StarExpr); ok {
				of = pointer.X
			}
			if of.(*ast.Ident).Name == name {
				methods = append(methods, declaration{template, name, f})
			}
		}
	}
	return methods
}

// docOf returns the comment of a declaration, with the name that the file has for that.
func (w *writer) docOf(of declaration) string {
	var doc *ast.CommentGroup
	switch decl := of.node.(type) {
	case *ast.FuncDecl:
		doc = decl.Doc
	case *ast.GenDecl:
		doc = decl.Doc
	}
	return strings.Replace(of.template.Text(doc.Pos(), of.node.Pos()), " "+of.name+" ", " "+w.helpers[of.name]+" ", 1)
}

package scopecopies

import (
	"bytes"
	"go/ast"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/textedit"
)

// copyFile writes a file in the other scope.
func (c *copier) copyFile(p *source, f *sourceFile) {
	isKept := func(i *item) bool { return i.fate == copied }
	header := c.headerFor(f) + artifact.GoHeader + "\n\n// This file is generated from " + f.name + ".\n\n"
	isDoc := len(f.items) == 0 && !slices.Contains(c.goFiles(p.to, p.api), path.Base(f.name))
	if len(fileMarkers(f.syntax)) > 0 || !isDoc && !slices.ContainsFunc(f.items, isKept) {
		return
	}
	if load.IsForMachines(path.Base(f.name)) {
		c.errorf(f.syntax.Package, "the name of this file limits it to some machines, but not its copy: rename it, or write a //go:build line instead")
	}
	r := &rewriter{copier: c, source: p, file: f}
	r.remove()
	r.findFixed()
	r.findConfigs()
	r.rewriteNames()
	r.rewriteValues()
	r.rewriteComments()
	if c.diags.HasErrors() {
		return
	}
	edited, spans, _ := textedit.Apply(f.content, r.edits, 0, len(f.content))
	content, marks, err := c.finish(f, header, edited, spans)
	if err != nil {
		c.report(diag.Errorf(diag.Position{File: f.name}, codeScope, "%s", diag.Internal(err.Error())))
		return
	}
	c.files[path.Join(p.to, modules.CopyPrefix+path.Base(f.name))] = &modules.Copy{
		Source: f.name, Content: content, Marks: marks, API: p.api, Note: c.scope.String(),
	}
}

// headerFor returns the text for the top of the copy of a file, none if the file has one: a comment that
// isn't about the package.
func (c *copier) headerFor(f *sourceFile) string {
	isHeader := func(group *ast.CommentGroup) bool {
		return group.End() < f.syntax.Package && group != f.syntax.Doc && group.Text() != "" // directives have no text
	}
	if c.opts.Header == "" || slices.ContainsFunc(f.syntax.Comments, isHeader) {
		return ""
	}
	return c.opts.Header + "\n\n"
}

// A rewriter rewrites a file for the other scope.
type rewriter struct {
	*copier
	source *source
	file   *sourceFile
	edits  []textedit.Edit
	// names are the names in the file.
	names map[string]bool
	// fixed are parts whose types are the same in both scopes, and configs the types of references to ProviderConfigs.
	fixed, configs []ast.Node
}

func (r *rewriter) edit(start, end int, text string) {
	r.edits = append(r.edits, textedit.Edit{Start: start, End: end, Text: text})
}

func (r *rewriter) replace(node ast.Node, text string) {
	r.edit(r.offset(node.Pos()), r.offset(node.End()), text)
}

// isRemoved reports whether a node is inside removed code.
func (r *rewriter) isRemoved(node ast.Node) bool {
	at := r.offset(node.Pos())
	return slices.ContainsFunc(r.edits, func(e textedit.Edit) bool { return e.Text == "" && e.Start <= at && at < e.End })
}

// remove leaves out the declarations that are not copied.
func (r *rewriter) remove() {
	byGroup := map[*ast.GenDecl][]*item{}
	for _, i := range r.file.items {
		if i.group != nil {
			byGroup[i.group] = append(byGroup[i.group], i)
		}
	}
	for _, i := range r.file.items {
		switch {
		case i.fate == copied:
		case i.group == nil:
			r.removeDeclaration(i)
		case slices.ContainsFunc(byGroup[i.group], func(other *item) bool { return other.fate == copied }):
			repeats := func(s ast.Spec) bool { return len(s.(*ast.ValueSpec).Values) == 0 }
			if i.isConst && slices.ContainsFunc(i.group.Specs, repeats) {
				r.errorf(i.node.Pos(), "constants without a value repeat the one above, which the copy may lack: mark all of this block, or none")
			}
			r.removeDeclaration(i)
		case i == byGroup[i.group][0]:
			r.removeDeclaration(&item{file: i.file, node: i.group, doc: i.group.Doc})
		}
	}
	for _, i := range r.file.items {
		if i.fate == copied {
			r.removeUses(i)
		}
	}
}

// removeDeclaration removes the lines of a declaration, with the comments above that describe it.
func (r *rewriter) removeDeclaration(i *item) {
	start := i.node.Pos()
	if i.doc != nil {
		start = i.doc.Pos()
	}
	if above := r.markersAbove(i); above != nil {
		start = above.Pos()
	}
	r.removeRange(r.offset(start), r.offset(i.node.End()))
}

// removeLines removes the lines of a node.
func (r *rewriter) removeLines(node ast.Node) {
	r.removeRange(r.offset(node.Pos()), r.offset(node.End()))
}

// removeRange removes the lines between two offsets, and an empty line below if there is one
// above. Other text on these lines stays.
func (r *rewriter) removeRange(start, end int) {
	content := r.file.content
	line := bytes.LastIndexByte(content[:start], '\n') + 1
	rest, _, _ := bytes.Cut(content[end:], []byte("\n"))
	after := bytes.TrimSpace(rest)
	// Statements may follow a comment between /* and */.
	isComment := bytes.HasPrefix(after, []byte("//")) || bytes.HasPrefix(after, []byte("/*")) && bytes.Index(after, []byte("*/")) == len(after)-2
	if len(bytes.TrimSpace(content[line:start])) > 0 || len(after) > 0 && !isComment {
		if bytes.HasPrefix(after, []byte(";")) {
			end += bytes.IndexByte(rest, ';') + 1
		}
		r.edit(start, end, "")
		return
	}
	for start > 0 && (content[start-1] == ' ' || content[start-1] == '\t') {
		start--
	}
	for end < len(content) && content[end] != '\n' {
		end++
	}
	end = min(end+1, len(content))
	isEmptyAbove := start < 2 || content[start-1] == '\n' && content[start-2] == '\n'
	if isEmptyAbove && end < len(content) && content[end] == '\n' {
		end++
	}
	r.edit(start, end, "")
}

// isGone reports whether a name is one that a copied package declares, and that the other scope
// lacks.
func (r *rewriter) isGone(name *ast.Ident) bool {
	if !isPackageLevel(r.file, name) {
		return false
	}
	p := r.packages[r.file.info.Uses[name].Pkg().Path()]
	if p == nil {
		return false
	}
	i := p.byName[name.Name]
	_, isDeclared := p.declared[name.Name]
	return i != nil && (p.skipped || i.fate != copied) && !isDeclared
}

// nameOf returns the name that an expression is, qualified or not, or nil.
func nameOf(expr ast.Expr) *ast.Ident {
	switch expr := expr.(type) {
	case *ast.Ident:
		return expr
	case *ast.SelectorExpr:
		return expr.Sel
	}
	return nil
}

// registrations are the functions that take any number of objects.
var registrations = []string{"Register", "AddKnownTypes"}

// removeUses leaves out what is about types that the other scope lacks where that is a list,
// such as the arguments of Register.
func (r *rewriter) removeUses(i *item) {
	ast.Inspect(i.node, func(node ast.Node) bool {
		if node == nil || r.isRemoved(node) {
			return false
		}
		switch node := node.(type) {
		case *ast.ExprStmt:
			call, ok := node.X.(*ast.CallExpr)
			isKept := func(argument ast.Expr) bool { return !r.isGoneObject(argument) }
			if ok && len(call.Args) > 0 && !slices.ContainsFunc(call.Args, isKept) {
				r.removeLines(node)
				return false
			}
		case *ast.CallExpr:
			if name := nameOf(node.Fun); name != nil && slices.Contains(registrations, name.Name) {
				r.removeElements(node.Args, r.isGoneObject)
			}
		case *ast.CompositeLit:
			_, isList := node.Type.(*ast.ArrayType)
			r.removeElements(node.Elts, func(e ast.Expr) bool { return r.isGoneObject(e) || isList && r.isGoneName(e) })
		}
		return true
	})
	ast.Inspect(i.node, func(node ast.Node) bool {
		if node == nil || r.isRemoved(node) {
			return false
		}
		if name, ok := node.(*ast.Ident); ok && r.isGone(name) {
			of := r.packages[r.file.info.Uses[name].Pkg().Path()]
			r.errorf(name.Pos(), "%s is not copied to %s scope: declare it in %s, or mark what uses it with +mrgen:scope=%s, too", name.Name, r.scope.Other(), of.to, r.scope)
		}
		return true
	})
}

// isGoneObject reports whether an expression is an object of a type that the other scope lacks: &T{} or T{}.
func (r *rewriter) isGoneObject(expr ast.Expr) bool {
	literal := literalOf(expr)
	return literal != nil && len(literal.Elts) == 0 && r.isGoneName(literal.Type)
}

// isGoneName reports whether an expression is a name that the other scope lacks.
func (r *rewriter) isGoneName(expr ast.Expr) bool {
	name := nameOf(expr)
	return name != nil && r.isGone(name)
}

// removeElements removes elements of a list, each with the comma beside it.
func (r *rewriter) removeElements(elements []ast.Expr, isGone func(ast.Expr) bool) {
	for first := 0; first < len(elements); first++ {
		last := first
		for last < len(elements) && isGone(elements[last]) {
			last++
		}
		if last > first { // one edit, since edits of neighbours would overlap
			r.removeRun(elements, first, last-1)
			first = last
		}
	}
}

// removeRun removes the elements from the first to the last one.
func (r *rewriter) removeRun(elements []ast.Expr, first, last int) {
	start, end := r.offset(elements[first].Pos()), r.offset(elements[last].End())
	content := r.file.content
	switch {
	case content[end] == ',' && (end+1 == len(content) || content[end+1] == '\n'):
		r.removeRange(start, end+1)
		return
	case last+1 < len(elements):
		end = r.offset(elements[last+1].Pos())
	case first > 0:
		start = r.offset(elements[first-1].End())
	}
	r.edit(start, end, "")
}

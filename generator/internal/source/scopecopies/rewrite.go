package scopecopies

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// copyPackage writes the files of a package in the other scope.
func (c *copier) copyPackage(p *source) {
	if p.skipped {
		if !p.exists {
			c.checkUnused(p)
		}
		return
	}
	for _, f := range p.files {
		var own []*item
		for _, i := range p.items {
			if i.file == f {
				own = append(own, i)
			}
		}
		c.copyFile(p, f, own)
	}
}

// checkUnused reports imports of a package that is not copied, and that the author doesn't write.
func (c *copier) checkUnused(p *source) {
	for _, other := range c.order {
		for _, f := range other.files {
			for _, spec := range f.syntax.Imports {
				if gosyntax.ImportPath(spec) == p.path && len(fileMarkers(f.syntax)) == 0 {
					c.errorf(spec.Pos(), "ProviderConfigs are not copied, and there are none in %s: declare those of the other scope there", p.to)
				}
			}
		}
	}
}

func (c *copier) copyFile(p *source, f *sourceFile, items []*item) {
	isKept := func(i *item) bool { return i.fate == copied }
	header := c.headerFor(f) + artifact.GoHeader + "\n\n// This file is generated from " + f.name + ".\n\n"
	if len(fileMarkers(f.syntax)) > 0 || len(items) > 0 && !slices.ContainsFunc(items, isKept) && !slices.ContainsFunc(items, func(i *item) bool { return i.declared != nil }) {
		return
	}
	if isConstrained(path.Base(f.name)) {
		c.errorf(f.syntax.Package, "the name limits this file to some systems, but not its copy: rename it, and write a //go:build line")
	}
	r := &rewriter{copier: c, source: p, file: f, items: items}
	r.remove()
	r.findFixed()
	r.findConfigs()
	r.rewriteNames()
	r.rewriteValues()
	r.checkControllers()
	r.findLosses()
	r.rewriteComments()
	r.compare()
	isDoc := len(items) == 0 && !slices.Contains(c.goFiles(p.to, p.api), path.Base(f.name))
	if !isDoc && !slices.ContainsFunc(items, isKept) || c.diags.HasErrors() {
		return
	}
	edited, spans, _ := gosyntax.Apply(f.content, r.edits, 0, len(f.content))
	content, marks, err := c.finish(f, header, edited, spans)
	if err != nil {
		c.report(diag.Errorf(diag.Position{File: f.name}, codeScope, "%s", diag.Internal(err.Error())))
		return
	}
	c.files[path.Join(p.to, modules.CopyPrefix+path.Base(f.name))] = &modules.Copy{Source: f.name, Content: content, Marks: marks, API: p.api, Scope: c.scope.String()}
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
	items  []*item
	edits  []gosyntax.Edit
	// calls are the calls of methods that become calls of functions.
	calls []methodCall
	// removed are the offsets between which nothing is copied.
	removed [][2]int
	// names are those that occur in the file.
	names map[string]bool
	// fixed are parts whose types are the same in both scopes, and configs the references to
	// ProviderConfigs.
	fixed, configs []ast.Node
}

func (r *rewriter) edit(start, end int, text string) {
	r.edits = append(r.edits, gosyntax.Edit{Start: start, End: end, Text: text})
}

// cut removes what is between two offsets, of which nothing is copied.
func (r *rewriter) cut(start, end int) {
	r.edit(start, end, "")
	r.removed = append(r.removed, [2]int{start, end})
}

func (r *rewriter) replace(node ast.Node, text string) {
	r.edit(r.offset(node.Pos()), r.offset(node.End()), text)
}

// isRemoved reports whether a node is part of what is left out.
func (r *rewriter) isRemoved(node ast.Node) bool {
	at := r.offset(node.Pos())
	return slices.ContainsFunc(r.removed, func(part [2]int) bool { return part[0] <= at && at < part[1] })
}

// remove leaves out the declarations that are not copied.
func (r *rewriter) remove() {
	byGroup := map[*ast.GenDecl][]*item{}
	for _, i := range r.items {
		if i.group != nil {
			byGroup[i.group] = append(byGroup[i.group], i)
		}
	}
	for _, i := range r.items {
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
	for _, i := range r.items {
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
// above. What else is on these lines stays.
func (r *rewriter) removeRange(start, end int) {
	content := r.file.content
	line := bytes.LastIndexByte(content[:start], '\n') + 1
	rest, _, _ := bytes.Cut(content[end:], []byte("\n"))
	after := bytes.TrimSpace(rest)
	if len(bytes.TrimSpace(content[line:start])) > 0 || len(after) > 0 && !bytes.HasPrefix(after, []byte("/")) {
		if bytes.HasPrefix(after, []byte(";")) {
			end += bytes.IndexByte(rest, ';') + 1
		}
		r.cut(start, end)
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
	r.cut(start, end)
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
	return i != nil && (p.skipped || i.fate == left || i.fate == marked) && p.declared[name.Name] == nil
}

// nameOf returns the name that an expression is, also with that of its package before it, or nil.
func nameOf(expr ast.Expr) *ast.Ident {
	switch expr := expr.(type) {
	case *ast.Ident:
		return expr
	case *ast.SelectorExpr:
		return expr.Sel
	}
	return nil
}

// removeUses leaves out what is about types that the other scope lacks where that is a list,
// such as the arguments of Register.
func (r *rewriter) removeUses(i *item) {
	ast.Inspect(i.node, func(node ast.Node) bool {
		if node == nil || r.isRemoved(node) {
			return false
		}
		switch node := node.(type) {
		case *ast.ExprStmt:
			if call, ok := node.X.(*ast.CallExpr); ok {
				if n := r.countGone(call.Args); n > 0 && n == len(call.Args) {
					r.removeLines(node)
					return false
				}
			}
		case *ast.CallExpr:
			r.removeElements(node.Args[min(r.fixedArguments(node), len(node.Args)):], r.isGoneObject)
		case *ast.CompositeLit:
			r.removeElements(node.Elts, r.isGoneObject)
			if _, isList := node.Type.(*ast.ArrayType); isList {
				r.removeElements(node.Elts, func(element ast.Expr) bool {
					name := nameOf(element)
					return name != nil && r.isGone(name)
				})
			}
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

// fixedArguments returns how many arguments a function takes besides a list of them, which may have
// any number. A function of another module is taken to have nothing else.
func (r *rewriter) fixedArguments(call *ast.CallExpr) int {
	signature, ok := r.file.info.TypeOf(call.Fun).(*types.Signature)
	switch {
	case !ok:
		return 0
	case signature.Variadic():
		return signature.Params().Len() - 1
	}
	return signature.Params().Len()
}

// isGoneObject reports whether an expression is an object of a type that the other scope lacks:
// &T{}, T{}, new(T) or (*T)(nil).
func (r *rewriter) isGoneObject(expr ast.Expr) bool {
	switch expr := expr.(type) {
	case *ast.UnaryExpr:
		return expr.Op == token.AND && r.isGoneObject(expr.X)
	case *ast.CompositeLit:
		name := nameOf(expr.Type)
		return name != nil && len(expr.Elts) == 0 && r.isGone(name)
	case *ast.CallExpr:
		of := ast.Unparen(expr.Fun)
		if name, ok := of.(*ast.Ident); ok && name.Name == "new" && len(expr.Args) == 1 {
			of = expr.Args[0]
		}
		if pointer, ok := of.(*ast.StarExpr); ok {
			of = pointer.X
		}
		name := nameOf(of)
		return name != nil && r.isGone(name) && r.isType(name)
	}
	return false
}

// isType reports whether a name is that of a type.
func (r *rewriter) isType(name *ast.Ident) bool {
	_, ok := r.file.info.Uses[name].(*types.TypeName)
	return ok
}

func (r *rewriter) countGone(elements []ast.Expr) int {
	n := 0
	for _, element := range elements {
		if r.isGoneObject(element) {
			n++
		}
	}
	return n
}

// removeElements removes elements of a list, each with the comma beside it.
func (r *rewriter) removeElements(elements []ast.Expr, isGone func(ast.Expr) bool) {
	for i, element := range elements {
		if isGone(element) {
			r.removeElement(elements, i)
		}
	}
}

func (r *rewriter) removeElement(elements []ast.Expr, i int) {
	start, end := r.offset(elements[i].Pos()), r.offset(elements[i].End())
	content := r.file.content
	switch {
	case content[end] == ',' && (end+1 == len(content) || content[end+1] == '\n'):
		r.removeRange(start, end+1)
		return
	case i+1 < len(elements):
		end = r.offset(elements[i+1].Pos())
	case i > 0:
		start = r.offset(elements[i-1].End())
	}
	r.cut(start, end)
}

// compare reports what the author declares in place of a copy, and whether it differs.
func (r *rewriter) compare() {
	for _, i := range r.items {
		if i.fate != overridden || i.declared == nil {
			continue
		}
		var edits []gosyntax.Edit
		start, end := r.offset(i.node.Pos()), r.offset(i.node.End())
		for _, e := range r.edits {
			if !slices.Contains(r.removed, [2]int{e.Start, e.End}) {
				edits = append(edits, e)
			}
		}
		text, _, _ := gosyntax.Apply(r.file.content, edits, start, end)
		name := strings.Join(i.names, ", ")
		if tokens(text, 0, len(text)) == i.declared.text {
			r.warnf(i.node.Pos(), "%s is not copied, since %s declares the same: delete it there", name, i.declared.pos)
		} else {
			r.warnf(i.node.Pos(), "%s is not copied, since %s declares another one: delete it there, or mark this with +mrgen:scope=%s if that is meant", name, i.declared.pos, r.scope)
		}
	}
}

// isManaged reports whether a type is that of a managed resource or points to one, or an interface for them.
func (c *copier) isManaged(t types.Type) bool {
	name := gotypes.NameOf(t)
	p := c.packages[name.Package]
	kind := gotypes.StructOf(t)
	return c.table.Managed[name] || kind != nil && p != nil && p.api && embeds(kind, "ObjectMeta") && !isProviderConfig(kind)
}

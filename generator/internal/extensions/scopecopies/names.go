package scopecopies

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/scopepair"
)

// use is a selected name of another package.
type use struct {
	selector *ast.SelectorExpr
	// path and name are its counterpart in the other scope.
	path, name string
}

// copiedPath returns the import path of a package in the other scope.
func (c *copier) copiedPath(importPath string) string {
	rel, below := strings.CutPrefix(importPath, c.opts.Module+"/")
	if !below {
		return importPath
	}
	if to, ok := c.pair.Counterpart(rel); ok {
		return c.opts.Module + "/" + to
	}
	return importPath
}

// refuseCopy reports a package, or a Go name with the path of its package, in source of one scope that is a copy for the other.
func (c *copier) refuseCopy(at token.Pos, name string) {
	for _, p := range c.order {
		if to := path.Join(c.opts.Module, p.to); !p.skipped && (name == to || strings.HasPrefix(name, to+".")) {
			c.errorf(at, "%s is the copy of %s for %s scope: name that one here", p.to, p.dir, c.scope.Other())
		}
	}
}

// newName returns what a Go name, with the path of its package, is by the settings.
func (c *copier) newName(name string) (newPath, newName string, found bool) {
	r := c.replaced[name]
	if r == nil {
		return "", "", false
	}
	c.used[r] = true
	dot := strings.LastIndexByte(r.New.Text, '.')
	if dot < strings.LastIndexByte(r.New.Text, '/') || dot < 0 {
		c.report(diag.Errorf(r.New.Pos, codeScope, "%s is not a Go name with the import path of its package: write it as %s", r.New.Text, "github.com/example/p/internal/clients.Secret"))
		return "", "", false
	}
	return r.New.Text[:dot], r.New.Text[dot+1:], true
}

// counterpartName returns what a name of another package is in the other scope. It reports what
// that scope has nothing for.
func (c *copier) counterpartName(at token.Pos, importPath, name string) (newPath, newName string) {
	if newPath, newName, found := c.newName(importPath + "." + name); found {
		return newPath, newName
	}
	of := flavor.TypeName{Package: importPath, Name: name}
	if other, ok := c.table.names[of]; ok {
		return other.Package, other.Name
	}
	if c.table.alone[of] {
		c.errorf(at, "%s.%s exists in %s scope alone: add an entry to scopes.replace in mrgen.yaml, or move its use to a declaration marked +mrgen:scope=%s",
			importPath, name, c.scope, c.scope)
	}
	return c.copiedPath(importPath), name
}

// rewriteNames rewrites the names in a file that differ in the other scope, and its imports.
func (r *rewriter) rewriteNames() {
	uses := map[string][]use{} // by import path
	ast.Inspect(r.file.syntax, func(node ast.Node) bool {
		if node == nil || r.isRemoved(node) {
			return false
		}
		x, name := gosyntax.Selected(node)
		pkg, ok := r.file.info.Uses[x].(*types.PkgName)
		if !ok {
			return true
		}
		selector := node.(*ast.SelectorExpr)
		importPath := pkg.Imported().Path()
		newPath, newName := importPath, name
		if !r.isFixed(selector) {
			newPath, newName = r.counterpartName(selector.Sel.Pos(), importPath, name)
		}
		if other, ok := r.table.configs[flavor.TypeName{Package: newPath, Name: newName}]; ok && slices.Contains(r.configs, ast.Node(selector)) {
			newPath, newName = other.Package, other.Name
		}
		uses[importPath] = append(uses[importPath], use{selector, newPath, newName})
		return true
	})
	r.rewriteImports(uses)
}

// findConfigs finds the types of references to ProviderConfigs, which are of a type of their own in
// namespaced scope: what a resource's method is given, or a field of that name is set to.
func (r *rewriter) findConfigs() {
	const name = "ProviderConfigReference"
	add := func(value ast.Expr) {
		if literal := literalOf(value); literal != nil {
			r.configs = append(r.configs, literal.Type)
		}
	}
	for node := range ast.Preorder(r.file.syntax) {
		switch node := node.(type) {
		case *ast.CallExpr:
			if method, ok := node.Fun.(*ast.SelectorExpr); ok && method.Sel.Name == "Set"+name && len(node.Args) == 1 {
				add(node.Args[0])
			}
		case *ast.AssignStmt:
			for i, left := range node.Lhs {
				if field, ok := left.(*ast.SelectorExpr); ok && field.Sel.Name == name && len(node.Lhs) == len(node.Rhs) {
					add(node.Rhs[i])
				}
			}
		case *ast.CompositeLit:
			add(valueOf(node, name))
			if strings.HasSuffix(r.typeOf(node).Name, "ProviderConfigReferencer") {
				add(valueOf(node, "Ref"))
			}
		}
	}
}

// rewriteImports decides what each import becomes, and renames its uses.
func (r *rewriter) rewriteImports(uses map[string][]use) {
	names := map[string]string{} // by the paths that are imported in the other scope
	for _, spec := range r.file.syntax.Imports {
		if newPath := r.copiedPath(gosyntax.ImportPath(spec)); r.stays(spec, uses[gosyntax.ImportPath(spec)], newPath) {
			names[newPath] = r.importName(spec, newPath)
		}
	}
	named := map[string]bool{}
	for _, spec := range r.file.syntax.Imports {
		importPath := gosyntax.ImportPath(spec)
		if named[importPath] && !isUnnamed(spec) { // under two names: the uses of both get the same one
			r.removeLines(spec)
			continue
		}
		named[importPath] = named[importPath] || !isUnnamed(spec)
		r.rewriteImport(spec, uses[importPath], names)
	}
	for _, decl := range r.file.syntax.Decls {
		decl, ok := decl.(*ast.GenDecl)
		if ok && decl.Tok == token.IMPORT && !slices.ContainsFunc(decl.Specs, func(spec ast.Spec) bool { return !r.isRemoved(spec) }) {
			r.removeLines(decl)
		}
	}
	for _, of := range uses {
		for _, u := range of {
			x := u.selector.X.(*ast.Ident)
			if name := names[u.path]; name != x.Name {
				r.replace(x, name)
			}
			if u.name != u.selector.Sel.Name {
				r.replace(u.selector.Sel, u.name)
			}
		}
	}
}

// stays reports whether an import is still needed for the package with that path.
func (r *rewriter) stays(spec *ast.ImportSpec, uses []use, newPath string) bool {
	return isUnnamed(spec) || slices.ContainsFunc(uses, func(u use) bool { return u.path == newPath })
}

// isUnnamed reports whether an import declares no name for its package.
func isUnnamed(spec *ast.ImportSpec) bool {
	return spec.Name != nil && (spec.Name.Name == "_" || spec.Name.Name == ".")
}

func (r *rewriter) rewriteImport(spec *ast.ImportSpec, uses []use, names map[string]string) {
	newPath := r.copiedPath(gosyntax.ImportPath(spec))
	if newPath == "C" {
		r.errorf(spec.Pos(), "files that are copied to the other scope can't use cgo: move this to a package that is not copied")
	}
	stays := r.stays(spec, uses, newPath)
	if stays {
		r.refuseCopy(spec.Pos(), gosyntax.ImportPath(spec))
		r.setImport(spec, names[newPath], newPath)
	}
	var added []string
	for _, u := range uses {
		if names[u.path] != "" {
			continue
		}
		names[u.path] = r.freeName(r.preferredName(u.path))
		if !stays {
			r.setImport(spec, names[u.path], u.path)
			stays = true
			continue
		}
		added = append(added, importText(names[u.path], u.path))
	}
	switch {
	case !stays:
		r.removeLines(spec)
	case len(added) > 0:
		r.addImports(spec, added)
	}
}

// addImports adds imports below another one.
func (r *rewriter) addImports(below *ast.ImportSpec, added []string) {
	end, text := r.offset(below.End()), "\n\t"+strings.Join(added, "\n\t")
	if !r.isGrouped(below) {
		start := r.offset(below.Pos())
		r.edit(start, start, "(\n\t")
		text += "\n)"
	}
	r.edit(end, end, text)
}

// isGrouped reports whether an import is in parentheses.
func (r *rewriter) isGrouped(spec *ast.ImportSpec) bool {
	for _, decl := range r.file.syntax.Decls {
		if decl, ok := decl.(*ast.GenDecl); ok && decl.Pos() <= spec.Pos() && spec.End() <= decl.End() {
			return decl.Lparen.IsValid()
		}
	}
	return false
}

// importName returns the name that an import has in the other scope.
func (r *rewriter) importName(spec *ast.ImportSpec, newPath string) string {
	old := r.nameIn(spec)
	if isUnnamed(spec) || newPath == gosyntax.ImportPath(spec) {
		return old
	}
	name := old
	if p := r.packages[gosyntax.ImportPath(spec)]; spec.Name == nil && p != nil {
		name = p.newName
	} else if spec.Name != nil {
		for _, word := range r.words() {
			if rest, found := strings.CutPrefix(old, word.old); found {
				name = word.new + rest
			}
		}
	}
	if name != old && r.isTaken(name) {
		return old
	}
	return name
}

// nameIn returns the name that a file has for an import.
func (r *rewriter) nameIn(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	return r.stubs.nameOf(gosyntax.ImportPath(spec))
}

// A word is an element of a path, such as namespaced, and its counterpart in the other scope.
type word struct{ old, new string }

// words are the elements of paths that differ in the other scope.
func (c *copier) words() []word {
	var words []word
	for _, folders := range append([]scopepair.Folders{c.pair.Folders}, c.pair.Code...) {
		from, to := strings.Split(folders.From.Text, "/"), strings.Split(folders.To.Text, "/")
		for i := range min(len(from), len(to)) {
			if from[i] != to[i] && from[i] != "*" {
				words = append(words, word{from[i], to[i]})
			}
		}
	}
	return words
}

// isTaken reports whether a name occurs in the file.
func (r *rewriter) isTaken(name string) bool {
	if r.names == nil {
		r.names = map[string]bool{}
		for node := range ast.Preorder(r.file.syntax) {
			if name, ok := node.(*ast.Ident); ok {
				r.names[name.Name] = true
			}
		}
	}
	return r.names[name]
}

// freeName returns a name that doesn't occur in the file.
func (r *rewriter) freeName(name string) string {
	for n, free := 2, name; ; n++ {
		if !r.isTaken(free) {
			r.names[free] = true
			return free
		}
		free = name + strconv.Itoa(n)
	}
}

// preferredName returns the name by which files import a package.
func (r *rewriter) preferredName(importPath string) string {
	for _, g := range flavor.ManagedGenerations() {
		for _, i := range []flavor.Import{g.Types, g.Resource, g.References.Package} {
			if i.Path == importPath {
				return i.Alias
			}
		}
		if g.Embed.Package == importPath {
			return "xp" + path.Base(importPath)
		}
	}
	return r.stubs.nameOf(importPath)
}

// setImport gives an import another name and path.
func (r *rewriter) setImport(spec *ast.ImportSpec, name, importPath string) {
	old := r.nameIn(spec)
	if importPath == gosyntax.ImportPath(spec) && name == old {
		return
	}
	text := importText(name, importPath)
	if p := r.packages[gosyntax.ImportPath(spec)]; spec.Name != nil {
		text = name + " " + strconv.Quote(importPath) // the package may have another name than its path
	} else if p != nil && name == p.newName {
		text = strconv.Quote(importPath)
	}
	r.edit(r.offset(spec.Pos()), r.offset(spec.Path.End()), text)
}

// importText returns an import of a package by a name.
func importText(name, importPath string) string {
	if name == path.Base(importPath) {
		return strconv.Quote(importPath)
	}
	return name + " " + strconv.Quote(importPath)
}

// PackageNames returns the names of packages that the go command finds from a folder, by import path.
func PackageNames(dir string, importPaths []string) map[string]string {
	names := map[string]string{}
	if len(importPaths) == 0 {
		return names
	}
	pkgs, _ := packages.Load(&packages.Config{Mode: packages.NeedName, Dir: dir}, importPaths...) // packages that can't be found have no name
	for _, pkg := range pkgs {
		names[pkg.PkgPath] = pkg.Name
	}
	return names
}

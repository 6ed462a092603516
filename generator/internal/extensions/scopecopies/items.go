package scopecopies

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// An item is a declaration that is copied or not: a function, or a type, or variables or
// constants that are declared together.
type item struct {
	file *sourceFile
	// node is the declaration, or one in parentheses. doc is the comment above it.
	node ast.Node
	doc  *ast.CommentGroup
	// group is the declaration in parentheses that it is part of, or nil.
	group *ast.GenDecl
	// names are its declared names, and receiver the type of a method.
	names    []string
	receiver string
	// isConst is set for constants, and isVar for variables.
	isConst, isVar bool
	fate           fate
	// uses are the names of the package that occur in it.
	uses map[string]bool
}

// fate says what becomes of an item.
type fate uint8

const (
	// copied items are written in the other scope.
	copied fate = iota
	// marked items have a marker that says that they are of one scope alone.
	marked
	// left items belong to ProviderConfigs.
	left
)

// itemsOf returns the items of a declaration.
func itemsOf(decl ast.Decl) []*item {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		i := &item{node: decl, doc: decl.Doc, names: []string{decl.Name.Name}}
		if decl.Recv != nil && len(decl.Recv.List) > 0 {
			i.receiver = gosyntax.Receiver(decl)
			i.names[0] = i.receiver + "." + decl.Name.Name
		}
		return []*item{i}
	case *ast.GenDecl:
		if decl.Tok == token.IMPORT {
			return nil
		}
		var all []*item
		for _, spec := range decl.Specs {
			i := &item{node: spec, isConst: decl.Tok == token.CONST, isVar: decl.Tok == token.VAR}
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				i.doc, i.names = spec.Doc, []string{spec.Name.Name}
			case *ast.ValueSpec:
				i.doc = spec.Doc
				for _, name := range spec.Names {
					i.names = append(i.names, name.Name)
				}
			}
			if decl.Lparen.IsValid() {
				i.group = decl
			} else {
				i.node, i.doc = decl, decl.Doc
			}
			all = append(all, i)
		}
		return all
	}
	return nil
}

// plan decides which declarations of a package are copied.
func (c *copier) plan(p *source) {
	var items []*item
	for _, f := range p.files {
		isFileMarked := c.isMarked(fileMarkers(f.syntax))
		for _, decl := range f.syntax.Decls {
			isGroupMarked := false
			if decl, ok := decl.(*ast.GenDecl); ok && decl.Lparen.IsValid() {
				isGroupMarked = c.isMarked(scopeMarkers(decl.Doc))
			}
			for _, i := range itemsOf(decl) {
				i.file = f
				isMarked := c.isMarked(scopeMarkers(i.doc, c.markersAbove(i)))
				if isMarked || isGroupMarked || isFileMarked {
					i.fate = marked
				}
				f.items = append(f.items, i)
			}
		}
		items = append(items, f.items...)
	}
	byName := map[string]*item{}
	for _, i := range items {
		for _, name := range i.names {
			byName[name] = i
		}
	}
	for _, i := range items {
		i.uses = map[string]bool{}
		for node := range ast.Preorder(i.node) {
			if name, ok := node.(*ast.Ident); ok && byName[name.Name] != nil && isPackageLevel(i.file, name) {
				i.uses[name.Name] = true
			}
		}
	}
	p.byName = byName
	if p.api && !c.opts.Move {
		c.leaveProviderConfigs(p, items, byName)
	}
	c.checkDeclared(p, items)
}

// checkDeclared reports copies of declarations that the author has in the other scope, too.
func (c *copier) checkDeclared(p *source, items []*item) {
	for _, i := range items {
		if i.fate != copied || p.skipped {
			continue
		}
		for _, name := range i.names {
			if at, found := p.declared[nameFrom(i.file.syntax, name)]; found && name != "init" && name != "_" {
				d := diag.Errorf(c.position(i.node.Pos()), codeScope, "%s is copied to %s, where %s declares it: delete that, or mark this with +mrgen:scope=%s",
					name, p.to, at, c.scope)
				c.report(d.As("%%d declarations, such as this one, are copied to %s, where %s declares them: delete that file, or mark each with +mrgen:scope=%s",
					p.to, at.File, c.scope))
			}
		}
	}
}

// isExternal reports whether a file is a test beside the package.
func isExternal(file *ast.File) bool { return strings.HasSuffix(file.Name.Name, "_test") }

// nameFrom returns a name that a file declares, apart from those of the package if the file is a test beside it.
func nameFrom(file *ast.File, name string) string {
	if isExternal(file) {
		return "_test." + name
	}
	return name
}

// markersAbove returns the comment above that of a declaration if it has nothing but markers:
// these describe the declaration, too.
func (c *copier) markersAbove(i *item) *ast.CommentGroup {
	start := i.node.Pos()
	if i.doc != nil {
		start = i.doc.Pos()
	}
	for _, group := range i.file.syntax.Comments {
		if group.End() < start && group.Pos() > i.file.syntax.Name.End() &&
			strings.TrimSpace(string(i.file.content[c.offset(group.End()):c.offset(start)])) == "" && isOfMarkers(group) {
			return group
		}
	}
	return nil
}

// isOfMarkers reports whether a comment only consists of markers.
func isOfMarkers(group *ast.CommentGroup) bool {
	return !slices.ContainsFunc(group.List, func(comment *ast.Comment) bool {
		_, isMarker := gosyntax.MarkerText(comment.Text)
		return !isMarker
	})
}

// isPackageLevel reports whether a name is one that the package declares.
func isPackageLevel(f *sourceFile, name *ast.Ident) bool {
	object := f.info.Uses[name]
	return object != nil && object.Pkg() != nil && object.Parent() == object.Pkg().Scope()
}

// leaveProviderConfigs leaves out ProviderConfigs, their usages and lists, what only they are
// made of, and what is about them.
func (c *copier) leaveProviderConfigs(p *source, items []*item, byName map[string]*item) {
	isConfig, hasOther := map[string]bool{}, false
	for _, i := range items {
		if t := structOf(p, i); t != nil {
			switch {
			case isProviderConfig(t):
				isConfig[i.names[0]] = true
			case c.isBrokenConfig(p, i, t):
				p.skipped = true
				return
			case embeds(t, "ObjectMeta"):
				hasOther = true
			}
		}
	}
	if len(isConfig) == 0 {
		return
	}
	for _, i := range items {
		if t := structOf(p, i); t != nil && itemType(t) != "" {
			isConfig[i.names[0]] = isConfig[itemType(t)]
		}
		if len(i.names) > 0 && isConfig[i.names[0]] && i.fate != marked {
			i.fate = left
		}
	}
	if !hasOther {
		p.skipped = true
		return
	}
	isGone := func(name string) bool {
		i := byName[name]
		_, isDeclared := p.declared[name]
		return i != nil && i.fate != copied && !isDeclared
	}
	for changed := true; changed; {
		changed = false
		for _, i := range items {
			if i.fate != copied {
				continue
			}
			usesGone := false
			for name := range i.uses {
				usesGone = usesGone || isGone(name)
			}
			receiver := byName[i.receiver]
			switch {
			case i.receiver != "" && receiver != nil && receiver.fate == left:
			case usesGone && (i.isConst || i.isVar):
			case isOwned(i, items):
			default:
				continue
			}
			i.fate, changed = left, true
		}
	}
}

// isBrokenConfig reports a kind beside ProviderConfigs that embeds nothing that tells it from other kinds, if the author
// has it, or a part of it, in the other scope as well.
func (c *copier) isBrokenConfig(p *source, i *item, t *types.Struct) bool {
	isKind := (embeds(t, "ObjectMeta") || embeds(t, "TypeMeta")) && itemType(t) == ""
	if !p.hasConfigs || !isKind || i.fate == marked {
		return false
	}
	at, found := p.declared[i.names[0]]
	for _, name := range slices.Sorted(maps.Keys(i.uses)) {
		if other, isDeclared := p.declared[name]; isDeclared && !found {
			at, found = other, true
		}
	}
	if !found {
		return false
	}
	missing := "a Status that embeds ProviderConfigStatus"
	hasParts := func(field *types.Var) bool { return field.Name() == "Spec" || field.Name() == "Status" }
	switch {
	case !embeds(t, "ObjectMeta"):
		missing = "an embedded ObjectMeta"
	case !slices.ContainsFunc(slices.Collect(t.Fields()), hasParts):
		usage := flavor.UsageLike(flavor.ManagedLike(&flavor.Generation{Types: c.types}, c.scope == Namespaced))
		missing = "an embedded " + usage.Embed.Name
	}
	c.errorf(i.node.Pos(), "%s shares names with ProviderConfigs of the other scope, as at %s, but lacks %s: add it", i.names[0], at, missing)
	return true
}

// isOwned reports whether only declarations that are left out use a type.
func isOwned(of *item, items []*item) bool {
	isType := of.receiver == "" && !of.isConst && !of.isVar
	if _, isFunc := of.node.(*ast.FuncDecl); !isType || isFunc {
		return false
	}
	owned := false
	for _, i := range items {
		if !i.uses[of.names[0]] || i == of || i.receiver == of.names[0] || i.isConst {
			continue
		}
		if i.fate != left {
			return false
		}
		owned = true
	}
	return owned
}

// structOf returns the struct that an item declares, or nil.
func structOf(p *source, i *item) *types.Struct {
	if len(i.names) != 1 || p.types == nil || i.file.isTest {
		return nil
	}
	name, ok := p.types.Scope().Lookup(i.names[0]).(*types.TypeName)
	if !ok {
		return nil
	}
	t, _ := name.Type().Underlying().(*types.Struct)
	return t
}

// isProviderConfig reports whether a struct is a ProviderConfig or a usage of one.
func isProviderConfig(t *types.Struct) bool {
	if !embeds(t, "ObjectMeta") {
		return false
	}
	isConfig := func(name flavor.TypeName) bool { return flavor.FindProviderConfig(name) != nil }
	for field := range t.Fields() {
		status := gotypes.StructOf(field.Type())
		if isConfig(gotypes.NameOf(field.Type())) || status != nil && field.Name() == "Status" && embedsAny(status, isConfig) {
			return true
		}
	}
	return isUsage(t)
}

func isUsage(t *types.Struct) bool {
	return embedsAny(t, func(name flavor.TypeName) bool { return flavor.FindProviderConfigUsage(name) != nil })
}

// embeds reports whether a struct embeds a type with a name of another package.
func embeds(t *types.Struct, name string) bool {
	return embedsAny(t, func(of flavor.TypeName) bool { return of.Package != "" && of.Name == name })
}

// itemType returns the name of the type of the items of a list.
func itemType(t *types.Struct) string {
	for field := range t.Fields() {
		if items, ok := field.Type().(*types.Slice); ok && field.Name() == "Items" {
			return gotypes.NameOf(items.Elem()).Name
		}
	}
	return ""
}

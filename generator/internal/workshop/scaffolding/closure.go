package scaffolding

import (
	"cmp"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/versions"
)

// A closure has the declarations of a package that a kind consists of: its type and list, what
// these need, the methods of all these types, and what else is about the kind in the file that
// declares it.
type closure struct {
	files map[string]*ast.File
	// names are the declared names that the kind needs.
	names map[string]bool
	// home is the file that declares the kind, and others are the kinds of the package beside
	// it, with their lists.
	home   string
	others map[string]bool
}

func newClosure(files map[string]*ast.File, kind string) *closure {
	c := &closure{files: files, names: map[string]bool{}, others: map[string]bool{}}
	for name, file := range files {
		for _, spec := range gosyntax.Types(file) {
			switch list := spec.Name.Name + "List"; {
			case spec.Name.Name == kind:
				c.home = name
			case declares(files, list):
				c.others[spec.Name.Name], c.others[list] = true, true
			}
		}
	}
	c.need(kind)
	c.need(kind + "List")
	home := c.files[c.home]
	if home == nil {
		return c
	}
	for _, d := range home.Decls {
		if !c.isForeign(d) {
			for _, name := range declaredNames(d) {
				c.need(name)
			}
		}
	}
	return c
}

// need adds the declaration of a name, with everything it mentions.
func (c *closure) need(name string) {
	if c.names[name] || c.others[name] {
		return
	}
	for _, file := range slices.Sorted(maps.Keys(c.files)) {
		for _, d := range c.files[file].Decls {
			switch receiver := receiverOf(d); {
			case receiver == "":
				if !slices.Contains(declaredNames(d), name) {
					continue
				}
			case receiver != name, isConversion(d):
				continue
			}
			c.names[name] = true
			gosyntax.EachUse(d, func(from, name *ast.Ident) { c.need(cmp.Or(from, name).Name) })
		}
	}
}

// has reports whether a declaration is part of the kind.
func (c *closure) has(file string, d ast.Decl) bool {
	if isImport(d) {
		return true
	}
	if receiver := receiverOf(d); receiver != "" {
		return c.names[receiver] && !isConversion(d)
	}
	names := declaredNames(d)
	if len(names) == 0 { // assertions on types
		return file == c.home && !c.isForeign(d)
	}
	return slices.ContainsFunc(names, func(name string) bool { return c.names[name] })
}

// isForeign reports whether a declaration is about another kind of the package, or about the
// package: init registers kinds.
func (c *closure) isForeign(d ast.Decl) bool {
	if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
		return true
	}
	found := false
	for n := range ast.Preorder(d) {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || c.others[n.Name]
		case *ast.BasicLit:
			found = found || c.others[strings.Trim(n.Value, `"`)]
		}
	}
	return found
}

// declaredNames returns the names that a declaration adds to its package.
func declaredNames(d ast.Decl) []string {
	var names []string
	gosyntax.EachName(d, func(name *ast.Ident) { names = append(names, name.Name) })
	return names
}

// receiverOf returns the name of the type that a declaration is a method of, or "".
func receiverOf(d ast.Decl) string {
	if f, ok := d.(*ast.FuncDecl); ok {
		return gosyntax.Receiver(f)
	}
	return ""
}

// isConversion reports whether a declaration is one of the methods by which versions are
// converted, of which each version has its own.
func isConversion(d ast.Decl) bool {
	f, ok := d.(*ast.FuncDecl)
	return ok && slices.Contains([]string{versions.HubMethod, versions.ConvertToMethod, versions.ConvertFromMethod}, f.Name.Name)
}

// startOf returns where a declaration begins, with its comment.
func startOf(d ast.Decl) token.Pos {
	var doc *ast.CommentGroup
	switch d := d.(type) {
	case *ast.FuncDecl:
		doc = d.Doc
	case *ast.GenDecl:
		doc = d.Doc
	}
	if doc != nil {
		return doc.Pos()
	}
	return d.Pos()
}

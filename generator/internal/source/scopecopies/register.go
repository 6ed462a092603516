package scopecopies

import (
	"go/ast"
	"go/parser"
	"path"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// checkRegistered warns of packages whose kinds or controllers the author registers, while no code of the
// author imports the copy. Nothing else notices: a controller that isn't set up does nothing.
func (c *copier) checkRegistered() {
	registered, imported := map[string]*ast.ImportSpec{}, map[string]bool{}
	modules.EachFolder(c.opts.Root, ".", func(dir string, _ []string) {
		if c.packages[path.Join(c.opts.Module, dir)] != nil {
			return
		}
		for _, name := range c.goFiles(dir, true) {
			content, _ := c.readFile(path.Join(dir, name)) // empty if it can't be read
			file, err := parser.ParseFile(c.fset, path.Join(dir, name), content, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil || strings.HasSuffix(name, "_test.go") || isIgnored(file) {
				continue
			}
			for _, spec := range file.Imports {
				imported[gosyntax.ImportPath(spec)] = true
				if c.registers(file, spec) {
					registered[gosyntax.ImportPath(spec)] = spec
				}
			}
		}
	})
	for _, p := range c.order {
		if copied := path.Join(c.opts.Module, p.to); registered[p.path] != nil && !imported[copied] && !p.skipped {
			c.warnf(registered[p.path].Pos(), "what this package sets up is not done for its copy: import %s, too, and register it in the same way", copied)
		}
	}
}

// registers reports whether a file adds the kinds of an imported package to a scheme, or sets up controllers.
func (c *copier) registers(file *ast.File, spec *ast.ImportSpec) bool {
	for node := range ast.Preorder(file) {
		x, name := gosyntax.Selected(node)
		isRegistration := strings.HasPrefix(name, "Setup") || name == "SchemeBuilder" || strings.HasPrefix(name, "AddToScheme")
		if x != nil && isRegistration && x.Name == gosyntax.NameIn(spec, c.stubs.nameOf) {
			return true
		}
	}
	return false
}

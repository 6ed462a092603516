package scopecopies

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// A registration is where the author adds the kinds of a package to a scheme, or sets up controllers.
type registration struct {
	file    *ast.File
	content []byte
	// expr is the whole expression, and local its name of the package, which it begins with.
	expr  ast.Expr
	local string
	// name is that of the package which is used. All that add to a scheme have the same one.
	name string
}

// addsToScheme stands for the names that a package adds its kinds to a scheme by.
const addsToScheme = "AddToScheme"

// registers returns what a name of a package registers: addsToScheme, the name of a function that
// sets up controllers, at once or when their definitions are there, or "".
func registers(name string) string {
	switch {
	case name == addsToScheme || name == "SchemeBuilder" || name == "AddToSchemes":
		return addsToScheme
	case strings.HasPrefix(name, "Setup"):
		return strings.TrimSuffix(name, "Gated")
	}
	return ""
}

// checkRegistered warns where the author registers what is copied, and not its copy, and of
// ProviderConfigs that the other scope lacks.
func (c *copier) checkRegistered() {
	isCopy := map[string]bool{}
	for _, p := range c.packages {
		isCopy[path.Join(c.opts.Module, p.to)] = true
	}
	source, copies := map[string][]registration{}, map[[2]string]bool{}
	hasConfigs := false
	c.eachOther(func(dir string, file *ast.File, content []byte) {
		hasConfigs = hasConfigs || declaresConfig(file)
		for _, spec := range file.Imports {
			importPath := gosyntax.ImportPath(spec)
			p := c.packages[importPath]
			if p == nil && !isCopy[importPath] {
				continue
			}
			for _, r := range c.registrations(file, content, spec) {
				switch {
				case p == nil:
					copies[[2]string{importPath, r.name}] = true
				case !isCopy[path.Join(c.opts.Module, dir)]:
					source[importPath] = append(source[importPath], r)
				}
			}
		}
	})
	for _, p := range c.order {
		reported := map[string]bool{}
		for _, r := range source[p.path] {
			if i := p.byName[r.name]; !reported[r.name] && !copies[[2]string{path.Join(c.opts.Module, p.to), r.name}] && (i == nil || i.fate <= overridden) && !p.skipped {
				reported[r.name] = true
				c.warnUnregistered(p, r)
			}
		}
		if i := p.byName["ProviderConfig"]; i != nil && i.fate == left && !hasConfigs {
			hasConfigs = true // and report it once
			c.warnf(i.node.Pos(), "%s has no ProviderConfig, and this one is not copied: declare type ProviderConfig there, with its list and its usage", p.to)
		}
	}
}

// warnUnregistered warns that the copy of a package isn't registered where the package is.
func (c *copier) warnUnregistered(p *source, r registration) {
	local, add := "", ""
	importPath := path.Join(c.opts.Module, p.to)
	taken := map[string]bool{}
	for _, spec := range r.file.Imports {
		if spec.Name != nil {
			taken[spec.Name.Name] = true
		}
		if gosyntax.ImportPath(spec) == importPath {
			local = gosyntax.NameIn(spec, func(string) string { return p.newName })
		}
	}
	if local == "" {
		from, to := path.Base(c.pair.Folders.From.Text), path.Base(c.pair.Folders.To.Text)
		local = to + strings.TrimPrefix(r.local, from)
		if !token.IsIdentifier(local) || local == r.local || taken[local] {
			local = "other" + r.local
		}
		add = "import " + local + ` "` + importPath + `", and `
	}
	text := string(r.content[c.offset(r.expr.Pos()):c.offset(r.expr.End())])
	c.warnf(r.expr.Pos(), "this is not done for %s, which is the copy of %s: %sadd %s", p.to, p.dir, add, local+strings.TrimPrefix(text, r.local))
}

// registrations returns where a file registers what a package has that it imports.
func (c *copier) registrations(file *ast.File, content []byte, spec *ast.ImportSpec) []registration {
	imported := gosyntax.NameIn(spec, c.stubs.nameOf)
	var found []registration
	ast.PreorderStack(file, nil, func(node ast.Node, outer []ast.Node) bool {
		x, selected := gosyntax.Selected(node)
		if name := registers(selected); x != nil && x.Name == imported && name != "" {
			found = append(found, registration{file: file, content: content, expr: whole(append(outer, node)), local: x.Name, name: name})
		}
		return true
	})
	return found
}

// whole returns the last of nested nodes with what is selected of it, and the call of that.
func whole(nodes []ast.Node) ast.Expr {
	expr := nodes[len(nodes)-1].(ast.Expr)
	for i := len(nodes) - 2; i >= 0; i-- {
		switch outer := nodes[i].(type) {
		case *ast.SelectorExpr:
			expr = outer
			continue
		case *ast.CallExpr:
			if outer.Fun == expr {
				return outer
			}
		}
		break
	}
	return expr
}

// eachOther visits the author's files outside the folders that are copied, without tests.
func (c *copier) eachOther(visit func(dir string, file *ast.File, content []byte)) {
	modules.EachFolder(c.opts.Root, ".", func(dir string, _ []string) {
		if c.packages[path.Join(c.opts.Module, dir)] != nil {
			return
		}
		for _, name := range c.goFiles(dir, true) {
			content, err := c.readFile(path.Join(dir, name))
			if err != nil || strings.HasSuffix(name, "_test.go") {
				continue
			}
			syntax, err := parser.ParseFile(c.fset, path.Join(dir, name), content, parser.ParseComments|parser.SkipObjectResolution)
			if err == nil && !isIgnored(syntax) {
				visit(dir, syntax, content)
			}
		}
	})
}

// declaresConfig reports whether a file declares a ProviderConfig.
func declaresConfig(file *ast.File) bool {
	return slices.ContainsFunc(file.Decls, func(decl ast.Decl) bool {
		return slices.ContainsFunc(itemsOf(decl), func(i *item) bool { return slices.Contains(i.names, "ProviderConfig") })
	})
}

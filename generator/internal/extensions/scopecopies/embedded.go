package scopecopies

import (
	"go/ast"
	"go/token"
	"path"
	"sync"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/markers"
)

// Embedded says what a file embeds that tells the scope of its kinds.
type Embedded struct {
	// Scopes are the positions of what the specs of managed resources of each scope embed.
	Scopes map[Scope]token.Pos
	// Managed is the generation of the first of them, or of one that has one scope alone, which
	// Alone is the position of. Configs is that of ProviderConfigs, and Usage that of what notes the
	// use of these. They may be nil.
	Managed, Configs, Usage *flavor.Generation
	Alone                   token.Pos
}

// specs returns what the specs of managed resources embed.
var specs = sync.OnceValue(func() map[Scope]map[flavor.TypeName]bool {
	return map[Scope]map[flavor.TypeName]bool{Namespaced: counterparts(Namespaced).specs, Cluster: counterparts(Cluster).specs}
})

// FindEmbedded returns what a file embeds.
func FindEmbedded(file *ast.File) Embedded {
	e := Embedded{Scopes: map[Scope]token.Pos{}}
	imports := gosyntax.NewImports(file, path.Base)
	for node := range ast.Preorder(file) {
		embedded, ok := node.(*ast.Field)
		if !ok || len(embedded.Names) > 0 {
			continue
		}
		importPath, selected := imports.Selected(embedded.Type)
		name := flavor.TypeName{Package: importPath, Name: selected}
		if row := flavor.FindProviderConfig(name); row != nil {
			e.Configs = row
		}
		if row := flavor.FindProviderConfigUsage(name); row != nil {
			e.Usage = row
		}
		row := flavor.FindManaged(name)
		if row != nil && e.Managed == nil {
			e.Managed = row
		}
		isAlone := row != nil
		for scope, embeds := range specs() {
			if embeds[name] {
				isAlone = false
				if e.Scopes[scope] == token.NoPos {
					e.Scopes[scope] = embedded.Pos()
				}
			}
		}
		if isAlone && e.Alone == token.NoPos {
			e.Alone = embedded.Pos()
		}
	}
	return e
}

// findScope finds the scope of the source's managed resources.
func (c *copier) findScope() {
	found := map[Scope]token.Pos{}
	var configs *flavor.Generation
	for _, p := range c.order {
		for _, f := range p.files {
			if !p.api || f.isTest {
				continue
			}
			e := FindEmbedded(f.syntax)
			if e.Configs != nil {
				configs = e.Configs
			}
			if len(fileMarkers(f.syntax)) > 0 {
				continue
			}
			for scope, pos := range e.Scopes {
				if found[scope] == token.NoPos {
					found[scope] = pos
				}
			}
			if len(e.Scopes) > 0 && c.types.Path == "" {
				c.types = e.Managed.Types
			}
		}
	}
	switch {
	case len(found) == 2:
		for _, scope := range []Scope{Cluster, Namespaced} {
			c.errorf(found[scope], "below %s there are managed resources of both scopes: keep those of one scope in a folder of their own", c.pair.Folders.From.Text)
		}
	case len(found) == 0 && configs != nil: // the kinds are still to come
		c.checkKinds()
		c.types, c.order = configs.Types, nil
	case len(found) == 0:
		c.report(diag.Errorf(c.pair.Folders.From.Pos, codeScope,
			"no package below %s has a managed resource of an API generation with two scopes: name the folder with the API types of one scope", c.pair.Folders.From.Text))
	default:
		for scope := range found {
			c.scope = scope
		}
	}
}

// checkKinds reports kinds whose scope isn't known, since their specs embed a type of another folder.
func (c *copier) checkKinds() {
	c.check()
	for _, p := range c.order {
		for _, f := range p.files {
			if !p.api || len(fileMarkers(f.syntax)) > 0 {
				continue
			}
			for _, decl := range f.syntax.Decls {
				for _, i := range itemsOf(decl) {
					i.file = f
					c.checkKind(p, i)
				}
			}
		}
	}
}

// checkKind reports a declaration if it is a kind of managed resources, and no marker says its scope.
func (c *copier) checkKind(p *source, i *item) {
	t := structOf(p, i)
	if t == nil || !embeds(t, "ObjectMeta") || isProviderConfig(t) {
		return
	}
	if len(scopeMarkers(i.doc, c.markersAbove(i))) == 0 {
		c.errorf(i.node.Pos(), "%s embeds no spec of managed resources that is declared below %s: declare it there, or mark this +%s=%s",
			i.names[0], c.pair.Folders.From.Text, markers.Scope, Namespaced)
	}
}

package observation

import (
	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// checkImports reports fields for which the package of a declaration would have to import a
// package that imports it.
func (p *planner) checkImports(m *model.Model) {
	g := importgraph.New(m.Imports)
	p.eachImport(func(d *declaration, f field, imported string) {
		g.Add(d.name.Package, importgraph.Edge{To: imported, Reason: importgraph.Mirrors, Pos: f.pos})
	})
	cyclic := g.Cyclic()
	p.eachImport(func(d *declaration, f field, imported string) {
		if cyclic.Together(d.name.Package, imported) {
			p.errorf(f.pos, "this field of %s closes an import cycle, since mrgen writes %s into package %s: %s: use a type of package %s instead, or declare %s yourself",
				d.source.Name, d.name.Name, d.name.Package, g.Cycle(d.name.Package, imported), d.source.Package, d.name.Name)
		}
	})
}

// eachImport visits the other packages that the fields of declarations refer to.
func (p *planner) eachImport(visit func(d *declaration, f field, imported string)) {
	for _, d := range p.sorted() {
		if d.empty() && d.uses == nil {
			continue
		}
		for _, f := range d.fields {
			for _, layer := range f.typ.Layers() {
				for _, t := range []*model.Type{layer, layer.Key} {
					if t != nil && t.Package != "" && t.Package != d.name.Package {
						visit(d, f, t.Package)
					}
				}
			}
		}
	}
}

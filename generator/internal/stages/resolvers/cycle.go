package resolvers

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/markers"
)

const codeCycle diag.Code = "import-cycle"

// CodeRegistry is the code of import cycles that a registry would break.
const CodeRegistry diag.Code = "resolver-registry"

// breakCycles makes references look up kinds in the registry if importing their packages would close an import
// cycle. Without a registry, it reports one error a ring of packages. It also reports extractors on the
// remaining cycles: a method can only call them with an import. It returns the imports of packages as if
// nothing was looked up.
func breakCycles(pass *stage.Pass, planned map[*model.Package][]*resolver) importgraph.Graph {
	run := map[string]bool{}
	for _, p := range pass.Model.Packages {
		run[p.Path] = true
	}
	all := newGraph(pass, planned, func(*reference) bool { return true })
	cycles := newCycles(all)
	cyclic := importgraph.Cyclic(pass.Model.Cyclic)
	if cyclic == nil {
		cyclic = cycles.cyclic
	}
	// All references on a cycle, so that the result doesn't depend on an order.
	each(planned, func(p *model.Package, ref *reference) {
		if !cyclic.Together(p.Path, ref.targetIn.Path) {
			return
		}
		ref.lookedUp = true
		switch {
		case !run[p.Path]: // another run reports it
		case pass.Options.Registry != nil:
			checkLookUp(pass, p, ref)
		default:
			cycles.add(edge{at: ref.at, what: "this reference to " + ref.target, from: p.Path, to: ref.targetIn.Path})
		}
	})
	cycles.report(pass, CodeRegistry, "closes an import cycle",
		"set resolvers.registry in mrgen.yaml to the import path of a package for mrgen to write")
	imported := newGraph(pass, planned, func(ref *reference) bool { return !ref.lookedUp })
	cycles = newCycles(imported)
	each(planned, func(p *model.Package, ref *reference) {
		if e := ref.extractor; e != nil && run[p.Path] && cycles.cyclic.Together(p.Path, e.functionIn.Path) {
			cycles.add(edge{at: e.at, what: "the extractor " + e.function, from: p.Path, to: e.functionIn.Path})
		}
	})
	cycles.report(pass, codeCycle, "closes an import cycle, and no look-up can replace it",
		"move extractors to a package that imports no API group")
	return all
}

// An edge is the reason for an import.
type edge struct {
	at   diag.Position
	what string
	// from and to are import paths.
	from, to string
}

// cycles are the edges between packages that import each other, one entry a ring: the number of edges, and the
// first in source order. One diagnostic reports a ring, since one fix solves it.
type cycles struct {
	graph  importgraph.Graph
	cyclic importgraph.Cyclic
	// counts and first are by the first package of the ring.
	counts map[string]int
	first  map[string]edge
}

func newCycles(g importgraph.Graph) *cycles {
	return &cycles{graph: g, cyclic: g.Cyclic(), counts: map[string]int{}, first: map[string]edge{}}
}

func (c *cycles) add(e edge) {
	ring := c.cyclic[e.from]
	if c.counts[ring]++; c.counts[ring] == 1 || e.at.Compare(c.first[ring].at) < 0 {
		c.first[ring] = e
	}
}

// report reports one diagnostic a ring, with the effect of its edges.
func (c *cycles) report(pass *stage.Pass, code diag.Code, does, remedy string) {
	for ring, first := range c.first {
		what := first.what
		if n := c.counts[ring]; n > 1 {
			what += fmt.Sprintf(", one of %d such,", n)
		}
		pass.Report(diag.Errorf(first.at, code, "%s %s: %s: %s", what, does, c.graph.Cycle(first.from, first.to), remedy))
	}
}

// each visits the references of all packages, in order of paths.
func each(planned map[*model.Package][]*resolver, visit func(*model.Package, *reference)) {
	byPath := func(a, b *model.Package) int { return cmp.Compare(a.Path, b.Path) }
	for _, p := range slices.SortedFunc(maps.Keys(planned), byPath) {
		for _, r := range planned[p] {
			for _, ref := range r.references {
				visit(p, ref)
			}
		}
	}
}

// checkLookUp reports reasons why a reference can't be looked up.
func checkLookUp(pass *stage.Pass, p *model.Package, ref *reference) {
	registry := pass.Options.Registry
	internal, isInternal := parentOfInternal(registry.Path)
	switch {
	case pass.Source.Program.Scope.ModuleOf(p.Dir) != pass.Source.Program.Scope.ModuleOf(registry.Dir):
		pass.Report(diag.Errorf(ref.at, codeCycle,
			"%s must be looked up, and package %s lies in another Go module than resolvers.registry, %s: run mrgen in the module of the API, with a registry in it",
			ref.target, p.Path, registry.Path))
	case isInternal && p.Path != internal && !strings.HasPrefix(p.Path, internal+"/"):
		pass.Report(diag.Errorf(ref.at, codeCycle,
			"%s must be looked up, and package %s can't import resolvers.registry, %s, since it is internal to %s: name a package that the API can import",
			ref.target, p.Path, registry.Path, internal))
	// Schemes find kinds by group.
	case ref.group == "":
		pass.Report(diag.Errorf(ref.at, codeCycle,
			"%s must be looked up, and has no API group: add a +groupName marker to the package comment of %s", ref.target, ref.targetIn.Path))
	}
}

// parentOfInternal returns the import path to which a package is internal, if it is: see 'go help packages'.
func parentOfInternal(importPath string) (string, bool) {
	for p := importPath; p != "."; p = path.Dir(p) {
		if path.Base(p) == "internal" {
			return path.Dir(p), true
		}
	}
	return "", false
}

// newGraph returns the imports of packages, including the imports of planned methods and conversions. imports
// reports which references import their target.
func newGraph(pass *stage.Pass, planned map[*model.Package][]*resolver, imports func(*reference) bool) importgraph.Graph {
	g := importgraph.New(pass.Model.Imports)
	if pass.Options.Versions == run.ConvertVersions {
		addConversions(g, pass.Model)
	}
	each(planned, func(p *model.Package, ref *reference) {
		if imports(ref) {
			g.Add(p.Path, importgraph.Edge{To: ref.targetIn.Path, Reason: importgraph.Refers, Pos: ref.at})
		}
		if e := ref.extractor; e != nil {
			g.Add(p.Path, importgraph.Edge{To: e.functionIn.Path, Reason: importgraph.Extracts, Pos: e.at})
		}
	})
	return g
}

// addConversions adds the imports of a kind's stored version by the others, which convert to it. Whether they
// differ isn't known yet.
func addConversions(g importgraph.Graph, m *model.Model) {
	type key struct{ group, kind string }
	kinds := map[key][]*model.Object{}
	stored := map[key]*model.Object{}
	for o := range model.Objects(slices.Concat(m.Packages, m.Referenced)) {
		k := key{o.Package.Group, o.Name}
		kinds[k] = append(kinds[k], o)
		if o.HasMarker(markers.StorageVersion) {
			stored[k] = o
		}
	}
	for k, hub := range stored {
		for _, o := range kinds[k] {
			g.Add(o.Package.Path, importgraph.Edge{To: hub.Package.Path, Reason: importgraph.Converts, Pos: o.Pos})
		}
	}
}

package resolvers

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
)

const codeCycle diag.Code = "import-cycle"

// CodeRegistry is that of import cycles for which the settings must name a registry.
const CodeRegistry diag.Code = "resolver-registry"

// breakCycles has references take kinds from the registry if importing the packages
// of these would be part of an import cycle: all references on a cycle, so that it
// depends on no order which of them do. Without a registry that is an error, one for the
// cycles of packages that import each other. So is an extractor on a cycle that remains:
// only an import lets a method call it.
func breakCycles(pass *pipeline.Pass, planned map[*model.Package][]*resolver) {
	run := map[string]bool{}
	for _, p := range pass.Model.Packages {
		run[p.Path] = true
	}
	all := newGraph(pass.Model, planned, func(*reference) bool { return true })
	rings := all.Rings()
	onRing := func(from string, ref *reference) bool {
		return from != ref.targetIn.Path && rings[from] == rings[ref.targetIn.Path]
	}
	cycles := newCycles(all, rings)
	each(planned, func(p *model.Package, ref *reference) {
		if !onRing(p.Path, ref) {
			return
		}
		ref.lookedUp = true
		switch {
		case !run[p.Path]:
		case pass.Options.Registry != nil:
			checkLookUp(pass, p, ref)
		default:
			cycles.add(edge{at: ref.at, what: "this reference to " + ref.target, from: p.Path, to: ref.targetIn.Path})
		}
	})
	cycles.report(pass, CodeRegistry, "closes an import cycle",
		"set resolvers.registry: <import path> in mrgen.yaml, for a package that mrgen writes and resolvers look up kinds in")
	imported := newGraph(pass.Model, planned, func(ref *reference) bool { return !ref.lookedUp })
	rings = imported.Rings()
	cycles = newCycles(imported, rings)
	each(planned, func(p *model.Package, ref *reference) {
		if e := ref.extractor; e != nil && run[p.Path] && e.functionIn.Path != p.Path && rings[p.Path] == rings[e.functionIn.Path] {
			cycles.add(edge{at: e.at, what: "the extractor " + e.function, from: p.Path, to: e.functionIn.Path})
		}
	})
	cycles.report(pass, codeCycle, "closes an import cycle, and no look-up can replace it", "move extractors to a package that imports no API group")
}

// An edge is what a package imports another one for.
type edge struct {
	at   diag.Position
	what string
	// from and to are import paths.
	from, to string
}

// cycles are the edges between packages that import each other: of each ring of these the
// number, and the edge that comes first in the source. One diagnostic reports all of a
// ring, for they are put right together.
type cycles struct {
	graph  importgraph.Graph
	rings  map[string]int
	counts map[int]int
	first  map[int]edge
}

func newCycles(g importgraph.Graph, rings map[string]int) *cycles {
	return &cycles{graph: g, rings: rings, counts: map[int]int{}, first: map[int]edge{}}
}

func (c *cycles) add(e edge) {
	ring := c.rings[e.from]
	if c.counts[ring]++; c.counts[ring] == 1 || e.at.Compare(c.first[ring].at) < 0 {
		c.first[ring] = e
	}
}

// report reports what the edges of each ring do, and what to do about it.
func (c *cycles) report(pass *pipeline.Pass, code diag.Code, does, remedy string) {
	for ring, first := range c.first {
		what, around := first.what, ""
		if n := c.counts[ring]; n > 1 {
			what += fmt.Sprintf(", one of %d such,", n)
			around = fmt.Sprintf(" (%s import each other)", diag.And(c.members(ring)))
		}
		pass.Report(diag.Errorf(first.at, code, "%s %s: %s%s: %s", what, does, c.graph.Cycle(first.from, first.to), around, remedy))
	}
}

// members returns the packages of a ring, or how many there are beyond some.
func (c *cycles) members(ring int) []string {
	var members []string
	for p, of := range c.rings {
		if of == ring {
			members = append(members, p)
		}
	}
	slices.Sort(members)
	if n := len(members) - mostMembers; n > 0 {
		members = append(members[:mostMembers], fmt.Sprintf("%d more", n))
	}
	return members
}

// mostMembers bounds how many packages of a ring a diagnostic names.
const mostMembers = 10

// each visits the references of all packages, in their order.
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

// checkLookUp reports what keeps a reference from being looked up.
func checkLookUp(pass *pipeline.Pass, p *model.Package, ref *reference) {
	registry := pass.Options.Registry
	internal, isInternal := parentOfInternal(registry.Path)
	switch {
	case pass.Source.Program.Scope.ModuleOf(p.Dir) != pass.Source.Program.Scope.ModuleOf(registry.Dir):
		pass.Report(diag.Errorf(ref.at, codeCycle,
			"%s must be looked up, and package %s lies in another Go module than resolvers.registry, %s: name a package in the module of the API",
			ref.target, p.Path, registry.Path))
	case isInternal && p.Path != internal && !strings.HasPrefix(p.Path, internal+"/"):
		pass.Report(diag.Errorf(ref.at, codeCycle,
			"%s must be looked up, and package %s can't import resolvers.registry, %s, since it is internal to %s: name a package that the API can import",
			ref.target, p.Path, registry.Path, internal))
	case ref.group == "":
		pass.Report(diag.Errorf(ref.at, codeCycle,
			"%s must be looked up, and has no API group: add a +groupName marker to the package comment of %s", ref.target, ref.targetIn.Path))
	}
}

// parentOfInternal returns the import path that a package is internal to, if it is
// internal: see 'go help packages'.
func parentOfInternal(importPath string) (string, bool) {
	for p := importPath; p != "."; p = path.Dir(p) {
		if path.Base(p) == "internal" {
			return path.Dir(p), true
		}
	}
	return "", false
}

// newGraph returns what packages import with the methods that are planned for them.
// Of the references, those count that import says so of.
func newGraph(m *model.Model, planned map[*model.Package][]*resolver, imports func(*reference) bool) importgraph.Graph {
	g := importgraph.New(m.Imports)
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

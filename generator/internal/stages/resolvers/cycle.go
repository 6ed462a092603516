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
	cycles := map[int]*cycle{}
	each(planned, func(p *model.Package, ref *reference) {
		if !onRing(p.Path, ref) {
			return
		}
		ref.lookedUp = true
		if !run[p.Path] {
			return
		}
		if pass.Options.Registry != nil {
			checkLookUp(pass, p, ref)
			return
		}
		ring := rings[p.Path]
		if cycles[ring] == nil {
			cycles[ring] = &cycle{}
		}
		cycles[ring].add(p, ref)
	})
	for ring, c := range cycles {
		pass.Report(c.diagnostic(all, rings, ring))
	}
	imported := newGraph(pass.Model, planned, func(ref *reference) bool { return !ref.lookedUp })
	rings = imported.Rings()
	each(planned, func(p *model.Package, ref *reference) {
		e := ref.extractor
		if e == nil || !run[p.Path] || e.functionIn.Path == p.Path || rings[p.Path] != rings[e.functionIn.Path] {
			return
		}
		pass.Report(diag.Errorf(e.at, codeCycle,
			"the extractor %s closes an import cycle, and no look-up can replace it: %s: move %s to a package that imports no API group",
			e.function, imported.Cycle(p.Path, e.functionIn.Path), e.function))
	})
}

// A cycle is what the references between packages that import each other have in common.
type cycle struct {
	count int
	// first is the reference that comes first in the source, and from has it.
	first *reference
	from  *model.Package
}

func (c *cycle) add(p *model.Package, ref *reference) {
	c.count++
	if c.first == nil || ref.at.Compare(c.first.at) < 0 {
		c.first, c.from = ref, p
	}
}

// diagnostic reports all references of a ring at once.
func (c *cycle) diagnostic(g importgraph.Graph, rings map[string]int, ring int) diag.Diagnostic {
	const remedy = "set resolvers.registry: <import path> in mrgen.yaml, for a package that mrgen writes and resolvers look up kinds in"
	shortest := g.Cycle(c.from.Path, c.first.targetIn.Path)
	if c.count == 1 {
		return diag.Errorf(c.first.at, CodeRegistry, "this reference to %s closes an import cycle: %s: "+remedy, c.first.target, shortest)
	}
	var members []string
	for p, of := range rings {
		if of == ring {
			members = append(members, p)
		}
	}
	slices.Sort(members)
	if n := len(members) - mostMembers; n > 0 {
		members = append(members[:mostMembers], fmt.Sprintf("%d more", n))
	}
	return diag.Errorf(c.first.at, CodeRegistry, "this reference to %s, one of %d such, closes an import cycle: %s (%s import each other): "+remedy,
		c.first.target, c.count, shortest, diag.And(members))
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
	case pass.Source.ModuleDir(p.Dir) != pass.Source.ModuleDir(registry.Dir):
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

package resolvers

import (
	"cmp"
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

// breakCycles has references take kinds from the registry if importing the packages
// of these would be part of an import cycle: all references on a cycle, so that it
// depends on no order which of them do. Without a registry each is an error. So is
// an extractor on a cycle that remains: only an import lets a method call it.
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
		pass.Report(diag.Errorf(ref.at, codeCycle,
			"this reference to %s closes an import cycle: %s: set resolvers.registry: <import path> in mrgen.yaml, for a package that mrgen writes and resolvers look up %s in",
			ref.target, all.Cycle(p.Path, ref.targetIn.Path), ref.target))
	})
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

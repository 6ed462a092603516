package resolvers

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
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
	rings := all.rings()
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
			ref.target, all.describe(p.Path, ref.targetIn.Path), ref.target))
	})
	imported := newGraph(pass.Model, planned, func(ref *reference) bool { return !ref.lookedUp })
	rings = imported.rings()
	each(planned, func(p *model.Package, ref *reference) {
		e := ref.extractor
		if e == nil || !run[p.Path] || e.functionIn.Path == p.Path || rings[p.Path] != rings[e.functionIn.Path] {
			return
		}
		pass.Report(diag.Errorf(e.at, codeCycle,
			"the extractor %s closes an import cycle, and no look-up can replace it: %s: move %s to a package that imports no API group",
			e.function, imported.describe(p.Path, e.functionIn.Path), e.function))
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

// A graph has what packages import, by import path. Each list is sorted by import
// path, then by kind, then by position.
type graph map[string][]edge

// An edge is an import of a package by another one.
type edge struct {
	to   string
	kind edgeKind
	// pos is what makes it an import: the import itself, or a marker.
	pos diag.Position
}

// edgeKind says where an import comes from.
type edgeKind uint8

const (
	// authored imports are in files of the author, or in those that declare types.
	authored edgeKind = iota
	// referring imports are of kinds that are referred to.
	referring
	// extracting imports are of the functions that take values.
	extracting
)

func (k edgeKind) String() string {
	switch k {
	case authored:
		return "imports"
	case referring:
		return "refers to"
	default:
		return "calls an extractor of"
	}
}

// newGraph returns what packages import with the methods that are planned for them.
// Of the references, those count that import says so of.
func newGraph(m *model.Model, planned map[*model.Package][]*resolver, imports func(*reference) bool) graph {
	g := graph{}
	for from, list := range m.Imports {
		for _, i := range list {
			g[from] = append(g[from], edge{to: i.Path, kind: authored, pos: i.Pos})
		}
	}
	each(planned, func(p *model.Package, ref *reference) {
		if imports(ref) && ref.targetIn.Path != p.Path {
			g[p.Path] = append(g[p.Path], edge{to: ref.targetIn.Path, kind: referring, pos: ref.at})
		}
		if e := ref.extractor; e != nil && e.functionIn.Path != p.Path {
			g[p.Path] = append(g[p.Path], edge{to: e.functionIn.Path, kind: extracting, pos: e.at})
		}
	})
	for _, edges := range g {
		slices.SortFunc(edges, func(a, b edge) int {
			return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.kind, b.kind), a.pos.Compare(b.pos))
		})
	}
	return g
}

// rings returns a number for each package, the same for two packages that import
// each other, directly or through others. It is Tarjan's algorithm for strongly
// connected components.
func (g graph) rings() map[string]int {
	rings, index, low := map[string]int{}, map[string]int{}, map[string]int{}
	var stack []string
	var visit func(string)
	visit = func(p string) {
		index[p] = len(index) + 1
		low[p] = index[p]
		stack = append(stack, p)
		for _, e := range g[p] {
			if index[e.to] == 0 {
				visit(e.to)
				low[p] = min(low[p], low[e.to])
			} else if rings[e.to] == 0 {
				low[p] = min(low[p], index[e.to])
			}
		}
		if low[p] != index[p] {
			return
		}
		for i := len(stack) - 1; ; i-- {
			rings[stack[i]] = index[p]
			if stack[i] == p {
				stack = stack[:i]
				return
			}
		}
	}
	for p := range g {
		if index[p] == 0 {
			visit(p)
		}
	}
	return rings
}

// describe returns the shortest cycle that an import closes, and what makes each of
// its other packages import the next one.
func (g graph) describe(from, to string) string {
	cycle := []string{from, to}
	var why []string
	importing := to
	for _, e := range g.way(to, from) {
		cycle = append(cycle, e.to)
		reason := fmt.Sprintf("%s %s %s", importing, e.kind, e.to)
		if e.pos.IsValid() {
			reason += " at " + e.pos.String()
		}
		why = append(why, reason)
		importing = e.to
	}
	return strings.Join(cycle, " -> ") + ", where " + strings.Join(why, " and ")
}

// way returns the shortest way from a package to another one, which exists; among
// several, the one that comes first by import path.
func (g graph) way(from, to string) []edge {
	type step struct {
		from string
		edge edge
	}
	reached := map[string]step{from: {}}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		for _, e := range g[p] {
			if _, known := reached[e.to]; !known {
				reached[e.to] = step{p, e}
				queue = append(queue, e.to)
			}
		}
	}
	var way []edge
	for p := to; p != from; p = reached[p].from {
		way = append(way, reached[p].edge)
	}
	slices.Reverse(way)
	return way
}

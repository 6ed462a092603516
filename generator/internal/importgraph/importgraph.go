// Package importgraph finds import cycles that generated code would cause.
package importgraph

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A Graph maps the import path of a package to its imports.
type Graph map[string][]Edge

// An Edge is an import.
type Edge struct {
	// To is the import path of the imported package.
	To     string
	Reason Reason
	// Pos is the position of the import itself, or of the marker or field that the import is generated for. It is not
	// valid outside the module.
	Pos diag.Position
}

// A Reason says why one package imports another.
type Reason uint8

const (
	// Imports are in existing files.
	Imports Reason = iota
	// Mirrors are imports of observed types for the types that mirror them.
	Mirrors
	// Refers are imports of kinds for the resolvers of references to them.
	Refers
	// Extracts are imports of extractor functions.
	Extracts
	// Converts are imports of the stored version of a kind, for the conversion of other versions.
	Converts
)

// String returns the reason as a verb for "package a … package b".
func (r Reason) String() string {
	switch r {
	case Imports:
		return "imports"
	case Mirrors:
		return "mirrors types of"
	case Refers:
		return "refers to"
	case Converts:
		return "converts kinds to"
	default:
		return "calls an extractor of"
	}
}

// New returns the graph of the imports of existing files, see [model.Model].
func New(imports map[string][]model.Import) Graph {
	g := Graph{}
	for from, list := range imports {
		for _, i := range list {
			g.Add(from, Edge{To: i.Path, Reason: Imports, Pos: i.Pos})
		}
	}
	return g
}

// Add adds an import.
func (g Graph) Add(from string, e Edge) {
	if from != e.To { // a package needs no import for its own names
		g[from] = append(g[from], e)
	}
}

// Rings returns the packages that import each other, directly or through others, sorted. A ring comes after the rings
// that it imports. A package that is on no cycle is a ring of its own.
func (g Graph) Rings() [][]string {
	// This is Tarjan's algorithm for strongly connected components.
	var rings [][]string
	index, low, inRing := map[string]int{}, map[string]int{}, map[string]bool{}
	var stack []string
	var visit func(string)
	visit = func(p string) {
		index[p] = len(index) + 1
		low[p] = index[p]
		start := len(stack)
		stack = append(stack, p)
		for _, e := range g[p] {
			if index[e.To] == 0 {
				visit(e.To)
				low[p] = min(low[p], low[e.To])
			} else if !inRing[e.To] {
				low[p] = min(low[p], index[e.To])
			}
		}
		if low[p] != index[p] {
			return
		}
		ring := slices.Sorted(slices.Values(stack[start:]))
		for _, member := range ring {
			inRing[member] = true
		}
		rings, stack = append(rings, ring), stack[:start]
	}
	for _, p := range slices.Sorted(maps.Keys(g)) {
		if index[p] == 0 {
			visit(p)
		}
	}
	return rings
}

// Cyclic are the packages that import each other, directly or through others, each with the first one of its ring.
type Cyclic map[string]string

// Together reports whether two packages import each other.
func (c Cyclic) Together(a, b string) bool { return a != b && c[a] != "" && c[a] == c[b] }

// Cyclic returns the packages of the graph that import each other.
func (g Graph) Cyclic() Cyclic {
	cyclic := Cyclic{}
	for _, ring := range g.Rings() {
		if len(ring) > 1 {
			for _, p := range ring {
				cyclic[p] = ring[0]
			}
		}
	}
	return cyclic
}

// Merge adds the imports of a graph with other packages.
func (g Graph) Merge(other Graph) {
	for from, edges := range other {
		_, known := g[from]
		for _, e := range edges {
			// Where both graphs have the imports of a package's files, they are the same.
			if !known || e.Reason != Imports {
				g.Add(from, e)
			}
		}
	}
}

// Agrees reports whether c predicted which references need a lookup in place of an import: references between packages
// that import each other according to c are on a cycle of the graph, other references are not, and with the lookups no
// extractor is on a cycle.
func (g Graph) Agrees(c Cyclic) bool {
	cyclic, imported := g.Cyclic(), Graph{}
	for from, edges := range g {
		for _, e := range edges {
			if e.Reason == Refers && cyclic.Together(from, e.To) != c.Together(from, e.To) {
				// a lookup without need, or a reference that would close a cycle
				return false
			}
			if e.Reason != Refers || !c.Together(from, e.To) {
				imported.Add(from, e)
			}
		}
	}
	cyclic = imported.Cyclic()
	for from, edges := range imported {
		if slices.ContainsFunc(edges, func(e Edge) bool { return e.Reason == Extracts && cyclic.Together(from, e.To) }) {
			// an extractor can't be looked up
			return false
		}
	}
	return true
}

// Cycle describes the shortest cycle that an import between packages of one ring closes. It says why each of the other
// packages on it imports the next one, if the graph has all of them.
func (g Graph) Cycle(from, to string) string {
	edges := g.shortestPath(to, from)
	cycle := []string{from, to}
	for _, e := range edges {
		cycle = append(cycle, e.To)
	}
	names := shortened(cycle) // only as much of their paths as distinguishes them
	text := strings.Join(names, " -> ")
	for i, e := range edges {
		word := " and"
		if i == 0 {
			word = ", where"
		}
		text += fmt.Sprintf("%s %s %s %s", word, names[i+1], e.Reason, names[i+2])
		if e.Pos.IsValid() {
			text += " at " + e.Pos.String()
		}
	}
	return text
}

// shortened returns import paths without their common folders.
func shortened(importPaths []string) []string {
	var shared []string
	for i, importPath := range importPaths {
		elements := strings.Split(importPath, "/")
		folders := elements[:len(elements)-1]
		if i == 0 {
			shared = folders
		}
		n := 0
		for n < min(len(shared), len(folders)) && shared[n] == folders[n] {
			n++
		}
		shared = shared[:n]
	}
	var names []string
	for _, importPath := range importPaths {
		names = append(names, strings.Join(strings.Split(importPath, "/")[len(shared):], "/"))
	}
	return names
}

// shortestPath returns the shortest path from a package to another one, or nil. Among several, it returns the first by
// import path.
func (g Graph) shortestPath(from, to string) []Edge {
	type step struct {
		from string
		edge Edge
	}
	reached := map[string]step{from: {}}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		for _, e := range slices.SortedFunc(slices.Values(g[p]), compare) {
			if _, known := reached[e.To]; !known {
				reached[e.To] = step{p, e}
				queue = append(queue, e.To)
			}
		}
	}
	if _, found := reached[to]; !found {
		return nil
	}
	var path []Edge
	for p := to; p != from; p = reached[p].from {
		path = append(path, reached[p].edge)
	}
	slices.Reverse(path)
	return path
}

// compare orders edges by import path, then by reason, then by position.
func compare(a, b Edge) int {
	return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.Reason, b.Reason), a.Pos.Compare(b.Pos))
}

// Package batches divides the packages of a run into batches, which can be processed one after the other or side by
// side, with the same result as all at once.
//
// Packages whose output depends on each other are a unit, and a batch has whole units: API packages of one group, and
// their imports. A type that a marker names elsewhere is declared there, and only its declaration must be known. All
// this is read from the text, without type-checking.
package batches

import (
	"cmp"
	"maps"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// Batches divides the covered folders. Units that markers name come first, as far as possible, so that few packages are
// loaded before their own batch. A batch is complete when its source has at least size bytes.
func (t *Tree) Batches(size int) [][]string {
	var batches [][]string
	var batch []string
	total := 0
	for _, folders := range t.inOrder() {
		for _, name := range folders {
			if t.folders[name].covered {
				batch = append(batch, name)
				total += t.folders[name].size
			}
		}
		if total >= size {
			batches = append(batches, batch)
			batch, total = nil, 0
		}
	}
	if len(batch) > 0 {
		batches = append(batches, batch)
	}
	return batches
}

// Cyclic returns the packages that import each other, counting the imports that generated code
// will have because of markers, as far as their text says.
func (t *Tree) Cyclic() importgraph.Cyclic {
	g := importgraph.Graph{}
	for name, f := range t.folders {
		for _, to := range slices.Concat(f.imports, f.targets) {
			g.Add(t.importPath(name), importgraph.Edge{To: t.importPath(to)})
		}
	}
	return g.Cyclic()
}

// importPath returns the import path of the package in a folder.
func (t *Tree) importPath(name string) string {
	home := t.scope.ModuleOf(name)
	for _, module := range t.scope.Modules {
		if module.Dir == home {
			return path.Join(module.Path, modules.Within(home, name))
		}
	}
	return name // no import leads to it
}

// Needed returns the import paths of packages that the run needs besides the covered packages and their imports, as far
// as the text shows: packages that markers name in the run's modules, and packages that generated code imports.
func (t *Tree) Needed() []string {
	var needed []string
	for _, f := range t.folders {
		if !f.covered {
			continue
		}
		needed = append(needed, f.generated...)
		for _, target := range f.targets {
			if !t.folders[target].covered {
				needed = append(needed, t.importPath(target))
			}
		}
	}
	slices.Sort(needed)
	return slices.Compact(needed)
}

// CoversMarkers reports whether the patterns cover all packages whose markers name others, and so may put a covered
// package on an import cycle.
func (t *Tree) CoversMarkers() bool {
	namesOthers := func(s *source) bool { return !s.covered && len(s.targets) > 0 }
	return !slices.ContainsFunc(slices.Collect(maps.Values(t.folders)), namesOthers)
}

// inOrder returns the folders of each unit, after the folders of units that its markers name. Among units whose markers
// name each other, the ones that most packages name come first.
func (t *Tree) inOrder() [][]string {
	folders := map[string][]string{}
	g := importgraph.Graph{}
	users := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(t.folders)) {
		unit := t.unitNames[name]
		folders[unit] = append(folders[unit], name)
		if g[unit] == nil {
			g[unit] = []importgraph.Edge{} // the unit may name no other
		}
		for _, target := range t.folders[name].targets {
			g.Add(unit, importgraph.Edge{To: t.unitNames[target]})
			users[t.unitNames[target]]++
		}
	}
	var order [][]string
	for _, ring := range g.Rings() {
		slices.SortStableFunc(ring, func(a, b string) int { return cmp.Compare(users[b], users[a]) })
		for _, unit := range ring {
			order = append(order, folders[unit])
		}
	}
	return order
}

package memory

import (
	"cmp"
	"maps"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// Batches divides some of the covered folders. Units that markers name come first, as far as that can be, so that
// few packages are loaded before their own batch. A batch is complete when its source has at least size
// bytes.
func (t *Tree) Batches(some []string, size int) [][]string {
	chosen := map[string]bool{}
	for _, name := range some {
		chosen[name] = true
	}
	var batches [][]string
	var batch []string
	total := 0
	for _, folders := range t.inOrder() {
		for _, name := range folders {
			if chosen[name] {
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
	return t.cyclic(t.importPath)
}

// cyclic returns what imports each other: folders, by the name of what they are part of.
func (t *Tree) cyclic(of func(folder string) string) importgraph.Cyclic {
	g := importgraph.Graph{}
	for name, f := range t.folders {
		for _, to := range slices.Concat(f.imports, f.targets) {
			g.Add(of(name), importgraph.Edge{To: of(to)})
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

// Covered returns the folders that the patterns cover.
func (t *Tree) Covered() []string {
	var covered []string
	for _, name := range slices.Sorted(maps.Keys(t.folders)) {
		if t.folders[name].covered {
			covered = append(covered, name)
		}
	}
	return covered
}

// Needed returns the packages that the code in some folders needs, as far as its text says, besides
// those in these folders and those that it imports: what markers name in the run's modules, and what
// generated code imports.
func (t *Tree) Needed(folders []string) []string {
	given := map[string]bool{}
	for _, name := range folders {
		given[name] = true
	}
	var needed []string
	for _, name := range folders {
		needed = append(needed, t.folders[name].generated...)
		for _, target := range t.folders[name].targets {
			if !given[target] {
				needed = append(needed, t.importPath(target))
			}
		}
	}
	slices.Sort(needed)
	return slices.Compact(needed)
}

// CoversCycles reports whether the patterns cover all packages whose markers may put a package that
// they cover on an import cycle. Units count as one package: versions of a kind may come to import
// each other.
func (t *Tree) CoversCycles() bool {
	cyclic := t.cyclic(func(folder string) string { return t.unitNames[folder] })
	covered, left := map[string]bool{}, map[string]bool{} // by the first unit of a cycle
	for name, f := range t.folders {
		first := cmp.Or(cyclic[t.unitNames[name]], t.unitNames[name])
		covered[first] = covered[first] || f.covered
		left[first] = left[first] || !f.covered && len(f.targets) > 0
	}
	for first := range covered {
		if covered[first] && left[first] {
			return false
		}
	}
	return true
}

// inOrder returns the folders of each unit, after those of units that its markers name. Of units
// whose markers name each other, those come first that most packages name.
func (t *Tree) inOrder() [][]string {
	folders := map[string][]string{}
	g := importgraph.Graph{}
	users := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(t.folders)) {
		unit := t.unitNames[name]
		folders[unit] = append(folders[unit], name)
		if g[unit] == nil {
			g[unit] = []importgraph.Edge{} // it may name no other
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

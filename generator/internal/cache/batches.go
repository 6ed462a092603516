package cache

import (
	"maps"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
)

// Batches divides the covered folders so that the markers in a batch name only packages of
// that batch, of earlier ones, and outside the run. A batch is complete when its source has
// at least size bytes. There are no batches if packages import each other in a cycle,
// counting the imports that markers ask for: then no order is right.
func (t *Tree) Batches(size int) [][]string {
	if t.hasCycles() {
		return nil
	}
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

// hasCycles reports whether packages import each other in a cycle, counting the imports
// that generated code will have because of markers.
func (t *Tree) hasCycles() bool {
	g := importgraph.Graph{}
	for name, f := range t.folders {
		for _, to := range slices.Concat(f.imports, f.targets) {
			g.Add(name, importgraph.Edge{To: to})
		}
	}
	ringOf := g.Rings()
	return len(members(ringOf)) < len(ringOf)
}

// inOrder returns the folders of each unit, after those of units that its markers name.
// Units whose markers name each other are joined.
func (t *Tree) inOrder() [][]string {
	folders := map[string][]string{}
	g := importgraph.Graph{}
	for _, name := range slices.Sorted(maps.Keys(t.folders)) {
		unit := t.unitNames[name]
		folders[unit] = append(folders[unit], name)
		if g[unit] == nil {
			g[unit] = []importgraph.Edge{}
		}
		for _, target := range t.folders[name].targets {
			g.Add(unit, importgraph.Edge{To: t.unitNames[target]})
		}
	}
	ringOf := g.Rings()
	inRing := members(ringOf)
	var order [][]string
	done := map[int]bool{}
	var visit func(unit string)
	visit = func(unit string) {
		ring := ringOf[unit]
		if done[ring] {
			return
		}
		done[ring] = true
		var together []string
		for _, member := range inRing[ring] {
			for _, e := range g[member] {
				visit(e.To)
			}
			together = append(together, folders[member]...)
		}
		order = append(order, together)
	}
	for _, unit := range slices.Sorted(maps.Keys(folders)) {
		visit(unit)
	}
	return order
}

// members returns the sorted members of each ring.
func members(ringOf map[string]int) map[int][]string {
	in := map[int][]string{}
	for _, name := range slices.Sorted(maps.Keys(ringOf)) {
		in[ringOf[name]] = append(in[ringOf[name]], name)
	}
	return in
}

// Size returns how many bytes of source the covered folders have.
func (t *Tree) Size() int {
	size := 0
	for _, f := range t.folders {
		if f.covered {
			size += f.size
		}
	}
	return size
}

package cache

import (
	"maps"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
)

// Batches divides the covered folders so that the packages in those of a batch name no
// other ones of the run in markers than those of their batch, and of batches before it.
// A batch is closed when its source has so many bytes. There are no batches if packages
// import each other in a circle, with the imports that markers ask for: then no order
// is right.
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

// hasCycles reports whether packages import each other, now or with what is generated
// for markers.
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

// inOrder returns the folders of each unit, after those of the units that they name in
// markers. Units that name each other are together.
func (t *Tree) inOrder() [][]string {
	folders := map[string][]string{}
	g := importgraph.Graph{}
	for _, name := range slices.Sorted(maps.Keys(t.folders)) {
		home := t.home[name]
		folders[home] = append(folders[home], name)
		if g[home] == nil {
			g[home] = []importgraph.Edge{}
		}
		for _, target := range t.folders[name].targets {
			g.Add(home, importgraph.Edge{To: t.home[target]})
		}
	}
	ringOf := g.Rings()
	inRing := members(ringOf)
	var order [][]string
	done := map[int]bool{}
	var visit func(home string)
	visit = func(home string) {
		ring := ringOf[home]
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
	for _, home := range slices.Sorted(maps.Keys(folders)) {
		visit(home)
	}
	return order
}

// members returns what is in each ring, sorted.
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

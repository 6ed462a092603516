package batches

import (
	"cmp"
	"maps"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
)

// divide divides the folders into units, whose output depends on all of them.
func (t *Tree) divide() {
	g := importgraph.Graph{}
	join := func(a, b string) {
		g.Add(a, importgraph.Edge{To: b})
		g.Add(b, importgraph.Edge{To: a})
	}
	reached, groups := map[string]bool{}, map[string]string{}
	var joinImports func(name string)
	joinImports = func(name string) {
		if reached[name] {
			return
		}
		reached[name] = true
		for _, imported := range t.folders[name].imports {
			join(name, imported)
			joinImports(imported)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.folders)) {
		f := t.folders[name]
		if !f.api {
			continue
		}
		// The versions of a kind share a file, so API packages of one group are a unit.
		for _, group := range f.groups {
			groups[group] = cmp.Or(groups[group], name)
			join(name, groups[group])
		}
		// Types that mirror others are declared beside these, so an API package and its imports are a unit.
		joinImports(name)
	}
	first := g.Cyclic() // joined both ways, a unit is a cycle
	t.unitNames = map[string]string{}
	for name := range t.folders {
		t.unitNames[name] = cmp.Or(first[name], name)
	}
}

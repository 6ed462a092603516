package batches

import (
	"cmp"
	"maps"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
)

// divide divides the folders into units, whose output depends on all of them. API packages of one group are in
// one unit, since the versions of a kind share a file. So are API packages and what they import, since types
// that mirror others are declared beside these.
func (t *Tree) divide() {
	g := importgraph.Graph{}
	join := func(a, b string) {
		g.Add(a, importgraph.Edge{To: b})
		g.Add(b, importgraph.Edge{To: a})
	}
	groups := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(t.folders)) {
		f := t.folders[name]
		if !f.api {
			continue
		}
		for _, group := range f.groups {
			groups[group] = cmp.Or(groups[group], name)
			join(name, groups[group])
		}
		for imported := range t.closure(name) {
			join(name, imported)
		}
	}
	first := g.Cyclic() // of what is joined
	t.unitNames = map[string]string{}
	for name := range t.folders {
		t.unitNames[name] = cmp.Or(first[name], name)
	}
}

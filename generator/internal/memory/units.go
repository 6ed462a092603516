package memory

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// A unit is some folders whose output depends on all of them.
type unit struct {
	key string
	// folders are those that the patterns of the run cover.
	folders []string
}

// divide divides the folders into units. API packages of one group are in one unit, since
// the versions of a kind share a file. So are API packages and what they import, since
// types that mirror others are declared beside these.
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
	covered := map[string]bool{}
	members := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(t.folders)) {
		unit := cmp.Or(first[name], name)
		t.unitNames[name] = unit
		covered[unit] = covered[unit] || t.folders[name].covered
		members[unit] = append(members[unit], name)
	}
	// The unit without folders has the files that belong to no package. It is stale if the
	// structure changes.
	t.units = map[string]*unit{"": {}}
	for name, folders := range members {
		if covered[name] {
			t.units[name] = t.newUnit(folders)
		}
	}
}

// newUnit returns the unit of some folders. Its key depends on their content, and on that of
// packages outside the run that their markers name. For packages of the run, a record has
// what others depend on.
func (t *Tree) newUnit(members []string) *unit {
	u := &unit{}
	reads := map[string]bool{}
	for _, name := range members {
		reads[name] = true
		if t.folders[name].covered {
			u.folders = append(u.folders, name)
		}
		for _, target := range t.folders[name].targets {
			if !t.folders[target].covered {
				reads[target] = true
				maps.Copy(reads, t.closure(target))
			}
		}
	}
	var keys []string
	for _, name := range slices.Sorted(maps.Keys(reads)) {
		keys = append(keys, name, t.folders[name].key)
	}
	u.key = readlog.Hash([]byte(strings.Join(keys, "\n")))
	return u
}

// unitOf returns the name of the unit that a generated file belongs to, "" if it belongs to
// no package. The header of a document names its packages.
func (t *Tree) unitOf(file string, content []byte) string {
	if sources, ok := artifact.ParseHeader(content); ok && len(sources) > 0 {
		return t.unitNames[sources[0]]
	}
	return t.unitNames[path.Dir(file)]
}

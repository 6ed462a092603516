package memory

import (
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// otherInputs returns the inputs of a run that neither the structure nor the key of a unit
// covers.
func (t *Tree) otherInputs(d load.Dependencies) []readlog.Input {
	uncovered := t.uncoveredFolders(d)
	return t.log.Inputs(func(in readlog.Input, late bool) bool {
		folder := in.Path
		if in.Kind != readlog.Folder {
			folder = filepath.Dir(in.Path)
		}
		return late || uncovered[t.scope.Rel(folder)]
	})
}

// uncoveredFolders returns the folders of packages that are not part of the tree, or on
// which other packages depend than those whose text says so: because of go.mod, an import
// path may lead to another folder than its text suggests. Nor is what these packages import
// covered.
func (t *Tree) uncoveredFolders(d load.Dependencies) map[string]bool {
	uncovered := map[string]bool{}
	var add func(dir string)
	add = func(dir string) {
		if imports, read := d.Imports[dir]; read && !uncovered[dir] {
			uncovered[dir] = true
			for _, imported := range imports {
				add(imported)
			}
		}
	}
	named := map[string]bool{}
	for _, f := range t.folders {
		for _, target := range f.targets {
			named[target] = true
		}
	}
	for dir, imports := range d.Imports {
		f := t.folders[dir]
		if f == nil {
			add(dir)
			continue
		}
		if d.Named[dir] && !f.covered && !named[dir] {
			add(dir)
		}
		for _, imported := range imports {
			if !slices.Contains(f.imports, imported) {
				add(imported)
			}
		}
	}
	return uncovered
}

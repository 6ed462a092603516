package cache

import (
	"path"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/inputs"
	"github.com/mrgen-io/mrgen/generator/internal/load"
)

// otherInputs returns what a run has read that the tree doesn't know, or of which it
// doesn't know who depends on it.
func (t *Tree) otherInputs(d load.Dependencies) []inputs.Input {
	strange := t.strangeFolders(d)
	return t.log.Inputs(func(in inputs.Input, late bool) bool {
		folder := in.Path
		if in.Kind != inputs.Folder {
			folder = filepath.Dir(in.Path)
		}
		return late || strange[t.relative(folder)]
	})
}

// strangeFolders returns the folders of packages that are no part of the tree, or that the
// text of the source doesn't say who depends on: by way of go.mod, another folder may be
// meant by an import path than its text tells. What they import in turn is strange, too.
func (t *Tree) strangeFolders(d load.Dependencies) map[string]bool {
	strange := map[string]bool{}
	var add func(dir string)
	add = func(dir string) {
		if imports, read := d.Imports[dir]; read && !strange[dir] {
			strange[dir] = true
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
	return strange
}

// relative returns a path relative to the root, slash-separated, if it lies below it.
func (t *Tree) relative(name string) string {
	if rel, err := filepath.Rel(t.root, name); err == nil && filepath.IsLocal(rel) {
		return path.Clean(filepath.ToSlash(rel))
	}
	return filepath.ToSlash(name)
}

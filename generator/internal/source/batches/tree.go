package batches

import (
	"context"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// A Tree is the Go source below a module root, with the dependencies that its text shows.
type Tree struct {
	scope *modules.Scope
	// folders are the folders with Go source, by path.
	folders map[string]*source
	// unitNames has the name of the unit of each folder.
	unitNames map[string]string
}

// NewTree reads the source below the root of a scope, and its copies. It returns the error of the context.
func NewTree(ctx context.Context, sc *modules.Scope) (*Tree, error) {
	t := &Tree{scope: sc, folders: map[string]*source{}}
	files := modules.Files(sc.Root(), func(name string) bool { return readlog.IsSource(name) && !readlog.IsTest(name) })
	files = slices.DeleteFunc(files, func(file string) bool { return sc.Hides(sc.Abs(file)) })
	files = append(files, slices.Sorted(maps.Keys(sc.Options.Copies))...)
	if err := t.read(ctx, files); err != nil {
		return nil, err
	}
	t.divide()
	return t, nil
}

// read reads the files, on all processors.
func (t *Tree) read(ctx context.Context, files []string) error {
	read := make([]source, len(files))
	err := parallel.Each(ctx, len(files), func(ctx context.Context, i int) error {
		if c := t.scope.Options.Copies[files[i]]; c != nil {
			read[i] = scan(c.Content)
		} else if content, err := os.ReadFile(t.scope.Abs(files[i])); err == nil { // the run reports files that can't be read
			read[i] = scan(content)
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	for i, file := range files {
		name := path.Dir(file)
		f := t.folders[name]
		if f == nil {
			f = &source{covered: t.scope.Covers(name)}
			t.folders[name] = f
		}
		f.size += read[i].size
		f.api = f.api || read[i].api
		f.groups = append(f.groups, read[i].groups...)
		f.imports = append(f.imports, read[i].imports...)
		f.targets = append(f.targets, read[i].targets...)
		f.generated = append(f.generated, read[i].generated...)
	}
	for _, f := range t.folders {
		slices.Sort(f.groups)
		f.groups = slices.Compact(f.groups)
		f.imports, f.targets = t.local(f.imports), t.local(f.targets)
	}
	return nil
}

// local returns the folders of the packages, among import paths, that are in the run's
// modules.
func (t *Tree) local(importPaths []string) []string {
	var found []string
	for _, importPath := range importPaths {
		for _, module := range t.scope.Modules {
			rest, below := strings.CutPrefix(importPath, module.Path)
			if below && (rest == "" || rest[0] == '/') { // example.org/ab is not below example.org/a
				if name := path.Join(module.Dir, rest); t.folders[name] != nil {
					found = append(found, name)
				}
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

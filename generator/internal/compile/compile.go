// Package compile checks, before anything is written, that the Go code of a run compiles with
// its packages.
//
// It first compares names, since generated code may use an identifier of the author for something else. Then it
// type-checks the generated code in memory. Elsewhere, it only checks the declarations that generated code depends on,
// directly or not, without the bodies of functions. So other errors there don't matter, and most packages that a
// provider imports aren't even parsed.
package compile

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
)

const codeCompile diag.Code = "compile"

// A Checker checks the generated code for the sources of a listing, one source after the other. It caches declarations
// of other modules. The zero value is ready to use.
type Checker struct {
	// Author is set if the author's files are checked with the generated ones, whole.
	Author bool
	// NoDeepCopies is set if another generator writes deep copies, perhaps after this run.
	NoDeepCopies bool
	// Begin, if not nil, is called before the go command builds the packages of the author, with all that they import.
	Begin func(step string) (ended func())

	// universes has the types of other modules, by the folder of the module that imports
	// them.
	universes map[string]*Universe
}

// Check reports code that would not compile. The files are the output of a run for the source, Go or not, by their paths
// relative to the module root. Check compares names in all of them, and type-checks the folders for which whole returns
// true. Its error is an error of the go command.
func (c *Checker) Check(ctx context.Context, s *load.Program, files map[string][]byte, whole func(dir string) bool) (diag.List, error) {
	own := s.Own()
	folders, err := parseAll(ctx, s, files, whole)
	if err != nil {
		return nil, err
	}
	defer release(s, folders)
	var diags diag.List
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		diags = append(diags, clashes(s, own[dir], folders[dir])...)
	}
	if diags.HasErrors() { // with two meanings of a name, type errors only repeat it
		return diags, nil
	}
	return c.checkTypes(ctx, s, own, folders, files)
}

// A folder has generated files of one package.
type folder struct {
	dir string
	// whole is set if the folder is type-checked.
	whole bool
	files []*generated
}

// generated is a generated file.
type generated struct {
	// name is relative to the module root.
	name    string
	content []byte
	syntax  *ast.File
}

// parseAll parses the Go files among the generated ones, by folder.
func parseAll(ctx context.Context, s *load.Program, files map[string][]byte, whole func(dir string) bool) (map[string]*folder, error) {
	folders := map[string]*folder{}
	var all []*generated
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Ext(name) != ".go" {
			continue
		}
		dir := path.Dir(name)
		if folders[dir] == nil {
			folders[dir] = &folder{dir: dir, whole: whole(dir)}
		}
		file := &generated{name: name, content: files[name]}
		folders[dir].files = append(folders[dir].files, file)
		all = append(all, file)
	}
	err := parallel.Each(ctx, len(all), func(_ context.Context, i int) error {
		return all[i].parse(s, folders[path.Dir(all[i].name)].whole)
	})
	return folders, err
}

// parse parses a file, with the bodies of functions if whole is set.
func (g *generated) parse(s *load.Program, whole bool) (err error) {
	name := filepath.Join(s.Scope.Root(), filepath.FromSlash(g.name))
	if whole {
		g.syntax, err = parser.ParseFile(s.Files.Fset, name, g.content, parser.SkipObjectResolution)
	} else {
		g.syntax, err = load.ParseDeclarations(s.Files.Fset, name, g.content)
	}
	if err != nil {
		return fmt.Errorf("the generated source of %s does not parse: %w", g.name, err)
	}
	return nil
}

// release forgets the positions of generated files.
func release(s *load.Program, folders map[string]*folder) {
	for _, f := range folders {
		for _, file := range f.files {
			if file.syntax == nil { // parsing failed, or was cancelled
				continue
			}
			s.Files.Forget(file.syntax)
		}
	}
}

// base returns the name of a generated file in its folder.
func (g *generated) base() string { return path.Base(g.name) }

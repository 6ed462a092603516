package load

import (
	"go/ast"
	"go/parser"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// imports returns what the loaded packages import, by import path.
func (s *Source) imports() map[string][]model.Import {
	all := map[string][]model.Import{}
	// Packages of the run come first: what is loaded beside them has packages of
	// its own with the same paths, which lack the types that the run declares.
	eachOf(slices.Concat(s.roots, s.external), func(pkg *loader.Package) {
		importPath := loader.NonVendorPath(pkg.PkgPath)
		if _, known := all[importPath]; known {
			return
		}
		positions := map[string]diag.Position{}
		if s.isLocal(pkg) {
			positions = s.importPositions(pkg)
		}
		list := make([]model.Import, 0, len(pkg.Imports()))
		for _, imported := range pkg.Imports() {
			p := loader.NonVendorPath(imported.PkgPath)
			list = append(list, model.Import{Path: p, Pos: positions[p]})
		}
		slices.SortFunc(list, func(a, b model.Import) int { return strings.Compare(a.Path, b.Path) })
		all[importPath] = list
	})
	return all
}

// importPositions returns where the files of a package import others, by import
// path.
func (s *Source) importPositions(pkg *loader.Package) map[string]diag.Position {
	files := pkg.Syntax
	if files == nil {
		for _, name := range pkg.CompiledGoFiles {
			// What can't be parsed imports nothing that is known.
			content, err := s.read(name)
			if err != nil {
				continue
			}
			if file, err := parser.ParseFile(s.fset, name, content, parser.ImportsOnly); err == nil {
				files = append(files, file)
			}
		}
	}
	files = slices.SortedFunc(slices.Values(files), func(a, b *ast.File) int {
		return strings.Compare(s.fset.File(a.Pos()).Name(), s.fset.File(b.Pos()).Name())
	})
	positions := map[string]diag.Position{}
	for _, file := range files {
		for _, spec := range file.Imports {
			importPath, err := strconv.Unquote(spec.Path.Value)
			if _, known := positions[importPath]; err == nil && !known {
				positions[importPath] = s.Position(spec.Path.Pos())
			}
		}
	}
	return positions
}

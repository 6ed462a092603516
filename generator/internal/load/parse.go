package load

import (
	"go/ast"
	"go/parser"
	"iter"
	"slices"
	"sort"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

// parse parses the roots, on all processors.
func (s *Source) parse() diag.List {
	before := make([]int, len(s.roots))
	inParallel(s.roots, func(i int, pkg *loader.Package) {
		before[i] = len(pkg.Errors)
		s.parsePackage(pkg)
	})
	var diags diag.List
	for i, pkg := range s.roots {
		for _, e := range pkg.Errors[before[i]:] {
			diags = append(diags, diag.Errorf(s.errorPosition(pkg, s.root, e.Pos), codeSyntax, "%s", s.relativeText(e.Msg)))
		}
	}
	return diags
}

// parsePackage parses a package, unless it was. Errors are added to the package,
// which has no syntax then. It takes less memory than the loader: nobody asks what
// identifiers in a file mean to the parser, and bodies of functions are dropped. Those
// of other modules are not even parsed.
func (s *Source) parsePackage(pkg *loader.Package) {
	if pkg.Syntax != nil {
		return
	}
	files := make([]*ast.File, 0, len(pkg.CompiledGoFiles))
	for _, name := range pkg.CompiledGoFiles {
		source, err := s.read(name)
		if err != nil {
			pkg.AddError(err)
			continue
		}
		if !inModule(s.relative(name)) {
			blankBodies(source)
		}
		file, err := parser.ParseFile(s.fset, name, source, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			pkg.AddError(err)
			continue
		}
		dropBodies(file)
		dropC(file)
		files = append(files, file)
	}
	if len(files) == len(pkg.CompiledGoFiles) {
		pkg.Syntax = files
	}
}

// dropC drops "C" from the imports of a file, which is no package: cgo stands for it. The
// declaration stays.
func dropC(file *ast.File) {
	file.Imports = slices.DeleteFunc(file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` })
}

// dropBodies empties the bodies of functions, but for those with markers: the
// types in a body have them, and controller-tools reads these.
func dropBodies(file *ast.File) {
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil && !hasMarkers(file, f.Body) {
			f.Body.List = nil
		}
	}
}

// hasMarkers reports whether there are markers in the comments within a node.
func hasMarkers(file *ast.File, node ast.Node) bool {
	for comment := range commentsIn(file, node) {
		if _, found := markerText(comment.Text); found {
			return true
		}
	}
	return false
}

// commentsIn returns the comments within a node.
func commentsIn(file *ast.File, node ast.Node) iter.Seq[*ast.Comment] {
	return func(yield func(*ast.Comment) bool) {
		first := sort.Search(len(file.Comments), func(i int) bool { return file.Comments[i].Pos() >= node.Pos() })
		for _, group := range file.Comments[first:] {
			if group.Pos() >= node.End() {
				return
			}
			for _, comment := range group.List {
				if !yield(comment) {
					return
				}
			}
		}
	}
}

// inParallel calls a function for each package, on all processors.
func inParallel(pkgs []*loader.Package, do func(int, *loader.Package)) {
	parallel.Do(len(pkgs), func(i int) { do(i, pkgs[i]) })
}

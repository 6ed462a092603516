package load

import (
	"go/ast"
	"go/parser"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// Imports returns the imports of the loaded packages, by import path. It includes the packages below the module root and
// other packages that import one of these. No other package is part of an import cycle with them.
func (p *Program) Imports() map[string][]model.Import {
	all := map[string][]model.Import{}
	p.eachWithReferenced(func(pkg *loader.Package) {
		importPath := loader.NonVendorPath(pkg.PkgPath)
		if _, known := all[importPath]; known || !p.listing.needsLocal(pkg) {
			return
		}
		positions := map[string]diag.Position{}
		if p.Files.IsLocal(pkg) {
			positions = p.importPositions(pkg)
		}
		list := make([]model.Import, 0, len(pkg.Imports()))
		for _, imported := range pkg.Imports() {
			path := loader.NonVendorPath(imported.PkgPath)
			list = append(list, model.Import{Path: path, Pos: positions[path]})
		}
		slices.SortFunc(list, func(a, b model.Import) int { return strings.Compare(a.Path, b.Path) })
		all[importPath] = list
	})
	return all
}

// needsLocal reports whether a package is below the module root, or imports such a package, directly or indirectly.
func (l *Listing) needsLocal(pkg *loader.Package) bool {
	if l.Files.IsLocal(pkg) {
		return true
	}
	needs, known := l.local[pkg]
	if !known {
		l.local[pkg] = false // until more is known, should packages import each other
		for _, imported := range pkg.Imports() {
			needs = needs || l.needsLocal(imported)
		}
		l.local[pkg] = needs
	}
	return needs
}

// importPositions returns where the files of a package first import others, by import path.
func (p *Program) importPositions(pkg *loader.Package) map[string]diag.Position {
	files := pkg.Syntax
	if files == nil { // its syntax is kept only if API types need it
		for _, name := range pkg.CompiledGoFiles {
			// A file that can't be parsed has no imports to point at.
			content, err := p.listing.ReadFile(name)
			if err != nil {
				continue
			}
			if file, err := parser.ParseFile(p.Files.Fset, name, content, parser.ImportsOnly); err == nil {
				files = append(files, file)
				defer p.Files.Forget(file)
			}
		}
	}
	files = slices.SortedFunc(slices.Values(files), func(a, b *ast.File) int {
		return strings.Compare(p.Files.Fset.File(a.Pos()).Name(), p.Files.Fset.File(b.Pos()).Name())
	})
	positions := map[string]diag.Position{}
	for _, file := range files {
		for _, spec := range file.Imports {
			importPath := gosyntax.ImportPath(spec)
			if _, known := positions[importPath]; !known {
				positions[importPath] = p.Files.Position(spec.Path.Pos())
			}
		}
	}
	return positions
}

// ImportErrors reports imports of API packages that can't be resolved, and imports of "C": the code that cgo generates
// isn't listed.
func (p *Program) ImportErrors() diag.List {
	return p.importErrors(p.APIs, func(pkg *loader.Package) []*ast.File { return pkg.Syntax })
}

// importErrors reports the same for packages with these files.
func (p *Program) importErrors(pkgs []*loader.Package, files func(*loader.Package) []*ast.File) diag.List {
	var diags diag.List
	var failed []failedImport
	for _, pkg := range pkgs {
		for _, file := range files(pkg) {
			for _, spec := range slices.Concat(astutil.Imports(p.Files.Fset, file)...) { // including "C"
				importPath := gosyntax.ImportPath(spec)
				imported := pkg.Imports()[importPath]
				switch {
				case importPath == "C":
					diags = append(diags, diag.Errorf(p.Files.Position(spec.Path.Pos()), codeLoad,
						"cgo in a package of API types is not supported: move what uses it to another package"))
				case imported == nil:
					diags = append(diags, diag.Errorf(p.Files.Position(spec.Path.Pos()), codeLoad,
						"cannot import %q: the go command does not know the package, or it imports this one in turn", importPath))
				case isUnresolved(imported):
					home := p.Scope.ModuleOf(p.Files.Relative(p.Files.PackageDir(pkg)))
					if known, ok := p.listing.causeOf(home, imported.Errors[0].Msg); ok {
						diags = append(diags, known)
						continue
					}
					failed = append(failed, failedImport{p.Files.Position(spec.Path.Pos()), importPath, p.importProblem(home, imported.Errors[0].Msg)})
				}
			}
		}
	}
	return append(diags, foldImports(failed)...)
}

// isUnresolved reports whether the go command can't resolve an import of a package.
func isUnresolved(pkg *loader.Package) bool {
	return (len(pkg.CompiledGoFiles) == 0 || pkg.Name == "") && len(pkg.Errors) > 0 // it has no file, or no package clause
}

// A failedImport is an import that the go command can't resolve.
type failedImport struct {
	at        diag.Position
	path, why string
}

// namesInProblem matches import paths, modules and URLs in messages of the go command.
var namesInProblem = regexp.MustCompile(`\S*/\S*`)

// foldImports reports imports. If several fail for the same reason, except for names, one line can report them all.
func foldImports(failed []failedImport) diag.List {
	causes := make([]string, len(failed))
	first, several := map[string]failedImport{}, map[string]bool{}
	for i, f := range failed {
		cause := namesInProblem.ReplaceAllString(f.why, "")
		causes[i] = cause
		if of, seen := first[cause]; !seen {
			first[cause] = f
		} else if of.path != f.path {
			several[cause] = true
		}
	}
	var diags diag.List
	for i, f := range failed {
		d := diag.Errorf(f.at, codeLoad, "cannot import %q: %s", f.path, f.why)
		if of := first[causes[i]]; several[causes[i]] {
			d = d.As("cannot import %q and others, in %%d places: %s", of.path, of.why)
		} else {
			d = d.As("cannot import %q, as %%d files do: %s", f.path, f.why)
		}
		diags = append(diags, d)
	}
	return diags
}

// ImportNames returns the packages that a file imports, by the names that it gives them.
func ImportNames(pkg *loader.Package, file *ast.File) map[string]*loader.Package {
	byName := map[string]*loader.Package{}
	for _, spec := range file.Imports {
		if imported := pkg.Imports()[gosyntax.ImportPath(spec)]; imported != nil {
			byName[gosyntax.NameIn(spec, nameOf(pkg))] = imported
		}
	}
	return byName
}

// nameOf returns a function for the names of the packages that a package imports, by their paths.
func nameOf(pkg *loader.Package) func(importPath string) string {
	return func(importPath string) string {
		if imported := pkg.Imports()[importPath]; imported != nil {
			return imported.Name
		}
		return ""
	}
}

package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/markers"
)

// A Program is the source of a run, or of a part of one: the packages that the run covers, and their imports.
type Program struct {
	Files
	// APIs are the packages that declare Kubernetes objects or ask for deep copies. Others,
	// such as a provider's controllers, are only parsed.
	APIs []*loader.Package
	// Added are the files that stages have added, relative to the module root.
	Added map[string]bool

	listing *Listing
	// roots are the packages that the program is about.
	roots []*loader.Package
	// byPath returns the packages of the program and their imports, by import path.
	byPath func() map[string]*loader.Package
	// names are what [Program.Names] returns, by folder.
	names parallel.Memo[string, *Names]
	// errorsAtLoad counts the errors of each package when it had been parsed, and errorsReported counts the errors that
	// [Program.NewErrors] has returned.
	errorsAtLoad, errorsReported map[*loader.Package]int
}

// Load parses the packages in some folders, relative to the module root, or all packages
// if folders is nil. The program is nil if the diagnostics have errors.
func (l *Listing) Load(folders []string) (*Program, diag.List) {
	p := &Program{
		Files:          l.Files,
		Added:          map[string]bool{},
		listing:        l,
		roots:          l.listed,
		errorsAtLoad:   map[*loader.Package]int{},
		errorsReported: map[*loader.Package]int{},
	}
	if folders != nil {
		p.roots = slices.DeleteFunc(slices.Clone(l.listed), func(pkg *loader.Package) bool {
			return !slices.Contains(folders, l.Files.Relative(l.Files.PackageDir(pkg)))
		})
	}
	if diags := p.parse(); diags.HasErrors() {
		return nil, diags
	}
	p.findAPIs()
	p.byPath = sync.OnceValue(p.indexByPath)
	p.EachListed(func(pkg *loader.Package) { p.errorsAtLoad[pkg] = len(pkg.Errors) })
	// other packages were parsed only to find API types in them
	p.drop(slices.DeleteFunc(slices.Clone(p.roots), func(pkg *loader.Package) bool { return slices.Contains(p.APIs, pkg) }))
	return p, nil
}

// Originals returns the folders of the packages that aren't copies of others, or nil if there are no copies.
func (l *Listing) Originals() (folders []string) {
	for _, pkg := range l.listed {
		if dir := l.Files.PackageDir(pkg); len(l.Scope.CopiesIn(dir)) == 0 {
			folders = append(folders, l.Files.Relative(dir))
		}
	}
	if len(folders) == len(l.listed) {
		return nil
	}
	return folders
}

// each visits the packages of the program and their imports.
func (p *Program) each(visit func(*loader.Package)) { each(p.roots, visit) }

// eachWithReferenced visits the packages of the program first, then the packages that were loaded because markers name
// them, and the imports of both. The latter have packages of their own with the same import paths, without the types
// that the run declares.
func (p *Program) eachWithReferenced(visit func(*loader.Package)) {
	each(slices.Concat(p.roots, p.listing.referenced), visit)
}

// EachListed visits the packages of the program first, then all others that the go command
// has listed.
func (p *Program) EachListed(visit func(*loader.Package)) {
	each(slices.Concat(p.roots, p.listing.listed, p.listing.referenced), visit)
}

// each visits packages and their imports.
func each(pkgs []*loader.Package, visit func(*loader.Package)) {
	Walk(pkgs, func(pkg *loader.Package) bool {
		visit(pkg)
		return true
	})
}

// Walk visits each package once, and its imports if visit returns true.
func Walk(pkgs []*loader.Package, visit func(*loader.Package) bool) {
	seen := map[*loader.Package]bool{}
	var walk func(*loader.Package)
	walk = func(pkg *loader.Package) {
		if seen[pkg] {
			return
		}
		seen[pkg] = true
		if !visit(pkg) {
			return
		}
		for _, imported := range pkg.Imports() {
			walk(imported)
		}
	}
	for _, pkg := range pkgs {
		walk(pkg)
	}
}

// Package returns the package with an import path, among the packages of the program and their imports, or nil.
func (p *Program) Package(importPath string) *loader.Package { return p.byPath()[importPath] }

func (p *Program) indexByPath() map[string]*loader.Package {
	byPath := map[string]*loader.Package{}
	add := func(pkg *loader.Package) {
		if importPath := loader.NonVendorPath(pkg.PkgPath); byPath[importPath] == nil {
			byPath[importPath] = pkg
		}
	}
	// The program's own packages come first: one of a nested module has another instance that the module around it imports.
	for _, pkg := range p.roots {
		add(pkg)
	}
	p.eachWithReferenced(add)
	return byPath
}

// NewErrors calls a function with the errors that were added to a package since it was
// parsed, or since the last call.
func (p *Program) NewErrors(visit func(*loader.Package, []packages.Error)) {
	p.each(func(pkg *loader.Package) {
		visit(pkg, pkg.Errors[max(p.errorsAtLoad[pkg], p.errorsReported[pkg]):])
		p.errorsReported[pkg] = len(pkg.Errors)
	})
}

// api returns the API package with that import path, or nil.
func (p *Program) api(importPath string) *loader.Package {
	i := slices.IndexFunc(p.APIs, func(pkg *loader.Package) bool { return loader.NonVendorPath(pkg.PkgPath) == importPath })
	if i < 0 {
		return nil
	}
	return p.APIs[i]
}

// Release drops the syntax and types of the module's packages, so that another program can load them again. The program
// can't be used afterwards. Packages of other modules stay, for other programs of the listing.
func (p *Program) Release() {
	var loaded []*loader.Package
	p.EachListed(func(pkg *loader.Package) {
		if pkg.Syntax != nil && p.IsLocal(pkg) {
			loaded = append(loaded, pkg)
		}
	})
	p.drop(loaded)
}

func (p *Program) drop(pkgs []*loader.Package) {
	for _, pkg := range pkgs {
		p.Files.Forget(pkg.Syntax...)
		pkg.Syntax, pkg.Types, pkg.TypesInfo, pkg.IllTyped = nil, nil, nil, false
		pkg.Errors = pkg.Errors[:p.errorsAtLoad[pkg]]
	}
}

// AddFiles adds Go files to the packages, in memory, in place of files of the same names.
// The keys are paths relative to the module root. The program has to be type-checked again.
func (p *Program) AddFiles(files map[string][]byte) diag.List {
	byDir := map[string]*loader.Package{}
	p.each(func(pkg *loader.Package) {
		if dir := p.Files.Relative(p.Files.PackageDir(pkg)); InModule(dir) {
			byDir[dir] = pkg
			pkg.Types, pkg.TypesInfo, pkg.IllTyped = nil, nil, false // the new files may change the types
			pkg.Errors = pkg.Errors[:p.errorsAtLoad[pkg]]
			delete(p.errorsReported, pkg)
		}
	})
	for _, name := range slices.Sorted(maps.Keys(files)) {
		p.Added[name] = true
		file := p.Scope.Abs(name)
		syntax, err := parser.ParseFile(p.Files.Fset, file, files[name], parser.ParseComments)
		if err != nil {
			return diag.List{diag.Errorf(diag.Position{File: name}, codeSyntax, "%s",
				diag.Internal("the generated source does not parse: "+err.Error()))}
		}
		pkg := byDir[path.Dir(name)]
		p.Parse(pkg)
		p.link(pkg, syntax)
		isOld := func(f *ast.File) bool { return p.Files.Fset.File(f.Pos()).Name() == file }
		pkg.Syntax = append(slices.DeleteFunc(pkg.Syntax, isOld), syntax)
	}
	p.findAPIs()
	return nil
}

// link makes a package import the imports of a file that is added to it.
func (p *Program) link(pkg *loader.Package, file *ast.File) {
	known := maps.Clone(pkg.Imports())
	p.each(func(loaded *loader.Package) {
		// The author's code may import a package that mrgen is about to write.
		if known[loaded.PkgPath] == nil && !isUnresolved(loaded) {
			known[loaded.PkgPath] = loaded
		}
	})
	isUnknown := func(spec *ast.ImportSpec) bool {
		importPath := gosyntax.ImportPath(spec)
		if known[importPath] == nil { // no type needs a package that isn't loaded, and functions aren't checked
			return true
		}
		pkg.Imports()[importPath] = known[importPath]
		return false
	}
	file.Imports = slices.DeleteFunc(file.Imports, isUnknown)
	file.Decls = slices.DeleteFunc(file.Decls, func(decl ast.Decl) bool {
		imports, ok := decl.(*ast.GenDecl)
		if !ok || imports.Tok != token.IMPORT {
			return false
		}
		imports.Specs = slices.DeleteFunc(imports.Specs, func(spec ast.Spec) bool { return isUnknown(spec.(*ast.ImportSpec)) })
		return len(imports.Specs) == 0
	})
}

// findAPIs finds the packages that declare Kubernetes objects, or ask for deep copies.
func (p *Program) findAPIs() {
	p.APIs = slices.DeleteFunc(slices.Clone(p.roots), func(pkg *loader.Package) bool {
		return !slices.ContainsFunc(pkg.Syntax, isAPIFile)
	})
}

// isAPIFile reports whether a file embeds TypeMeta in a struct or has a marker
// that makes its package an API package.
func isAPIFile(file *ast.File) bool {
	for _, text := range gosyntax.Markers(file.Comments...) {
		begins := func(marker string) bool { return strings.HasPrefix(text, marker) }
		if begins(markers.ObjectPrefix) || begins(markers.DeepCopyGen) || begins(markers.GroupName+"=") {
			return true
		}
	}
	for _, spec := range gosyntax.Types(file) {
		if gosyntax.Embeds(spec.Type, "TypeMeta") {
			return true
		}
	}
	return false
}

package load

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"sync"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// A Package is a package as the compiler sees it, without the bodies of functions and without the files that mrgen writes.
// Generated code is checked against it. A [loader.Package] is the same package as controller-tools sees it.
type Package struct {
	// Path is the import path, and Name the name in the package clause.
	Path, Name string
	// Dir is the folder relative to the module root, or "" if it doesn't lie below it.
	Dir string

	pkg     *loader.Package
	listing *Listing
	// parsed are files that nothing but this refers to.
	parsed []*ast.File
}

// A packageIndex has the packages that each module sees, by the folder of the module and by import path.
type packageIndex struct {
	mu    sync.Mutex
	homes map[string]map[string]*loader.Package
}

// Module returns the path of the module that a folder belongs to, and its language version,
// such as "go1.24", or "" if go.mod doesn't say.
func (p *Program) Module(dir string) (modulePath, goVersion string) {
	file := p.listing.modFile(p.Scope.Abs(p.Scope.ModuleOf(dir)))
	if file == nil || file.Module == nil {
		return "", ""
	}
	if file.Go != nil {
		goVersion = "go" + file.Go.Version
	}
	return file.Module.Mod.Path, goVersion
}

// ImportPath returns the path of the package in a folder.
func (p *Program) ImportPath(dir string) string {
	module, _ := p.Module(dir)
	return path.Join(module, modules.Within(p.Scope.ModuleOf(dir), dir))
}

// Own returns the API packages, by folder.
func (p *Program) Own() map[string]*Package {
	own := map[string]*Package{}
	for _, pkg := range p.APIs {
		found := newPackage(p, pkg)
		own[found.Dir] = found
	}
	return own
}

// Find returns the package that an import path denotes in the module of a
// folder, or nil if it is not loaded.
func (p *Program) Find(dir, importPath string) *Package {
	x, home := &p.listing.byPath, p.Scope.ModuleOf(dir)
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.homes[home] == nil {
		x.add(home, slices.DeleteFunc(slices.Clone(p.listing.listed), func(pkg *loader.Package) bool {
			// packages of the run come first
			return p.Scope.ModuleOf(p.Files.Relative(p.Files.PackageDir(pkg))) != home
		}))
		if home == expectedHome { // the expected packages are listed for one module only
			x.add(home, p.listing.expected)
		}
	}
	if pkg := x.homes[home][importPath]; pkg != nil {
		return newPackage(p, pkg)
	}
	return nil
}

// LoadPackages asks the go command for packages that no package in the module of a folder imports
// yet.
func (p *Program) LoadPackages(ctx context.Context, dir string, importPaths []string) error {
	x, home := &p.listing.byPath, p.Scope.ModuleOf(dir)
	roots, err := p.listing.list(ctx, modules.Module{Dir: home, Patterns: importPaths})
	if err != nil {
		return err
	}
	p.listing.noteInputs(roots)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.add(home, roots)
	return nil
}

// add adds the packages, and their imports, that aren't there yet.
func (x *packageIndex) add(home string, roots []*loader.Package) {
	if x.homes == nil {
		x.homes = map[string]map[string]*loader.Package{}
	}
	if x.homes[home] == nil {
		x.homes[home] = map[string]*loader.Package{}
	}
	each(roots, func(pkg *loader.Package) {
		if importPath := loader.NonVendorPath(pkg.PkgPath); x.homes[home][importPath] == nil {
			x.homes[home][importPath] = pkg
		}
	})
}

func newPackage(p *Program, pkg *loader.Package) *Package {
	found := &Package{Path: loader.NonVendorPath(pkg.PkgPath), Name: pkg.Name, pkg: pkg, listing: p.listing}
	if dir := p.Files.Relative(p.Files.PackageDir(pkg)); InModule(dir) {
		found.Dir = dir
	}
	return found
}

// Parse parses the files, unless types refer to the package: then that was done.
func (p *Package) Parse() []*ast.File {
	hidden := p.listing.filesHidden(p.pkg)
	if p.pkg.Syntax != nil { // type-checking has parsed it
		files := slices.DeleteFunc(slices.Clone(p.pkg.Syntax), func(file *ast.File) bool {
			name := p.listing.Files.Fset.File(file.Pos()).Name()
			return !slices.Contains(p.pkg.CompiledGoFiles, name) // a stage has declared types in it
		})
		return append(files, hidden...)
	}
	var files []*ast.File
	names := p.pkg.CompiledGoFiles
	if p.Dir != "" && p.listing.Scope.Options.Written { // the files as the run leaves them
		names = p.listing.built(p.Dir, false)
	}
	for _, name := range names {
		parse := func() (*ast.File, error) {
			source, err := p.listing.ReadFile(name)
			if err != nil {
				return nil, err // it was there when the go command listed it
			}
			return ParseDeclarations(p.listing.Files.Fset, name, source)
		}
		if p.Dir == "" { // forks share the syntax of other modules, which doesn't change
			parse = p.listing.once("declarations in "+name, parse)
		}
		// As much as can be parsed: whether it compiles doesn't matter here.
		if file, _ := parse(); file != nil {
			files = append(files, file)
		}
	}
	if p.Dir != "" { // Release forgets these
		p.parsed = append(p.parsed, files...)
	}
	return append(files, hidden...)
}

// Release forgets the positions in files that [Package.Parse] has parsed.
func (p *Package) Release() {
	p.listing.Files.Forget(p.parsed...)
	p.parsed = nil
}

// IsParsed reports whether the types of API packages need the package.
func (p *Package) IsParsed() bool { return p.pkg.Syntax != nil }

// IsAPI reports whether a run may write Go files into the package.
func (p *Package) IsAPI() bool {
	if p.pkg.Syntax != nil {
		return slices.ContainsFunc(p.pkg.Syntax, isAPIFile)
	}
	return p.listing.apis.Get(p.Path, func() bool {
		return slices.ContainsFunc(p.pkg.CompiledGoFiles, func(name string) bool {
			source, _ := p.listing.ReadFile(name) // it was there when the go command listed it
			file, _ := parser.ParseFile(token.NewFileSet(), name, source, parser.ParseComments|parser.SkipObjectResolution)
			return isAPIFile(file)
		})
	})
}

// ParseDeclarations parses a file, and drops the bodies of functions.
func ParseDeclarations(fset *token.FileSet, name string, source []byte) (*ast.File, error) {
	file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
	DropBodies(file) // not nil, since the source is there
	return file, err
}

// Files returns the names of the files, relative to the module root.
func (p *Package) Files() []string {
	var names []string
	for _, name := range p.pkg.CompiledGoFiles {
		names = append(names, p.listing.Relative(name))
	}
	return names
}

// Hidden returns what [Program.HiddenFiles] does.
func (p *Package) Hidden() []*ast.File { return p.listing.filesHidden(p.pkg) }

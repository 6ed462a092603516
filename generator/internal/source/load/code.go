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

// Code is a package as the compiler sees it, without the bodies of functions and without
// what mrgen writes. Generated code is checked against it.
type Code struct {
	// Path is the import path, and Name the name in the package clause.
	Path, Name string
	// Dir is the folder relative to the module root, or "" if it doesn't lie below it.
	Dir string

	pkg     *loader.Package
	listing *Listing
	// parsed are files that nothing but this refers to.
	parsed []*ast.File
}

// A codeIndex has the packages that each module sees, by the folder of the module and by import path.
type codeIndex struct {
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

// Own returns the code of the API packages, by folder.
func (p *Program) Own() map[string]*Code {
	own := map[string]*Code{}
	for _, pkg := range p.APIs {
		code := newCode(p, pkg)
		own[code.Dir] = code
	}
	return own
}

// Find returns the code of the package that an import path denotes in the module of a
// folder, or nil if it is not loaded.
func (p *Program) Find(dir, importPath string) *Code {
	x, home := &p.listing.code, p.Scope.ModuleOf(dir)
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
		return newCode(p, pkg)
	}
	return nil
}

// LoadCode asks the go command for packages that no package in the module of a folder imports
// yet.
func (p *Program) LoadCode(ctx context.Context, dir string, importPaths []string) error {
	x, home := &p.listing.code, p.Scope.ModuleOf(dir)
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
func (x *codeIndex) add(home string, roots []*loader.Package) {
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

func newCode(p *Program, pkg *loader.Package) *Code {
	code := &Code{Path: loader.NonVendorPath(pkg.PkgPath), Name: pkg.Name, pkg: pkg, listing: p.listing}
	if dir := p.Files.Relative(p.Files.PackageDir(pkg)); InModule(dir) {
		code.Dir = dir
	}
	return code
}

// Parse parses the files, unless types refer to the package: then that was done.
func (c *Code) Parse() []*ast.File {
	hidden := c.listing.filesHidden(c.pkg)
	if c.pkg.Syntax != nil { // type-checking has parsed it
		files := slices.DeleteFunc(slices.Clone(c.pkg.Syntax), func(file *ast.File) bool {
			name := c.listing.Files.Fset.File(file.Pos()).Name()
			return !slices.Contains(c.pkg.CompiledGoFiles, name) // a stage has declared types in it
		})
		return append(files, hidden...)
	}
	var files []*ast.File
	names := c.pkg.CompiledGoFiles
	if c.Dir != "" && c.listing.Scope.Options.Written { // the files as the run leaves them
		names = c.listing.built(c.Dir, false)
	}
	for _, name := range names {
		parse := func() (*ast.File, error) {
			source, err := c.listing.ReadFile(name)
			if err != nil {
				return nil, err // it was there when the go command listed it
			}
			return ParseDeclarations(c.listing.Files.Fset, name, source)
		}
		if c.Dir == "" { // forks share the syntax of other modules, which doesn't change
			parse = c.listing.once("declarations in "+name, parse)
		}
		// As much as can be parsed: whether it compiles doesn't matter here.
		if file, _ := parse(); file != nil {
			files = append(files, file)
		}
	}
	if c.Dir != "" { // Release forgets these
		c.parsed = append(c.parsed, files...)
	}
	return append(files, hidden...)
}

// Release forgets the positions in files that [Code.Parse] has parsed.
func (c *Code) Release() {
	c.listing.Files.Forget(c.parsed...)
	c.parsed = nil
}

// IsParsed reports whether the types of API packages need the package.
func (c *Code) IsParsed() bool { return c.pkg.Syntax != nil }

// IsAPI reports whether a run may write Go files into the package.
func (c *Code) IsAPI() bool {
	if c.pkg.Syntax != nil {
		return slices.ContainsFunc(c.pkg.Syntax, isAPIFile)
	}
	return c.listing.apis.Get(c.Path, func() bool {
		return slices.ContainsFunc(c.pkg.CompiledGoFiles, func(name string) bool {
			source, err := c.listing.ReadFile(name)
			if err != nil {
				return false // it was there when the go command listed it
			}
			file, _ := parser.ParseFile(token.NewFileSet(), name, source, parser.ParseComments|parser.SkipObjectResolution)
			return file != nil && isAPIFile(file)
		})
	})
}

// ParseDeclarations parses a file, and drops the bodies of functions.
func ParseDeclarations(fset *token.FileSet, name string, source []byte) (*ast.File, error) {
	file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
	if file != nil {
		dropBodies(file)
	}
	return file, err
}

// Files returns the names of the files, relative to the module root.
func (c *Code) Files() []string {
	var names []string
	for _, name := range c.pkg.CompiledGoFiles {
		names = append(names, c.listing.Relative(name))
	}
	return names
}

// Hidden returns what [Program.HiddenFiles] does.
func (c *Code) Hidden() []*ast.File { return c.listing.filesHidden(c.pkg) }

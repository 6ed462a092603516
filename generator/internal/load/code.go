package load

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"sigs.k8s.io/controller-tools/pkg/loader"
)

// Code is a package as a build compiles it, without the bodies of functions and without
// what mrgen writes. It is there for checks of what is written beside it.
type Code struct {
	// Path is the import path, and Name the name in the package clause.
	Path, Name string
	// Dir is the folder relative to the module root, or "" if it doesn't lie below it.
	Dir string

	pkg     *loader.Package
	listing *listing
	// own is set if no other source works on the package.
	own bool
}

// A CodeIndex finds the code of packages. One index serves all sources of a listing,
// one after the other.
type CodeIndex struct {
	mu sync.Mutex
	// homes has the packages that each module sees, by the folder of the module and by
	// import path.
	homes map[string]map[string]*loader.Package
}

// Root returns the absolute path of the module's folder.
func (l *listing) Root() string { return l.root }

// Fset returns the positions of all that is parsed.
func (l *listing) Fset() *token.FileSet { return l.fset }

// Module returns the path of the module that a folder belongs to, and the version of the
// language that it is written in, such as "go1.24", or "" if go.mod doesn't say.
func (s *Source) Module(dir string) (modulePath, goVersion string) {
	content, err := s.read(filepath.Join(s.moduleDir(module{dir: s.scope.home(dir)}), "go.mod"))
	if err != nil {
		return "", ""
	}
	file, err := modfile.ParseLax("go.mod", content, nil)
	if err != nil || file.Module == nil {
		return "", ""
	}
	if file.Go != nil {
		goVersion = "go" + file.Go.Version
	}
	return file.Module.Mod.Path, goVersion
}

// Own returns the code of the source's own packages, by folder.
func (s *Source) Own() map[string]*Code {
	own := map[string]*Code{}
	for _, pkg := range s.Packages {
		code := newCode(s, pkg)
		code.own = true
		own[code.Dir] = code
	}
	return own
}

// Find returns the code of the package that the module of a folder sees by an import
// path, or nil if it is not loaded.
func (x *CodeIndex) Find(s *Source, dir, importPath string) *Code {
	home := s.scope.home(dir)
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.homes[home] == nil {
		x.add(s, home, slices.DeleteFunc(slices.Clone(s.listed), func(pkg *loader.Package) bool {
			return s.scope.home(s.relative(s.packageDir(pkg))) != home
		}))
	}
	if pkg := x.homes[home][importPath]; pkg != nil {
		return newCode(s, pkg)
	}
	return nil
}

// Load asks the go command for packages that nothing in the module of a folder imports
// yet.
func (x *CodeIndex) Load(ctx context.Context, s *Source, dir string, importPaths []string) error {
	home := s.scope.home(dir)
	roots, err := s.list(ctx, module{dir: home, patterns: importPaths})
	if err != nil {
		return err
	}
	s.noteInputs(roots)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.add(s, home, roots)
	return nil
}

// add adds packages, and those that they import, which are not there yet.
func (x *CodeIndex) add(s *Source, home string, roots []*loader.Package) {
	if x.homes == nil {
		x.homes = map[string]map[string]*loader.Package{}
	}
	if x.homes[home] == nil {
		x.homes[home] = map[string]*loader.Package{}
	}
	s.Exclusively(func() {
		eachOf(roots, func(pkg *loader.Package) {
			if importPath := loader.NonVendorPath(pkg.PkgPath); x.homes[home][importPath] == nil {
				x.homes[home][importPath] = pkg
			}
		})
	})
}

func newCode(s *Source, pkg *loader.Package) *Code {
	code := &Code{Path: loader.NonVendorPath(pkg.PkgPath), Name: pkg.Name, pkg: pkg, listing: s.listing}
	if dir := s.relative(s.packageDir(pkg)); inModule(dir) {
		code.Dir = dir
	}
	return code
}

// Parse returns the files.
func (c *Code) Parse() []*ast.File {
	if c.own {
		files := slices.DeleteFunc(slices.Clone(c.pkg.Syntax), func(file *ast.File) bool {
			name := c.listing.fset.File(file.Pos()).Name()
			return !slices.Contains(c.pkg.CompiledGoFiles, name) // a stage has declared types in it
		})
		return append(files, c.listing.HiddenFiles(c.pkg)...)
	}
	var files []*ast.File
	for _, name := range c.pkg.CompiledGoFiles {
		source, err := c.listing.read(name)
		if err != nil {
			continue // the go command has read it a moment ago
		}
		// As much as there is: whether it compiles is not the question.
		if file, _ := ParseDeclarations(c.listing.fset, name, source); file != nil {
			files = append(files, file)
		}
	}
	return append(files, c.listing.HiddenFiles(c.pkg)...)
}

// IsAPI reports whether the package is one that a run may write Go files into.
func (c *Code) IsAPI() bool {
	return slices.ContainsFunc(c.pkg.CompiledGoFiles, func(name string) bool {
		source, err := c.listing.read(name)
		if err != nil {
			return false // the go command has read it a moment ago
		}
		file, _ := parser.ParseFile(token.NewFileSet(), name, source, parser.ParseComments|parser.SkipObjectResolution)
		return file != nil && isAPIFile(file)
	})
}

// ParseDeclarations parses a file without the bodies of functions. It overwrites the
// source.
func ParseDeclarations(fset *token.FileSet, name string, source []byte) (*ast.File, error) {
	blankBodies(source)
	file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
	if file != nil {
		dropBodies(file)
	}
	return file, err
}

// ImportName returns the name that a file gives a package that it imports, or "" if it
// gives it none.
func (x *CodeIndex) ImportName(s *Source, dir string, spec *ast.ImportSpec) string {
	if spec.Name != nil {
		if spec.Name.Name == "_" || spec.Name.Name == "." {
			return ""
		}
		return spec.Name.Name
	}
	importPath := strings.Trim(spec.Path.Value, "\"`")
	if code := x.Find(s, dir, importPath); code != nil {
		return code.Name
	}
	return path.Base(importPath)
}

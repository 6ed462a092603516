package compile

import (
	"go/ast"
	"go/types"
	"maps"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
)

// A universe has the packages that one module can import, as far as generated code depends on them.
type Universe struct {
	checker *Checker
	program *load.Program
	// dir is the folder of the module, module its path, and goVersion its version of the language.
	dir, module, goVersion string
	packages               map[string]*Package
	// trusting is set if only generated code counts, which other parts of the run check, too.
	trusting bool
	// missing are packages that generated code imports and that can't be loaded.
	missing map[string]bool
	// queue are packages with added declarations whose own needs are not added yet.
	queue []*Package
}

// NewUniverse returns the universe of the module at the root of a program.
func NewUniverse(s *load.Program) *Universe { return (&Checker{}).universe(s, ".") }

// Add adds a package, in place of the one that the program has.
func (u *Universe) Add(p *Package) { u.packages[p.Path] = p }

// A Package is the check of a package in a universe.
type Package struct {
	// Path is the import path. Dir is the folder of a package below the module root, and Loaded is nil without other files.
	Path, Dir string
	Loaded    *load.Package
	// isUnknown is set for an API package below the module root if this part of the run doesn't write its generated files.
	isUnknown bool
	// isUnread is set for an unknown package that only generated code names. Any error about its names would be dropped, so
	// it isn't parsed: there may be thousands of such packages, once for each part of the run.
	isUnread bool
	folder   *folder
	// whole is set if the generated files in the folder are type-checked.
	whole bool
	// Declared are its declarations, or nil as long as none is needed.
	Declared *load.Outline
	// author are the author's files with the bodies of functions, if these are checked, too.
	author []*ast.File
	// Files are the files to check, for packages below the module root.
	Files []*ast.File
	// checker and Types are set by the first check.
	checker *types.Checker
	Types   *types.Package
}

// Find returns the package of an import path, or nil if it is not loaded.
func (u *Universe) Find(importPath string) *Package {
	if known, ok := u.packages[importPath]; ok {
		return known
	}
	loaded := u.program.Find(u.dir, importPath)
	if loaded == nil {
		return nil
	}
	added := &Package{Path: importPath, Dir: loaded.Dir, Loaded: loaded, isUnknown: loaded.Dir != "" && loaded.IsAPI()}
	added.isUnread = u.trusting && added.isUnknown && !loaded.IsParsed()
	u.packages[importPath] = added
	return added
}

// Outline returns the declarations of a package.
func (u *Universe) Outline(p *Package) *load.Outline {
	if p.Declared == nil {
		var files []*ast.File
		if p.Loaded != nil {
			files = p.Loaded.Parse()
		}
		if p.folder != nil && !p.whole { // files that are checked as wholes are added later
			for _, g := range p.folder.files {
				files = append(files, g.syntax)
			}
		}
		p.Declared = load.NewOutline(files, u.NameOf)
	}
	return p.Declared
}

// NameOf returns the name of a package, or the last element of its path if it isn't loaded.
func (u *Universe) NameOf(importPath string) string {
	if loaded := u.program.Find(u.dir, importPath); loaded != nil {
		return loaded.Name
	}
	return path.Base(importPath)
}

// need adds the declarations of a name in a package, which may be nil, and reports whether it has any.
func (u *Universe) need(p *Package, name string) bool {
	if p == nil {
		return false
	}
	if p.isUnread {
		return true
	}
	found, isNew := u.Outline(p).Take(name)
	if isNew {
		u.queue = append(u.queue, p)
	}
	return found
}

// NeedsOf adds the declarations of other packages that a file names. If local is set, it also adds declarations of the
// file's own package.
func (u *Universe) NeedsOf(p *Package, file *ast.File, local bool) {
	imports := gosyntax.NewImports(file, u.NameOf)
	gosyntax.EachUse(file, func(from, name *ast.Ident) {
		if from != nil {
			if importPath := imports.Path(from.Name); importPath != "" {
				u.need(u.Find(importPath), name.Name)
				return
			}
			name = from // selected from a variable, not from a package
		}
		// The names of fields and local variables count, too: a few declarations too many do no harm.
		if local {
			u.need(p, name.Name)
		}
		for _, spec := range imports.Dots {
			u.need(u.Find(gosyntax.ImportPath(spec)), name.Name)
		}
	})
}

// Settle adds the declarations that the added ones need, directly or not. It sets the files to check of packages below
// the module root, and checks the new declarations of other modules.
func (u *Universe) Settle() {
	for len(u.queue) > 0 {
		p := u.queue[len(u.queue)-1]
		u.queue = u.queue[:len(u.queue)-1]
		p.Declared.Follow(
			func(spec *ast.ImportSpec, name string) bool { return u.need(u.Find(gosyntax.ImportPath(spec)), name) },
			func(ast.Node) bool { return true })
	}
	for _, importPath := range slices.Sorted(maps.Keys(u.packages)) {
		if p := u.packages[importPath]; p.Dir != "" {
			p.Files = p.pendingFiles()
		} else {
			u.checkOther(p, map[*Package]bool{})
		}
	}
}

// pendingFiles returns files with the declarations that were added since the last call.
func (p *Package) pendingFiles() []*ast.File {
	if p.Declared == nil {
		return nil
	}
	return p.Declared.Pending()
}

// imports returns the packages of the universe that files import, sorted by path.
func (u *Universe) imports(files []*ast.File) []*Package {
	var found []*Package
	for _, importPath := range gosyntax.ImportPaths(files...) {
		if p := u.packages[importPath]; p != nil {
			found = append(found, p)
		}
	}
	return found
}

package compile

import (
	"context"
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
)

// checkTypes type-checks the folders, each in the universe of its module.
func (c *Checker) checkTypes(
	ctx context.Context, s *load.Program, own map[string]*load.Package, folders map[string]*folder, files map[string][]byte,
) (diag.List, error) {
	modules := map[string][]*folder{}
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		home := s.Scope.ModuleOf(dir)
		modules[home] = append(modules[home], folders[dir])
	}
	var diags diag.List
	for _, home := range slices.Sorted(maps.Keys(modules)) {
		if !slices.ContainsFunc(modules[home], func(f *folder) bool { return f.whole }) {
			continue // no generated code changes in this module
		}
		u := c.universe(s, home)
		u.trusting = !c.Author
		for _, f := range folders {
			// A package may import one of a nested module.
			u.add(f, own[f.dir], f.whole && slices.Contains(modules[home], f)) // only errors in this module's folders count
		}
		found, err := u.check(ctx, modules[home], files)
		if err != nil {
			return diags, err
		}
		diags = append(diags, found...)
		u.forget()
	}
	return diags, nil
}

// universe returns the universe of a module.
func (c *Checker) universe(s *load.Program, home string) *Universe {
	if c.universes == nil {
		c.universes = map[string]*Universe{}
	}
	u := c.universes[home]
	if u == nil {
		u = &Universe{checker: c, dir: home, packages: map[string]*Package{}, missing: map[string]bool{}}
		c.universes[home] = u
	}
	u.program = s
	u.module, u.goVersion = s.Module(home)
	if u.module != "" && u.goVersion == "" {
		u.goVersion = "go1.16" // as the go command has it
	}
	if version.Compare(u.goVersion, runtime.Version()) > 0 {
		u.goVersion = "" // a later Go knows more than this one can check
	}
	return u
}

// add adds the package of a folder with generated files, which are checked if whole is set. The package is nil
// if the folder has no other files.
func (u *Universe) add(f *folder, loaded *load.Package, whole bool) {
	importPath := u.program.ImportPath(f.dir)
	if loaded != nil {
		importPath = loaded.Path
	}
	u.packages[importPath] = &Package{Path: importPath, Dir: f.dir, Loaded: loaded, folder: f, whole: whole}
}

// forget drops the packages below the module root.
func (u *Universe) forget() {
	// The next source has packages of its own.
	maps.DeleteFunc(u.packages, func(_ string, p *Package) bool {
		if p.Dir != "" && p.Loaded != nil {
			p.Loaded.Release()
		}
		return p.Dir != ""
	})
	u.program, u.queue = nil, nil // their memory would refer to old packages
}

// check type-checks the generated files of folders with the packages that they are in.
func (u *Universe) check(ctx context.Context, folders []*folder, files map[string][]byte) (diag.List, error) {
	diags, err := u.loadMissing(ctx, folders)
	if err != nil {
		return nil, err
	}
	for _, p := range u.Local() {
		if p.whole {
			for _, g := range p.folder.files {
				u.NeedsOf(p, g.syntax, true)
			}
			if u.checker.Author && !u.checker.NoDeepCopies {
				u.needsOfAuthor(p)
			}
		}
	}
	u.Settle()
	locals := u.Local()
	for _, p := range locals {
		if p.whole {
			for _, g := range p.folder.files {
				p.Files = append(p.Files, g.syntax)
			}
		}
	}
	problems, err := u.checkLocal(ctx, locals)
	if diags = append(diags, problems...); err != nil || diags.HasErrors() {
		return diags, err
	}
	problems, err = u.checkAuthor(ctx, locals, files)
	return append(diags, problems...), err
}

// Local returns the packages below the module root, by path.
func (u *Universe) Local() []*Package {
	var found []*Package
	for _, importPath := range slices.Sorted(maps.Keys(u.packages)) {
		if p := u.packages[importPath]; p.Dir != "" && !p.isUnread {
			found = append(found, p)
		}
	}
	return found
}

// loadMissing loads the packages that only generated files import. It warns about packages that can't be loaded.
func (u *Universe) loadMissing(ctx context.Context, folders []*folder) (diag.List, error) {
	var files []*ast.File
	for _, f := range folders {
		for _, g := range f.files {
			if f.whole {
				files = append(files, g.syntax)
			}
		}
	}
	missing, err := u.LoadImports(ctx, files)
	if err != nil {
		return nil, err
	}
	var diags diag.List
	for _, p := range missing {
		if u.isLoaded(p) {
			continue
		}
		u.missing[p] = true
		// The go command only downloads and vendors the imports of existing code.
		if domain, _, _ := strings.Cut(p, "/"); strings.Contains(domain, ".") {
			diags = append(diags, diag.Warningf(diag.Position{File: path.Join(u.dir, "go.mod")}, codeCompile,
				"generated code imports %s, which the go command can't load yet, so the code isn't type-checked: run go mod tidy, and go mod vendor if the module vendors", p))
		}
	}
	return diags, nil
}

// LoadImports loads the packages that files import and that are not loaded yet. It returns the paths of all of them,
// sorted. Errors show where the packages are imported.
func (u *Universe) LoadImports(ctx context.Context, files []*ast.File) ([]string, error) {
	missing := slices.DeleteFunc(gosyntax.ImportPaths(files...), func(p string) bool { return p == "unsafe" || p == "C" || u.isLoaded(p) })
	if unasked := slices.DeleteFunc(slices.Clone(missing), func(p string) bool { return u.missing[p] }); len(unasked) > 0 {
		// an earlier call found that the others can't be loaded
		_ = u.program.LoadPackages(ctx, u.dir, unasked)
	}
	return missing, ctx.Err()
}

// isLoaded reports whether the go command has found a package.
func (u *Universe) isLoaded(importPath string) bool {
	p := u.Find(importPath)
	return p != nil && (p.Loaded == nil || p.Loaded.Name != "")
}

// checkOther checks the added declarations of a package of another module, after the packages that it imports.
func (u *Universe) checkOther(p *Package, done map[*Package]bool) {
	if done[p] {
		return
	}
	done[p] = true
	files := p.pendingFiles()
	for _, imported := range u.imports(files) {
		if imported.Dir == "" { // packages below the module root are checked later
			u.checkOther(imported, done)
		}
	}
	if p.checker == nil {
		p.Types = types.NewPackage(p.Path, p.Loaded.Name)
		p.checker = types.NewChecker(u.config(p, func(error) {}), u.program.Files.Fset, p.Types, nil)
	}
	// Errors in other modules don't matter.
	_ = p.checker.Files(files)
}

// errNotLoaded is the error for an import that no declaration needs, or that can't be loaded.
var errNotLoaded = errors.New("not loaded")

// config returns the configuration to check a package with.
func (u *Universe) config(p *Package, report func(error)) *types.Config {
	config := &types.Config{
		Importer: importer(func(importPath string) (*types.Package, error) {
			if importPath == "unsafe" {
				return types.Unsafe, nil
			}
			imported := u.packages[importPath]
			switch {
			case imported == nil:
				return nil, errNotLoaded
			case imported.Types == nil && imported.Loaded != nil: // with the error, the package may have any name
				return types.NewPackage(importPath, imported.Loaded.Name), errNotLoaded
			default:
				return imported.Types, nil
			}
		}),
		Sizes: u.program.Sizes(),
		Error: report,
	}
	if p.Dir == "" {
		// only their declarations matter, and not all of them are there
		config.IgnoreFuncBodies, config.DisableUnusedImportCheck = true, true
	} else {
		config.GoVersion = u.goVersion
	}
	return config
}

// TypeCheck checks files as a package with that path, and reports the errors. The info may be nil.
func (u *Universe) TypeCheck(p *Package, importPath string, files []*ast.File, info *types.Info, report func(types.Error)) *types.Package {
	config := u.config(p, func(err error) {
		var problem types.Error
		if errors.As(err, &problem) {
			report(problem)
		}
	})
	name := ""
	switch {
	case len(files) > 0:
		name = files[0].Name.Name
	case p.Loaded != nil:
		name = p.Loaded.Name // it declares nothing that is needed
	}
	checked := types.NewPackage(importPath, name)
	_ = types.NewChecker(config, u.program.Files.Fset, checked, info).Files(files)
	return checked
}

// IsRemark reports whether an error explains the one before.
func IsRemark(problem types.Error) bool { return strings.HasPrefix(problem.Msg, "\t") }

type importer func(string) (*types.Package, error)

func (i importer) Import(importPath string) (*types.Package, error) { return i(importPath) }

// checkLocal checks packages below the module root.
func (u *Universe) checkLocal(ctx context.Context, all []*Package) (diag.List, error) {
	results, needs := make([]diag.List, len(all)), make([]need, len(all))
	// in a cycle, one import fails
	err := parallel.InOrder(ctx, all, u.ImportedBy, func(i int, p *Package) { results[i], needs[i] = u.checkPackage(p) })
	highest := slices.MaxFunc(append(needs, need{}), func(a, b need) int { return version.Compare(a.version, b.version) })
	if highest.version != "" { // other errors may follow from it
		return diag.List{u.tooOld(highest)}, err
	}
	return slices.Concat(results...), err
}

// ImportedBy returns the packages that the files of another one import.
func (u *Universe) ImportedBy(p *Package) []*Package { return u.imports(p.Files) }

// checkPackage checks a package and returns the errors in its generated files, and the language version that these need.
func (u *Universe) checkPackage(p *Package) (diag.List, need) {
	if !p.whole {
		p.Types = u.TypeCheck(p, p.Path, p.Files, nil, func(types.Error) {})
		return nil, need{}
	}
	problems := u.problems(p)
	if n := u.needOf(p, problems); n.version != "" || len(problems) == 0 {
		return nil, n
	}
	return u.explain(p, problems), need{}
}

// problems type-checks a package, and returns the errors in its generated files.
func (u *Universe) problems(p *Package) []types.Error {
	var problems []types.Error
	p.Types = u.TypeCheck(p, p.Path, p.Files, nil, func(problem types.Error) {
		if IsRemark(problem) { // the error before it is reported
			return
		}
		if u.checker.NoDeepCopies && strings.Contains(problem.Msg, "DeepCopy") {
			// the other generator may write the methods after this run
			return
		}
		if g := p.generatedAt(u.program.Files.Fset, problem.Pos); g != nil && !u.importsMissing(g, problem.Pos) {
			problems = append(problems, problem)
		}
	})
	// A run over a package whose generated code is unknown reports the errors about it.
	return slices.DeleteFunc(problems, func(problem types.Error) bool {
		file, around := p.around(u.program.Files.Fset, problem.Pos)
		return u.namesUnknown(file, around)
	})
}

// importsMissing reports whether a position is in the import of a package that is missing or unread.
func (u *Universe) importsMissing(g *generated, at token.Pos) bool {
	return slices.ContainsFunc(g.syntax.Imports, func(spec *ast.ImportSpec) bool {
		importPath := gosyntax.ImportPath(spec)
		p := u.packages[importPath]
		isMissing := u.missing[importPath] || p != nil && p.isUnread
		return isMissing && spec.Pos() <= at && at < spec.End()
	})
}

// generatedAt returns the generated file that a position is in, or nil.
func (p *Package) generatedAt(fset *token.FileSet, at token.Pos) *generated {
	in := fset.File(at)
	for _, g := range p.folder.files {
		if in != nil && in == fset.File(g.syntax.FileStart) {
			return g
		}
	}
	return nil
}

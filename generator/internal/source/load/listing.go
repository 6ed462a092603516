// Package load reads the Go source of a run: it has the go command list packages, parses
// them, and type-checks what API types are made of.
//
// What it reads never includes what mrgen writes: generated files are hidden from the go
// command, and type errors that only their absence explains don't count.
package load

import (
	"context"
	"go/token"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	gomodule "golang.org/x/mod/module"
	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/source/inputs"
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
)

const (
	codeLoad    diag.Code = "load"
	codePattern diag.Code = "package-pattern"
	codeSyntax  diag.Code = "syntax"
)

// A Listing is what the go command says of the packages of a run. [Listing.Load] reads them,
// all at once or one part after the other. Programs of one listing share the packages of
// other modules, so only one of them may be worked on at a time.
type Listing struct {
	Scope *scope.Scope
	Files Files

	// listed are the packages that the patterns select.
	listed []*loader.Package
	// referenced are packages that markers name and no package of the run imports.
	// unreadable says of others why they can't be loaded, by import path.
	referenced []*loader.Package
	unreadable map[string]string
	// hiddenFiles are functions that return [Program.HiddenFiles], by package.
	hiddenFiles sync.Map
	// reads is what the packages are read from.
	reads reads
}

// List asks the go command for the packages of a scope, once for each module. The log
// records what is read, by mrgen and by the go command, and may be nil. There is no
// listing if the diagnostics have errors.
func List(ctx context.Context, sc *scope.Scope, log *inputs.Log) (*Listing, diag.List) {
	l := &Listing{Scope: sc, Files: Files{Scope: sc, Fset: token.NewFileSet()}, unreadable: map[string]string{}}
	done := l.beginReading(ctx, log)
	var diags diag.List
	for _, m := range sc.Modules {
		roots, moduleDiags := l.listModule(ctx, m)
		l.listed = append(l.listed, slices.DeleteFunc(roots, func(pkg *loader.Package) bool { return sc.IsOwn(pkg.GoFiles) })...)
		diags = append(diags, moduleDiags...)
	}
	done()
	if len(l.listed) == 0 && !diags.HasErrors() {
		diags = append(diags, diag.Errorf(diag.Position{File: strings.Join(sc.Options.Patterns, " ")}, codePattern,
			"no Go packages match: name a folder with the API types, such as ./apis/..."))
	}
	if diags.HasErrors() {
		return nil, diags
	}
	l.noteInputs(l.listed)
	return l, diags
}

// listModule lists the packages of one module, and reports what is wrong with them.
func (l *Listing) listModule(ctx context.Context, m scope.Module) ([]*loader.Package, diag.List) {
	roots, err := l.list(ctx, m)
	if err != nil {
		if diags := scope.CheckModFile(l.Scope.Root(), m.Dir); len(diags) > 0 {
			return nil, diags
		}
		if isHomeless(err.Error()) {
			return nil, diag.List{diag.Errorf(diag.Position{}, codeLoad,
				"the go command has no folder for modules, since neither HOME nor GOPATH nor GOMODCACHE is set: set one of them")}
		}
		return nil, diag.List{diag.Errorf(diag.Position{File: path.Join(m.Dir, "go.mod")}, codeLoad,
			"the go command cannot list the packages: %s: make sure that go list -deps works on them", l.Files.RelativeText(goMessage(err)))}
	}
	var diags diag.List
	for _, pkg := range roots {
		for _, e := range pkg.Errors {
			code := codeLoad
			if e.Kind == packages.ParseError {
				code = codeSyntax
			}
			diags = append(diags, diag.Errorf(l.Files.ErrorPosition(pkg, l.Scope.Abs(m.Dir), e.Pos), code, "%s", l.Files.RelativeText(e.Msg)))
		}
	}
	return roots, diags
}

// goPrefix is what controller-tools and golang.org/x/tools put before a message of the go
// command.
var goPrefix = regexp.MustCompile(`^load packages in root "[^"]*": (err: [^:]*: stderr: )?(go: )?`)

// goMessage returns the message of the go command in an error of the loader.
func goMessage(err error) string {
	return strings.TrimSpace(goPrefix.ReplaceAllString(err.Error(), ""))
}

// isHomeless reports whether an error of the go command means that it has no folder for
// modules. With an overlay, it takes the root of the file system for that folder, and
// complains about what lies below.
func isHomeless(text string) bool {
	return strings.Contains(text, "module cache not found") || strings.Contains(text, "GOMODCACHE ()")
}

// list lists packages of one module, with one call of the go command.
func (l *Listing) list(ctx context.Context, m scope.Module) ([]*loader.Package, error) {
	cfg := &packages.Config{
		Context: ctx,
		Dir:     l.Scope.Abs(m.Dir),
		Fset:    l.Files.Fset,
		Overlay: l.Scope.Overlay,
		// Otherwise the go command prepares to build all packages and runs cgo, which takes
		// longer than everything else that it does here.
		BuildFlags: []string{"-compiled=false"},
	}
	if tags := flagTags(os.Getenv("GOFLAGS")); tags != "" {
		// Those of the loader would replace the tags in GOFLAGS.
		cfg.BuildFlags = append(cfg.BuildFlags, "-tags=ignore_autogenerated,"+tags)
	}
	// Without the prefix, the loader would call the go command for each relative path.
	var patterns []string
	for _, pattern := range m.Patterns {
		patterns = append(patterns, "pattern="+pattern)
	}
	return loader.LoadRootsWithConfig(cfg, patterns...)
}

// LoadReferenced asks the go command for packages that the markers of a module name. Each
// of them is then listed or unreadable.
func (l *Listing) LoadReferenced(ctx context.Context, home string, paths []string) {
	for _, importPath := range paths {
		l.unreadable[importPath] = "there is no package with this import path"
	}
	paths = slices.DeleteFunc(paths, func(importPath string) bool { return !isImportPath(importPath) })
	if len(paths) == 0 {
		return
	}
	pkgs, err := l.list(ctx, scope.Module{Dir: home, Patterns: paths})
	if err != nil {
		for _, importPath := range paths {
			l.unreadable[importPath] = l.Files.RelativeText(err.Error())
		}
	}
	for _, pkg := range pkgs {
		importPath := loader.NonVendorPath(pkg.PkgPath)
		switch {
		case !slices.Contains(paths, importPath):
		case len(pkg.Errors) > 0:
			// After the semicolon, the go command suggests a command to run.
			l.unreadable[importPath], _, _ = strings.Cut(l.Files.RelativeText(pkg.Errors[0].Msg), ";")
		default:
			delete(l.unreadable, importPath)
			l.referenced = append(l.referenced, pkg)
			l.noteInputs([]*loader.Package{pkg})
		}
	}
}

// Unreadable says why a package could not be loaded that markers name, or returns "".
func (l *Listing) Unreadable(importPath string) string { return l.unreadable[importPath] }

// isImportPath reports whether the go command takes a text for the import path of
// one package.
func isImportPath(text string) bool {
	reserved := []string{"all", "cmd", "std", "tool", "work"}
	return gomodule.CheckImportPath(text) == nil && !strings.Contains(text, "...") && !slices.Contains(reserved, text)
}

// flagTags returns the build tags in the value of GOFLAGS.
func flagTags(goflags string) string {
	for _, flag := range strings.Fields(goflags) {
		if tags, found := strings.CutPrefix(strings.TrimLeft(flag, "-"), "tags="); found {
			return tags
		}
	}
	return ""
}

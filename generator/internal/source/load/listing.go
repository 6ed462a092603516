// Package load reads the Go source of a run: the go command lists packages, and this package parses them and type-checks
// the declarations that API types consist of.
//
// It never reads mrgen's output: generated files are hidden from the go command, and type errors that only their absence
// explains don't count.
package load

import (
	"context"
	"go/ast"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"

	gomodule "golang.org/x/mod/module"
	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/goenv"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

const (
	codeLoad    diag.Code = "load"
	codePattern diag.Code = "package-pattern"
	codeSyntax  diag.Code = "syntax"
)

// expectedHome is the folder of the module that expected packages are listed for.
const expectedHome = "."

// A Listing is the go command's description of the packages of a run. [Listing.Load] reads them, all at once or one part
// after the other. Programs of one listing share the packages of other modules, so only one of them may be worked on at
// a time, see [Listing.Fork].
type Listing struct {
	Files

	// listed are the packages that the patterns select, and expected are others that were asked for.
	listed, expected []*loader.Package
	// referenced are packages that markers name and no package of the run imports. unreadable says why others can't be
	// loaded, by import path.
	referenced []*loader.Package
	unreadable map[string]string
	// outlines are the packages of other modules, as far as types refer to them.
	outlines map[*loader.Package]*partial
	// local caches [Listing.needsLocal] for packages of other modules.
	local map[*loader.Package]bool
	// hiddenFiles are what [Program.HiddenFiles] returns, by package.
	hiddenFiles parallel.Memo[*loader.Package, []*ast.File]
	code        codeIndex
	// webhookFiles is [webhookFiles], and reads once it is asked to. Forks share it.
	webhookFiles func() []webhookFile
	// log records the files and folders that the packages are read from, except fixed ones. It may be nil.
	log *readlog.Log
	// settings are the go command's.
	settings *goenv.Settings
	// apis says which packages below the module root are API packages, by import path. Forks share it.
	apis *parallel.Memo[string, bool]
	// parsed are functions that return the syntax of a file of another module, by a description of the file. Forks share
	// them, since nothing changes syntax.
	parsed *sync.Map
}

// newListing returns a listing without packages.
func newListing(files Files) *Listing {
	return &Listing{
		Files:      files,
		unreadable: map[string]string{},
		outlines:   map[*loader.Package]*partial{},
		local:      map[*loader.Package]bool{},
		apis:       &parallel.Memo[string, bool]{},
		parsed:     &sync.Map{},
	}
}

// List asks the go command for the packages of a scope, once for each module. The import paths of expected packages save
// later calls, and otherwise make no difference. The log records the files that mrgen and the go command read, and may
// be nil. There is no listing if the diagnostics have errors.
func List(ctx context.Context, sc *modules.Scope, expected []string, log *readlog.Log) (*Listing, diag.List) {
	l := newListing(Files{Scope: sc, Fset: token.NewFileSet()})
	l.webhookFiles = sync.OnceValue(func() []webhookFile { return webhookFiles(sc, log) })
	l.log = log
	diags := l.readSettings(ctx)
	if diags.HasErrors() {
		return nil, diags
	}
	for _, m := range sc.Modules {
		roots, moduleDiags := l.listModule(ctx, m, expected)
		// mrgen rewrites packages of its own as a whole
		l.listed = append(l.listed, slices.DeleteFunc(roots, func(pkg *loader.Package) bool { return sc.IsOwn(pkg.GoFiles) })...)
		diags = append(diags, moduleDiags...)
	}
	if len(l.listed) == 0 && !diags.HasErrors() {
		diags = append(diags, diag.Errorf(diag.Position{File: strings.Join(sc.Options.Patterns, " ")}, codePattern,
			"no Go packages match: name a folder with the API types, such as ./apis/..."))
	}
	if diags.HasErrors() {
		return nil, diags
	}
	l.noteInputs(slices.Concat(l.listed, l.expected))
	return l, diags
}

// listBesides lists the packages of one module, and the expected packages.
func (l *Listing) listBesides(ctx context.Context, m modules.Module, expected []string) ([]*loader.Package, error) {
	asked := m
	if m.Dir == expectedHome {
		asked.Patterns = slices.Concat(m.Patterns,
			slices.DeleteFunc(slices.Clone(expected), func(importPath string) bool { return !isImportPath(importPath) }))
	}
	roots, err := l.list(ctx, asked)
	if err != nil && len(asked.Patterns) > len(m.Patterns) { // an expected package may not exist: a later call asks for it again
		roots, err = l.list(ctx, m)
	}
	return slices.DeleteFunc(roots, func(pkg *loader.Package) bool {
		if !slices.Contains(expected, loader.NonVendorPath(pkg.PkgPath)) || hasFiles(pkg) && l.selects(pkg) {
			// the patterns select it, too
			return false
		}
		if len(pkg.Errors) == 0 {
			l.expected = append(l.expected, pkg)
		}
		return true
	}), err
}

// listModule lists the packages of one module, and reports their errors.
func (l *Listing) listModule(ctx context.Context, m modules.Module, expected []string) ([]*loader.Package, diag.List) {
	roots, err := l.listBesides(ctx, m, expected)
	if err != nil {
		return nil, l.listFailure(m, err, "the packages")
	}
	var diags diag.List
	for _, pkg := range roots {
		for _, e := range pkg.Errors {
			if known, ok := l.causeOf(m.Dir, e.Msg); ok {
				diags = append(diags, known)
				continue
			}
			diags = append(diags, l.diagnostic(pkg, l.Scope.Abs(m.Dir), codeLoad, e))
		}
	}
	return roots, diags
}

// listFailure reports why the go command can't list packages of a module.
func (l *Listing) listFailure(m modules.Module, err error, what string) diag.List {
	// The go command reports a full disk, too, for its own files.
	if diag.IsFull(err) || strings.Contains(err.Error(), syscall.ENOSPC.Error()) {
		return diag.List{diag.Errorf(diag.Position{File: filepath.ToSlash(os.TempDir())}, codeLoad, "%s", diag.Full)}
	}
	if diags := modules.CheckModFile(l.Scope.Root(), m.Dir); len(diags) > 0 { // a syntax error in go.mod has a position
		return diags
	}
	if known, ok := l.causeOf(m.Dir, err.Error()); ok {
		return diag.List{known}
	}
	return diag.List{diag.Errorf(diag.Position{File: path.Join(m.Dir, "go.mod")}, codeLoad,
		"the go command cannot list %s: %s: make sure that go list -deps works on them", what, l.Files.RelativeText(goMessage(err)))}
}

// selects reports whether the patterns select a package, although the go command was asked for others, too.
func (l *Listing) selects(pkg *loader.Package) bool {
	dir := l.Files.Relative(l.Files.PackageDir(pkg))
	// A pattern for all packages matches none of other modules, or below a folder called vendor.
	return InModule(dir) && l.Scope.Covers(dir) && !slices.Contains(strings.Split(dir, "/"), "vendor")
}

// goPrefix is what golang.org/x/tools puts before a message of the go command.
var goPrefix = regexp.MustCompile(`^(err: [^:]*: stderr: )?(go: )?`)

// goMessage returns the message of the go command in an error of golang.org/x/tools.
func goMessage(err error) string {
	return strings.TrimSpace(goPrefix.ReplaceAllString(err.Error(), ""))
}

// list lists packages of one module, with one call of the go command.
func (l *Listing) list(ctx context.Context, m modules.Module) ([]*loader.Package, error) {
	cfg := &packages.Config{
		Context: ctx,
		// What controller-tools' loader asks for.
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports,
		Dir:  l.Scope.Abs(m.Dir),
		Env:  goEnvironment(os.Environ()),
		Fset: l.Files.Fset,
		// Otherwise the go command prepares to build all packages and runs cgo, which takes
		// longer than everything else that it does here.
		BuildFlags: []string{"-compiled=false", l.settings.Tags("ignore_autogenerated")},
	}
	switch {
	case goenv.UsesDriver(): // a driver doesn't know the flag
		cfg.Overlay = l.Scope.Overlay
	case len(l.Scope.Overlay) > 0:
		overlay, remove, err := writeOverlay(l.Scope.Overlay)
		if err != nil {
			return nil, err
		}
		defer remove()
		cfg.BuildFlags = append(cfg.BuildFlags, overlay)
	}
	patterns := make([]string, len(m.Patterns))
	for i, pattern := range m.Patterns {
		patterns[i] = "pattern=" + pattern
	}
	raw, err := packages.Load(cfg, patterns...)
	return wrap(l.Files.Fset, raw), err
}

// goEnvironment returns the environment of the go command, with fewer garbage collections: listing packages takes a
// short time and leaves little garbage. It then takes a fifth less processor time over 2,000 kinds, and 8 MB more
// memory.
func goEnvironment(environ []string) []string {
	if slices.ContainsFunc(environ, func(variable string) bool { return strings.HasPrefix(variable, "GOGC=") }) {
		// the user's setting counts
		return environ
	}
	return append(slices.Clip(environ), "GOGC=400")
}

// LoadReferenced asks the go command for packages that the markers of a module name. Each of them is then listed or
// unreadable.
func (l *Listing) LoadReferenced(ctx context.Context, home string, paths []string) {
	for _, importPath := range paths {
		l.unreadable[importPath] = "there is no package with this import path"
	}
	paths = slices.DeleteFunc(paths, func(importPath string) bool { return !isImportPath(importPath) })
	if home == expectedHome {
		for _, pkg := range l.expected {
			if importPath := loader.NonVendorPath(pkg.PkgPath); slices.Contains(paths, importPath) {
				delete(l.unreadable, importPath)
				l.referenced = append(l.referenced, pkg)
			}
		}
		paths = slices.DeleteFunc(paths, func(importPath string) bool { return l.unreadable[importPath] == "" })
	}
	if len(paths) == 0 {
		return
	}
	pkgs, err := l.list(ctx, modules.Module{Dir: home, Patterns: paths})
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

// Unreadable says why a package that markers name could not be loaded, or returns "".
func (l *Listing) Unreadable(importPath string) string { return l.unreadable[importPath] }

// isImportPath reports whether the go command understands a text as the import path of one package.
func isImportPath(text string) bool {
	reserved := []string{"all", "cmd", "std", "tool", "work"}
	return gomodule.CheckImportPath(text) == nil && !strings.Contains(text, "...") && !slices.Contains(reserved, text)
}

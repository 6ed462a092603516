package load

import (
	"context"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A Listing is what the go command tells of the packages of a run. Nothing of them is
// read yet.
type Listing struct {
	*listing
	opts Options
}

// listing is what a Listing shares with the sources that are loaded from it.
type listing struct {
	// loading is held by whoever may load packages of other modules, or looks at what is
	// wrong with them: several sources share these. No two share others.
	loading sync.Mutex
	root    string
	scope   *scope
	fset    *token.FileSet
	// parser makes the schemas of types, with all that it remembers of other modules.
	parser *crd.Parser
	// hidden takes the place of generated files in the eyes of the go command.
	hidden map[string][]byte
	// hiddenFiles are functions that return [listing.HiddenFiles], by package.
	hiddenFiles sync.Map
	// listed are the packages that the patterns select.
	listed []*loader.Package
	// external are the referenced packages that no package of the run imports, and
	// unreadable says of others why they can't be loaded, by import path.
	external   []*loader.Package
	unreadable map[string]string
	// reads is what the packages are read from.
	reads reads
	// runtimes are the versions of crossplane-runtime that were read, by folder.
	runtimes sync.Map
}

// List asks the go command for the packages that the options select, once for each
// module. There is no listing if the diagnostics have errors.
func List(ctx context.Context, opts Options) (*Listing, diag.List) {
	sc, diags := newScope(opts)
	if diags.HasErrors() {
		return nil, diags
	}
	l := &listing{root: opts.Root, scope: sc, fset: token.NewFileSet(), parser: newParser(), unreadable: map[string]string{}}
	l.hidden = l.overlay(opts)
	done := l.beginReading(ctx, opts.Inputs)
	for _, m := range sc.modules {
		roots, moduleDiags := l.loadModule(ctx, m)
		l.listed = append(l.listed, slices.DeleteFunc(roots, func(pkg *loader.Package) bool { return isOwn(pkg, opts.OwnFile) })...)
		diags = append(diags, moduleDiags...)
	}
	done()
	if len(l.listed) == 0 && !diags.HasErrors() {
		diags = append(diags, diag.Errorf(diag.Position{File: strings.Join(opts.Patterns, " ")}, codePattern,
			"no Go packages match: name a folder with the API types, such as ./apis/..."))
	}
	if diags.HasErrors() {
		return nil, diags
	}
	l.noteInputs(l.listed)
	return &Listing{listing: l, opts: opts}, diags
}

// Load loads all packages. The source is nil if the diagnostics hold errors that leave
// nothing to work on.
func (l *Listing) Load(ctx context.Context) (*Source, diag.List) {
	return l.load(ctx, l.listed, nil)
}

// LoadPart loads the packages in some folders, relative to the module root. Other
// packages of the run that markers in these name must be known. Stages may be at work on
// another part meanwhile.
func (l *Listing) LoadPart(ctx context.Context, folders []string, known []*model.Package) (*Source, diag.List) {
	part := &Listing{listing: l.listing, opts: l.opts}
	part.opts.Part = true
	roots := slices.DeleteFunc(slices.Clone(l.listed), func(pkg *loader.Package) bool {
		return !slices.Contains(folders, l.relative(l.packageDir(pkg)))
	})
	return part.load(ctx, roots, known)
}

// loadModule lists the packages of one module and reports what is wrong with them.
func (l *listing) loadModule(ctx context.Context, m module) ([]*loader.Package, diag.List) {
	roots, err := l.list(ctx, m)
	if err != nil {
		if diags := checkModFile(l.root, m.dir); len(diags) > 0 {
			return nil, diags
		}
		if isHomeless(err.Error()) {
			return nil, diag.List{diag.Errorf(diag.Position{}, codeLoad,
				"the go command has no folder for modules, since neither HOME nor GOPATH nor GOMODCACHE is set: set one of them")}
		}
		return nil, diag.List{diag.Errorf(diag.Position{File: path.Join(m.dir, "go.mod")}, codeLoad,
			"the go command cannot list the packages: %s: see that go list -deps works on them", l.relativeText(goMessage(err)))}
	}
	var diags diag.List
	for _, pkg := range roots {
		for _, e := range pkg.Errors {
			code := codeLoad
			if e.Kind == packages.ParseError {
				code = codeSyntax
			}
			diags = append(diags, diag.Errorf(l.errorPosition(pkg, l.moduleDir(m), e.Pos), code, "%s", l.relativeText(e.Msg)))
		}
	}
	return roots, diags
}

// goPrefix is what controller-tools and golang.org/x/tools put before what the go command
// says.
var goPrefix = regexp.MustCompile(`^load packages in root "[^"]*": (err: [^:]*: stderr: )?(go: )?`)

// goMessage returns what the go command said, in an error of the loader.
func goMessage(err error) string {
	return strings.TrimSpace(goPrefix.ReplaceAllString(err.Error(), ""))
}

// isHomeless reports whether an error of the go command means that it has no folder for
// modules. With an overlay it takes that to be the root of the disk, and complains of
// what lies below.
func isHomeless(text string) bool {
	return strings.Contains(text, "module cache not found") || strings.Contains(text, "GOMODCACHE ()")
}

// list lists packages of one module, with one call of the go command.
func (l *listing) list(ctx context.Context, m module) ([]*loader.Package, error) {
	cfg := &packages.Config{
		Context: ctx,
		Dir:     l.moduleDir(m),
		Fset:    l.fset,
		Overlay: l.hidden,
		// Else the go command prepares to build all packages, and has cgo write Go files,
		// which takes longer than all else that it does here.
		BuildFlags: []string{"-compiled=false"},
	}
	if tags := flagTags(os.Getenv("GOFLAGS")); tags != "" {
		// The loader's own -tags would replace those of the environment.
		cfg.BuildFlags = append(cfg.BuildFlags, "-tags=ignore_autogenerated,"+tags)
	}
	// The loader itself would call the go command once for each relative path.
	var patterns []string
	for _, pattern := range m.patterns {
		patterns = append(patterns, "pattern="+pattern)
	}
	return loader.LoadRootsWithConfig(cfg, patterns...)
}

func (l *listing) moduleDir(m module) string {
	return filepath.Join(l.root, filepath.FromSlash(m.dir))
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

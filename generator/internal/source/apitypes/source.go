// Package apitypes makes the model of loaded Go source from type-checked declarations, their comments, and the markers
// in these. It reports errors in them that don't depend on the generated output.
package apitypes

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/controllertools"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/markers"
)

const (
	codeLoad    diag.Code = "load"
	codePattern diag.Code = "package-pattern"
	codeType    diag.Code = "type"
)

// Options say how to read the source in a scope.
type Options struct {
	// Cyclic are the packages of the module that import each other, each with the first one of its ring. If it is nil,
	// the cycles must be found: then the model also has packages outside the run that may be part of a cycle, and the
	// packages that these refer to in turn.
	Cyclic map[string]string
	// MisspeltMarkers turns misspelt markers into warnings, for authors whose tools so far
	// ignored them.
	MisspeltMarkers bool
	// EmbeddedObjectMeta gives object metadata below the top of a schema its properties.
	EmbeddedObjectMeta bool
	// DeclaredLater returns the types that a model lacks and stages will add with [Source.AddFiles]. It may be nil.
	DeclaredLater func(*model.Model) []flavor.TypeName
	// Expected are the import paths of packages that the run is expected to need besides the ones that the scope
	// selects. It makes no difference if one is not needed, or missing.
	Expected []string
	// Inputs logs the files that mrgen and the go command read. It may be nil.
	Inputs *readlog.Log
}

// Sources are the sources of one listing. They share the types of other modules.
type Sources struct {
	listing *load.Listing
	opts    Options
	schemas *controllertools.Schemas
	// runtimes are the versions of crossplane-runtime that were read, by folder.
	runtimes parallel.Memo[string, *model.Runtime]
	// known are packages of the module that parts have loaded, by import path, with the names that markers may use.
	// Forks share them.
	known *sync.Map
}

// A Source is loaded Go source and the model made of it.
type Source struct {
	Program *load.Program
	Model   *model.Model
	// Packages are the packages of the model, by import path.
	Packages map[string]*loader.Package
	// Collector has the markers that controller-tools knows.
	Collector *ctmarkers.Collector
	// Corrections correct the misspelt markers of the source, as far as the correction is certain.
	Corrections []Correction

	sources *Sources
	files   load.Files
	// foreignMarkers caches the problem with each marker that mrgen does not own, by target and text.
	foreignMarkers [markers.OnPackage + markers.OnType + markers.OnField + 1]sync.Map
	// contradictory caches the contradictions in lists of markers.
	contradictory parallel.Memo[string, []contradiction]
	// TypesMissing is set if the model has types that are declared nowhere.
	TypesMissing bool
	// users are the import paths of the packages that markers name, each with the folder of a package with such a
	// marker.
	users map[string]string
}

// List asks the go command for the packages of a scope. There are no sources if the
// diagnostics have errors.
func List(ctx context.Context, sc *modules.Scope, opts Options) (*Sources, diag.List) {
	listing, diags := load.List(ctx, sc, opts.Expected, opts.Inputs)
	if diags.HasErrors() {
		return nil, diags
	}
	return newSources(listing, opts, &sync.Map{}), diags
}

// Fork returns sources of the same listing, to load others of them at the same time. Nothing may have been
// loaded yet.
func (s *Sources) Fork() *Sources { return newSources(s.listing.Fork(), s.opts, s.known) }

func newSources(listing *load.Listing, opts Options, known *sync.Map) *Sources {
	return &Sources{listing: listing, opts: opts, schemas: controllertools.NewSchemas(opts.EmbeddedObjectMeta), known: known}
}

// Load returns the source of a scope. It is nil if the diagnostics have errors that leave nothing to work on.
func Load(ctx context.Context, sc *modules.Scope, opts Options) (*Source, diag.List) {
	sources, diags := List(ctx, sc, opts)
	if diags.HasErrors() {
		return nil, diags
	}
	source, loadDiags := sources.Load(ctx, nil)
	if originals := sources.Originals(loadDiags); originals != nil {
		source.Release()
		of, inSource := sources.Load(ctx, originals)
		if source, loadDiags = of, append(inSource, sources.InCopies(loadDiags)...); !inSource.HasErrors() {
			of.Release()
			source, loadDiags = sources.Load(ctx, nil)
		}
	}
	if diags = append(diags, loadDiags...); source != nil && source.Model != nil && len(source.Model.Packages) == 0 {
		diags = append(diags, Nothing(sc))
	}
	return source, diags
}

// Load returns the source of the packages in some folders, relative to the module root, or of all
// packages if folders is nil. It is nil if the diagnostics have errors that leave nothing to work on.
// The source before must have been released.
func (s *Sources) Load(ctx context.Context, folders []string) (*Source, diag.List) {
	program, diags := s.listing.Load(folders)
	if diags.HasErrors() {
		return nil, diags
	}
	source := &Source{Program: program, sources: s, files: program.Files}
	diags = source.analyze(s.opts.DeclaredLater)
	if source.Model != nil {
		source.loadReferenced(ctx)
		for _, p := range source.Model.Packages {
			s.known.Store(p.Path, p.Declared())
		}
	}
	return source, diags
}

// Nothing returns the warning that no package in a scope has anything to generate for.
func Nothing(sc *modules.Scope) diag.Diagnostic {
	return diag.Warningf(diag.Position{File: strings.Join(sc.Options.Patterns, " ")}, codePattern,
		"no package that matches declares Kubernetes objects or asks for deep copies: there is nothing to generate: cover others, as ./apis/... covers all folders below apis")
}

// Originals returns the folders to load again if diagnostics have errors and some packages are copies, or else nil: errors in
// copies follow from their source's.
func (s *Sources) Originals(diags diag.List) []string {
	if !diags.HasErrors() {
		return nil
	}
	return s.listing.Originals()
}

// InCopies returns the diagnostics about files in the folders of copies. Those of copies themselves are about their sources.
func (s *Sources) InCopies(diags diag.List) diag.List {
	scope := s.listing.Scope
	return slices.DeleteFunc(slices.Clone(diags), func(d diag.Diagnostic) bool {
		return len(scope.CopiesIn(scope.Abs(path.Dir(d.Pos.File)))) == 0
	})
}

// Release drops everything about the packages of the module, except the model. The source can't be used afterwards. It
// may be nil.
func (s *Source) Release() {
	if s == nil {
		return
	}
	s.sources.schemas.Forget(s.sources.listing.Files.IsLocal)
	s.Program.Release()
	s.Packages, s.Collector = nil, nil
}

// analyze type-checks the API packages and makes the model. Types that stages declare later may be missing.
func (s *Source) analyze(declaredLater func(*model.Model) []flavor.TypeName) diag.List {
	var err error
	if s.Collector, err = controllertools.NewCollector(); err != nil {
		return diag.List{diag.Errorf(diag.Position{}, codeLoad, "%s", diag.Internal(err.Error()))}
	}
	diags := s.Program.ImportErrors()
	if diags.HasErrors() {
		// Errors about types that need a failed import only repeat it: report the markers alone.
		b := s.newBuilder()
		b.indexPackages(s.Program.APIs)
		return slices.Concat(diags, s.collectMarkers(), b.diags)
	}
	diags = append(diags, s.collectMarkers()...)
	s.Program.TypeCheck(s.Program.APIs)
	return append(diags, s.build(declaredLater)...)
}

// relate completes the model with imports, and with the packages that markers name. It returns the paths of packages
// that must be loaded first, like referencedPackages.
func (s *Source) relate() (unloaded map[string][]string) {
	s.Model.Referenced, unloaded = s.referencedPackages()
	s.Model.Imports = s.Program.Imports()
	s.Model.Cyclic = s.sources.opts.Cyclic
	return unloaded
}

// AddFiles adds Go files to the source, in memory, in place of files of the same names, and makes the model anew. The
// keys are paths relative to the module root.
func (s *Source) AddFiles(files map[string][]byte) diag.List {
	if len(files) == 0 && !s.TypesMissing {
		return nil
	}
	if diags := s.Program.AddFiles(files); diags.HasErrors() {
		return diags
	}
	s.sources.schemas = controllertools.NewSchemas(s.sources.opts.EmbeddedObjectMeta) // types of the module are checked again
	// With nil, types that are still missing are errors.
	diags := s.analyze(nil)
	if !diags.HasErrors() {
		s.relate()
	}
	return diags
}

// isDerived reports whether a stage wrote a file, in this run or an earlier one over other packages.
func (s *Source) isDerived(file string) bool {
	if s.Program.Added[file] {
		return true
	}
	sc := s.Program.Scope
	return slices.Contains(sc.Options.Outputs, path.Base(file)) && modules.IsGenerated(sc.Abs(file), true)
}

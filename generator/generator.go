// Package generator turns the Go API types of a Crossplane provider into
// everything that Kubernetes and Crossplane need of them.
//
// [Generate] is pure: it reads source and returns a [Result] in memory. Only
// [Result.Apply] writes. So are the fixes, which change the source itself.
package generator

import (
	"context"
	"errors"
	"slices"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/inputs"
	"github.com/mrgen-io/mrgen/generator/internal/load"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/providerpackage"
)

const codeOption diag.Code = "option"

// A Diagnostic says what is wrong at a place in the user's source or settings,
// and what to do about it.
type Diagnostic = diag.Diagnostic

// A Position is where a diagnostic points.
type Position = diag.Position

// The severities of diagnostics. Errors prevent any output.
const (
	Error   = diag.Error
	Warning = diag.Warning
)

// IsGenerated reports whether a Go file says that a generator wrote it.
func IsGenerated(content []byte) bool { return artifact.IsGenerated(content) }

// Grouped returns diagnostics with one in place of several that are alike.
func Grouped(diags []Diagnostic) []Diagnostic { return diag.List(diags).Grouped() }

// A Change is a file that differs between a result and the disk.
type Change = artifact.Change

// The kinds of changes.
const (
	Create = artifact.Create
	Update = artifact.Update
	Delete = artifact.Delete
)

// Options are the settings of a run. Paths are relative to the module root.
type Options struct {
	// Dir is a folder in the Go module to work on; the working directory if empty.
	Dir string
	// Packages are the patterns that select packages; "./..." if empty.
	Packages []string
	// CRDDir is the folder for CRDs.
	CRDDir string
	// ManagedCRDs tells whether managed kinds get a CRD. If not, they are left to
	// their MRDs; other kinds always get a CRD.
	ManagedCRDs bool
	// MRDDir is the folder for MRDs; none are written if it is empty.
	MRDDir string
	// HeaderFile holds text for the top of generated Go files, usually a licence
	// in a comment; may be empty.
	HeaderFile string
	// ConnectionDetailAnnotations tells whether CRDs have annotations that describe
	// the keys of connection secrets, for versions of Crossplane without MRDs.
	ConnectionDetailAnnotations bool
	// MaxDescription cuts descriptions in schemas at so many characters, at the
	// end of a sentence if there is one. Negative means no limit.
	MaxDescription int
	// AllowDangerousTypes allows floating-point fields.
	AllowDangerousTypes bool
	// RequiredRules relaxes required fields of spec.forProvider into rules, so that
	// resources can be observed without them. ImmutableRules enforces +immutable.
	RequiredRules, ImmutableRules bool
	// MisspeltMarkers lets comments pass with a warning that were meant to be markers, and
	// that nobody reads. They are errors otherwise.
	MisspeltMarkers bool
	// MinKubernetes is the oldest Kubernetes version that must accept the CRDs,
	// as "1.31".
	MinKubernetes string
	// TypeCheck has the generated Go code of all packages type-checked, and not only where
	// it differs from what is on disk.
	TypeCheck bool
	// KeepSchemas keeps the schemas of all kinds in memory. [Result.Rules] needs them.
	KeepSchemas bool
	// CacheDir is a folder in which runs remember what they did, so that work is not
	// done again that can't have changed. Nothing is remembered if it is empty. The
	// result is the same either way, but for [Result.Rules].
	CacheDir string
	// OnStep is called with the name of each step of a run when it begins: "compare"
	// with earlier runs, "load", those of the stages, "compile", and "plan". It may be
	// nil.
	OnStep func(step string) `json:"-"`
	// ResolverRegistry is the import path of the package that reference resolvers
	// find kinds in whose packages they can't import without a cycle. mrgen writes
	// it; without one, such cycles are errors.
	ResolverRegistry string
}

// step tells that a step of a run begins.
func (o Options) step(name string) {
	if o.OnStep != nil {
		o.OnStep(name)
	}
}

// DefaultOptions returns the options of a run without settings.
func DefaultOptions() Options {
	return Options{
		Packages:       []string{"./..."},
		CRDDir:         "package/crds",
		ManagedCRDs:    true,
		RequiredRules:  true,
		ImmutableRules: true,
		MaxDescription: -1,
		MinKubernetes:  "1.31",
	}
}

// A Result is what a run would change.
type Result struct {
	// Diagnostics, sorted and without duplicates. If any is an error, there is
	// nothing to apply.
	Diagnostics []Diagnostic

	plan        *artifact.Plan
	definitions []pipeline.Definition
}

// InternalError returns what to say of a mistake of mrgen, in one line.
func InternalError(cause error) string { return diag.Ours(cause.Error()) }

// FindModule returns the root folder of the Go module that dir lies in, with
// symbolic links resolved, or diagnostics if there is none.
func FindModule(dir string) (string, []Diagnostic) {
	root, diags := load.FindRoot(dir)
	return root, diags
}

// Generate runs all stages on the packages that the options select and compares
// their output with the disk. It writes nothing there. Mistakes of the user are in
// the result's diagnostics; an error is a bug of mrgen or a cancelled context.
func Generate(ctx context.Context, options Options) (Result, error) {
	options.step("compare")
	m := openMemory(ctx, options)
	if m.remembersAll() {
		return m.recall(), nil
	}
	r, diags, err := m.evaluate(ctx)
	if err != nil || diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, err
	}
	options.step("plan")
	m.record(r, diags)
	diags = append(diags, m.verdict.Warnings...)
	diags = append(diags, checkPackage(r.root, r.settings, slices.AppendSeq(slices.Clone(m.verdict.Outputs), keys(r.output.Artifacts.Files())))...)
	return r.result(diags, m.current()), nil
}

// newResult compares files with the disk.
func newResult(root string, files *artifact.Set, diags diag.List, options artifact.PlanOptions) Result {
	plan, planDiags := artifact.NewPlan(root, files, options)
	diags = append(diags, planDiags...)
	if diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}
	}
	return Result{Diagnostics: diags.Sorted(), plan: plan}
}

// A run is what the stages made of the packages that options select.
type run struct {
	root     string
	settings pipeline.Options
	// generated are the files that the run replaces or that an earlier one wrote, and
	// covers reports whether the patterns cover a folder.
	generated []string
	covers    func(dir string) bool
	// declared are keys of what the packages declare that others may name in markers,
	// by folder.
	declared map[string]string
	// read are the packages that the run has read.
	read   load.Dependencies
	output pipeline.Output
}

// result compares the files of a run with the disk, but for those that are up to date.
func (r run) result(diags diag.List, current map[string]bool) Result {
	result := newResult(r.root, r.output.Artifacts, diags, artifact.PlanOptions{
		Candidates:  r.generated,
		YAMLFolders: outputFolders(r.settings),
		InScope:     r.covers,
		Current:     current,
	})
	if result.plan != nil {
		result.definitions = r.output.Definitions
	}
	return result
}

// A lister returns a listing of packages that nothing is loaded from yet.
type lister func() (*load.Listing, diag.List)

// A selection is how the packages that options select are looked at.
type selection struct {
	// part tells that they are a part of those that were asked for, where nothing that
	// concerns the others has changed.
	part bool
	// inputs logs what is read. It may be nil.
	inputs *inputs.Log
	// list lists the packages, unless it is nil.
	list lister
}

// evaluate loads the packages that the options select and runs all stages. The
// run is of no use if there is an error among the diagnostics.
func evaluate(ctx context.Context, options Options) (run, diag.List, error) {
	return evaluateSelected(ctx, options, selection{})
}

func evaluateSelected(ctx context.Context, options Options, how selection) (run, diag.List, error) {
	root, diags := load.FindRoot(options.Dir)
	if diags.HasErrors() {
		return run{}, diags, nil
	}
	settings, diags := pipelineOptions(root, options)
	options.step("load") // also if the settings are wrong: the source may be, too
	list := how.list
	if list == nil {
		selected := loadOptions(root, options, settings.Registry)
		selected.Part, selected.Inputs = how.part, how.inputs
		list = func() (*load.Listing, diag.List) { return load.List(ctx, selected) }
	}
	listing, listDiags := list()
	diags = append(diags, listDiags...)
	if err := ctx.Err(); err != nil || listDiags.HasErrors() {
		return run{}, diags, err
	}
	source, loadDiags := listing.Load(ctx)
	diags = append(diags, loadDiags...)
	if err := ctx.Err(); err != nil || diags.HasErrors() {
		return run{}, diags, err
	}
	settings.OnStage = options.step
	output, stageDiags, err := checkedOutput(ctx, source, settings, &compile.Checker{}, options.TypeCheck)
	return run{
		root: root, settings: settings, generated: source.Generated, covers: source.Covers,
		declared: declared(source.Model), read: source.Dependencies(), output: output,
	}, append(diags, stageDiags...), err
}

// loadOptions are those for the packages that the options select, "./..." if they name
// none. The registry is the package for it that the run writes, or nil.
func loadOptions(root string, options Options, registry *load.OwnPackage) load.Options {
	patterns := options.Packages
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	return load.Options{
		Root:        root,
		Patterns:    patterns,
		Outputs:     pipeline.GoFiles(stages),
		Importers:   pipeline.Importers(stages),
		OwnFile:     pipeline.OwnFile(stages),
		Own:         registry,
		TypesFollow: pipeline.DeclareTypes(stages),

		MisspeltMarkers: options.MisspeltMarkers,
	}
}

// pipelineOptions checks the options and resolves what they refer to.
func pipelineOptions(root string, options Options) (pipeline.Options, diag.List) {
	var diags diag.List
	settings := pipeline.Options{
		ManagedCRDs:                 options.ManagedCRDs,
		ConnectionDetailAnnotations: options.ConnectionDetailAnnotations,
		MaxDescription:              options.MaxDescription,
		AllowDangerousTypes:         options.AllowDangerousTypes,
		RequiredRules:               options.RequiredRules,
		ImmutableRules:              options.ImmutableRules,
		KeepSchemas:                 options.KeepSchemas,
	}
	minKubernetes, err := version.ParseGeneric(options.MinKubernetes)
	if err != nil {
		diags = append(diags, notKubernetes(options.MinKubernetes))
	}
	settings.MinKubernetes = minKubernetes
	settings.Judge = apiserver.NewJudge(minKubernetes)
	if options.HeaderFile != "" {
		header, problems := readHeader(root, options)
		settings.Header = header
		diags = append(diags, problems...)
	}
	settings.CRDDir, settings.MRDDir = options.CRDDir, options.MRDDir
	for _, folder := range []*string{&settings.CRDDir, &settings.MRDDir} {
		if *folder != "" {
			name, problems := artifact.OutputFolder(root, *folder)
			*folder = name
			diags = append(diags, problems...)
		}
	}
	if options.ResolverRegistry != "" {
		registry, problems := load.NewOwnPackage(root, options.ResolverRegistry, pipeline.OwnFile(stages))
		settings.Registry = registry
		for _, problem := range problems {
			problem.Message = "resolvers.registry: " + problem.Message
			diags = append(diags, problem)
		}
	}
	if options.CRDDir == "" {
		diags = append(diags, diag.Errorf(diag.Position{}, codeOption, "the folder for CRDs is empty: name one, such as package/crds"))
	}
	if settings.CRDDir != "" && settings.CRDDir == settings.MRDDir {
		diags = append(diags, diag.Errorf(diag.Position{File: options.MRDDir}, codeOption,
			"CRDs and MRDs have the same folder and file names: name another folder for one of them"))
	}
	if !settings.ManagedCRDs && settings.MRDDir == "" {
		diags = append(diags, diag.Errorf(diag.Position{}, codeOption,
			"managed kinds would get neither a CRD nor an MRD: set a folder for MRDs"))
	}
	return settings, diags
}

// checkPackage returns warnings about the Crossplane package around the output.
func checkPackage(root string, settings pipeline.Options, files []string) diag.List {
	return providerpackage.Check(root, providerpackage.Output{CRDDir: settings.CRDDir, MRDDir: settings.MRDDir, Files: files})
}

func outputFolders(settings pipeline.Options) []string {
	folders := []string{settings.CRDDir}
	if settings.MRDDir != "" {
		folders = append(folders, settings.MRDDir)
	}
	return folders
}

// Changes returns the files that differ from the disk, sorted by path. There are
// none if a diagnostic is an error.
func (r Result) Changes() []Change {
	if r.plan == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.plan.Changes), func(c Change) bool { return c.Action == artifact.Unchanged })
}

// Apply writes the changes, each file as a whole, files to delete last. What the
// disk refuses is in the diagnostics; an error means that the context is done, or
// that the result has errors and there is nothing to apply.
func (r Result) Apply(ctx context.Context) ([]Diagnostic, error) {
	if r.plan == nil {
		return nil, errors.New("the result has errors")
	}
	diags, err := r.plan.Apply(ctx)
	return diags.Sorted(), err
}

// Diff returns the changes as a unified diff that git apply accepts.
func (r Result) Diff() []byte {
	if r.plan == nil {
		return nil
	}
	return r.plan.Diff()
}

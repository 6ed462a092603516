// Package generator turns the Go API types of a Crossplane provider into
// everything that Kubernetes and Crossplane need of them.
//
// [Generate] reads source and returns a [Result] in memory, and so do the fixes, which change
// the source itself. [Result.Apply] writes the files, and [Result.Remember] what the next
// run need not do again.
package generator

import (
	"context"
	"errors"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/external/providerpackage"
	"github.com/mrgen-io/mrgen/generator/internal/incremental"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
)

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
type Options = engine.Options

// A VersionsMode says what becomes of values that only some of the served versions of a kind
// have.
type VersionsMode = pipeline.VersionsMode

// The modes that a user may choose.
const (
	CheckVersions  = pipeline.CheckVersions
	IgnoreVersions = pipeline.IgnoreVersions
)

// DefaultOptions returns the options of a run without settings.
func DefaultOptions() Options { return engine.DefaultOptions() }

// A Result is what a run would change.
type Result struct {
	// Diagnostics, sorted and without duplicates. If any is an error, there is
	// nothing to apply.
	Diagnostics []Diagnostic

	plan        *artifact.Plan
	definitions []pipeline.Definition
	remember    func()
}

// InternalError returns what to say of a mistake of mrgen, in one line.
func InternalError(cause error) string { return diag.Ours(cause.Error()) }

// FindModule returns the root folder of the Go module that dir lies in, with
// symbolic links resolved, or diagnostics if there is none.
func FindModule(dir string) (string, []Diagnostic) {
	root, diags := scope.FindRoot(dir)
	return root, diags
}

// Generate runs all stages on the packages that the options select and compares
// their output with the disk. It writes nothing. Mistakes of the user are in the
// result's diagnostics; an error is a bug of mrgen or a cancelled context.
func Generate(ctx context.Context, options Options) (Result, error) {
	options.Step("compare")
	memory := incremental.Open(ctx, mrgen(), options)
	if memory.IsUpToDate() {
		diags := append(memory.Warnings(), checkPackage(memory.Root, memory.Settings, memory.UpToDate())...)
		return Result{Diagnostics: diags.Sorted(), plan: &artifact.Plan{Root: memory.Root}}, nil
	}
	r, diags, err := memory.Evaluate(ctx)
	if err != nil || diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, err
	}
	options.Step("plan")
	files, current := memory.UpToDate(), map[string]bool{}
	for _, name := range files {
		current[name] = true
	}
	for name := range r.Output.Artifacts.Files() {
		files = append(files, name)
	}
	all := slices.Concat(diags, memory.Warnings(), checkPackage(r.Root, r.Settings, files))
	result := newResult(r.Root, r.Output.Artifacts, all, artifact.PlanOptions{
		Candidates:  r.Generated,
		YAMLFolders: r.Settings.OutputFolders(),
		InScope:     r.Covers,
		Current:     current,
	})
	if result.plan != nil {
		result.definitions = r.Output.Definitions
		result.remember = memory.Record(r, diags)
	}
	return result, nil
}

// Remember records what was done, in [Options.CacheDir], so that a run has nothing to do
// while nothing changes.
func (r Result) Remember() {
	if r.remember != nil {
		r.remember()
	}
}

// mrgen returns the engine with all stages.
func mrgen() engine.Engine { return engine.Engine{Stages: stages} }

// evaluate loads the packages that the options select and runs all stages. The
// run is of no use if there is an error among the diagnostics.
func evaluate(ctx context.Context, options Options) (engine.Run, diag.List, error) {
	return mrgen().Evaluate(ctx, options, engine.Selection{})
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

// checkPackage returns warnings about the Crossplane package around the output.
func checkPackage(root string, settings pipeline.Options, files []string) diag.List {
	return providerpackage.Check(root, providerpackage.Output{CRDDir: settings.CRDDir, MRDDir: settings.MRDDir, Files: files})
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

// Package generator generates everything that Kubernetes and Crossplane need from the Go API types
// of a Crossplane provider.
//
// [Generate] and the fixes read source, and return a [Result] in memory. [Result.Apply] writes the
// files, and [Result.Remember] records the run for the next one.
package generator

import (
	"context"
	"errors"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/external/providerpackage"
	"github.com/mrgen-io/mrgen/generator/internal/incremental"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
	"github.com/mrgen-io/mrgen/generator/internal/stages/custom"
	"github.com/mrgen-io/mrgen/generator/internal/stages/deepcopy"
	"github.com/mrgen-io/mrgen/generator/internal/versions"
	"github.com/mrgen-io/mrgen/generator/run"
)

// IsGenerated reports whether a Go file says that a generator wrote it.
func IsGenerated(content []byte) bool { return artifact.IsGenerated(content) }

// IsOwn reports whether the header of a file says that mrgen wrote it.
func IsOwn(content []byte) bool { return artifact.Owned(content) }

// A Change is a file that differs between a result and the disk.
type Change struct {
	// Path is slash-separated and relative to the module root.
	Path   string
	Action Action
	// Old is the content on disk, nil if there is no such file.
	Old []byte
	// New is the content to write, nil if the file is to be deleted.
	New []byte
}

// An Action is what a change does with its file.
type Action = artifact.Action

// The actions.
const (
	Create = artifact.Create
	Update = artifact.Update
	Delete = artifact.Delete
)

// Diff returns changes as a unified diff that git apply accepts.
func Diff(changes []Change) []byte {
	return artifact.Diff(each(changes, func(c Change) artifact.Change { return artifact.Change(c) }))
}

// A Result has the changes of a run.
type Result struct {
	// Diagnostics, sorted and without duplicates. If any is an error, there are no changes.
	Diagnostics diag.List

	plan        *artifact.Plan
	definitions []pipeline.Definition
	remember    func()
	// others is set if files of earlier runs are up to date.
	others bool
}

// FindModule returns the root folder of the Go module that dir is in, with symbolic links resolved,
// or diagnostics if there is none.
func FindModule(dir string) (string, diag.List) {
	return scope.FindRoot(dir)
}

// Generate runs all stages on the selected packages, and compares their output with the disk. It
// writes nothing. Mistakes of the user are in the diagnostics; an error is a bug in mrgen or a
// cancelled context.
func Generate(ctx context.Context, options run.Options) (Result, error) {
	options.Step("compare")
	memory := incremental.Open(ctx, mrgen(options), options)
	if memory.IsUpToDate() {
		if !options.RemoveMoved || len(movedDocuments(memory.Root, memory.Settings)) == 0 {
			return upToDate(memory), nil
		}
		memory.EvaluateAll()
	}
	return generate(ctx, options, memory, false)
}

// upToDate returns the result of a run that has nothing to do.
func upToDate(memory *incremental.Memory) Result {
	diags := append(memory.Warnings(), checkPackage(memory.Root, memory.Settings, memory.UpToDate())...)
	return Result{Diagnostics: diags.Sorted(), plan: &artifact.Plan{Root: memory.Root}}
}

// generate does what is left to do since earlier runs. It reports versions that would be removed from
// definitions, unless they may be.
func generate(ctx context.Context, options run.Options, memory *incremental.Memory, mayRemove bool) (Result, error) {
	r, diags, err := memory.Evaluate(ctx)
	if err != nil || diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, err
	}
	options.Step("plan")
	folders, problems, err := addPages(r)
	if err != nil {
		return Result{}, err
	}
	diags = append(diags, problems...)
	files, current := memory.UpToDate(), map[string]bool{}
	for _, name := range files {
		current[name] = true
	}
	for name := range r.Output.Artifacts.Files() {
		files = append(files, name)
	}
	var moved []string
	if options.RemoveMoved {
		moved = movedDocuments(r.Root, r.Settings)
	}
	all := slices.Concat(diags, memory.Warnings(), checkPackage(r.Root, r.Settings, files))
	result := newResult(r.Root, r.Output.Artifacts, all, artifact.PlanOptions{
		Candidates:      append(memory.Former(), r.Generated...),
		DocumentFolders: folders,
		InScope:         r.Covers,
		Moved:           moved,
		Current:         current,
	})
	if problems := removedVersions(result.Changes(), r.Settings); !mayRemove && problems.HasErrors() {
		return Result{Diagnostics: append(problems, result.Diagnostics...).Sorted()}, nil
	}
	if result.plan != nil {
		result.definitions, result.others = r.Output.Definitions, len(memory.UpToDate()) > 0
		result.remember = memory.Record(r, diags)
	}
	return result, nil
}

// removedVersions reports versions that would be removed from definitions on disk though objects
// may be stored in them.
func removedVersions(changes []Change, settings pipeline.Options) diag.List {
	var diags diag.List
	reported := map[string]bool{} // by the name of the file, which the MRD of a kind shares with its CRD
	for _, change := range changes {
		folder, name := path.Split(change.Path)
		if change.Action != Update || reported[name] || !slices.Contains(settings.OutputFolders(), path.Clean(folder)) {
			continue
		}
		problems := versions.Removed(change.Path, change.Old, change.New)
		diags, reported[name] = append(diags, problems...), len(problems) > 0
	}
	return diags
}

// Remember records the run in [run.Options.CacheDir]. The next run skips what has not changed.
func (r Result) Remember() {
	if r.remember != nil {
		r.remember()
	}
}

// mrgen returns the engine with the stages that the options ask for.
func mrgen(options run.Options) engine.Engine {
	all := append(slices.Clone(stages), custom.Stages(options.Stages)...)
	return engine.Engine{Stages: slices.DeleteFunc(all, func(s pipeline.Stage) bool { return options.NoDeepCopies && s.Name == deepcopy.Stage.Name })}
}

// evaluate loads the selected packages and runs all stages. If a diagnostic is an error, the run is
// incomplete.
func evaluate(ctx context.Context, options run.Options) (engine.Run, diag.List, error) {
	options.CacheDir = "" // nothing may be left out
	return incremental.Open(ctx, mrgen(options), options).Evaluate(ctx)
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
	return providerpackage.Check(root, providerpackage.Output{CRDDir: settings.CRDDir, MRDDir: settings.MRDDir, ManagedCRDs: settings.ManagedCRDs, Files: files})
}

// Changes returns the files that differ from the disk, sorted by path.
func (r Result) Changes() []Change {
	if r.plan == nil {
		return nil
	}
	changes := each(r.plan.Changes, func(c artifact.Change) Change { return Change(c) })
	return slices.DeleteFunc(changes, func(c Change) bool { return c.Action == artifact.Unchanged })
}

// IsFirst reports whether no file that the result has existed before.
func (r Result) IsFirst() bool {
	return r.plan != nil && !r.others && len(r.plan.Changes) > 0 &&
		!slices.ContainsFunc(r.plan.Changes, func(c artifact.Change) bool { return c.Action != artifact.Create })
}

// Apply writes the changes. It replaces files atomically, and deletes files last. Problems with the
// disk are in the diagnostics; an error means that the context is done, or that the result has errors.
func (r Result) Apply(ctx context.Context) (diag.List, error) {
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

// each returns what a function makes of the elements of a list, and nil for none.
func each[T, U any](list []T, of func(T) U) []U {
	var all []U
	for _, element := range list {
		all = append(all, of(element))
	}
	return all
}

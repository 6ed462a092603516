// Package generator generates everything that Kubernetes and Crossplane need from the Go API types
// of a Crossplane provider.
//
// [Generate] reads source, and returns a [Result] in memory. [Result.Apply] writes the
// files, and [Result.Remember] records the run for the next one.
package generator

import (
	"context"
	"errors"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/command"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/run"
)

// IsGenerated reports whether a Go file says that a generator wrote it.
func IsGenerated(content []byte) bool { return artifact.IsGenerated(content) }

// IsOwn reports whether the header of a file says that mrgen wrote it.
func IsOwn(content []byte) bool { return artifact.Owned(content) }

// Diff returns changes as a unified diff that git apply accepts.
func Diff(changes []run.Change) []byte { return artifact.Diff(changes) }

// A Result holds the changes of a run.
type Result struct {
	// Diagnostics, sorted and without duplicates. If any is an error, there are no changes.
	Diagnostics diag.List
	// Root is the folder of the module. It is empty if there are errors.
	Root string
	// Rules are the rules of the managed kinds, for [GenerateAll].
	Rules []KindReport

	plan   *run.Plan
	record func()
}

// NewResult returns the result of a run with a plan, which is nil if a diagnostic is an error. If it is not nil, the
// function records the run.
func NewResult(diags diag.List, plan *run.Plan, record func()) Result {
	result := Result{Diagnostics: diags, plan: plan, record: record}
	if plan != nil {
		result.Root = plan.Root
	}
	return result
}

// FindModule returns the root folder of the Go module that dir is in, with symbolic links resolved,
// or diagnostics outside of a module.
func FindModule(dir string) (string, diag.List) { return modules.FindRoot(dir) }

// Generate runs all stages on the selected packages, and compares their output with the disk. It
// writes nothing. Mistakes of the user are in the diagnostics; an error is a bug in mrgen or a
// cancelled context.
func Generate(ctx context.Context, options run.Options) (Result, error) {
	made, err := command.GenerateStale(ctx, options)
	return NewResult(made.Public()), err
}

// GenerateAll is [Generate], whatever has changed since earlier runs, and reports the rules, which compiles them again:
// about a millisecond each. The run is not remembered.
func GenerateAll(ctx context.Context, options run.Options) (Result, error) {
	made, err := command.GenerateAll(ctx, options)
	result := NewResult(made.Public())
	if err == nil {
		result.Rules = reportRules(made.Definitions)
	}
	return result, err
}

// Remember records the run in [run.Options.CacheDir]. The next run skips unchanged work.
func (r Result) Remember() {
	if r.record != nil {
		r.record()
	}
}

// Changes returns the files that differ from the disk, sorted by path.
func (r Result) Changes() []run.Change { return r.plan.Changed() }

// Files returns the number of files that the run has, changed or not.
func (r Result) Files() int {
	if r.plan == nil {
		return 0
	}
	return len(r.plan.Changes)
}

// IsFirst reports whether no file that the result has existed before.
func (r Result) IsFirst() bool {
	return r.plan != nil && len(r.plan.Changes) > 0 &&
		!slices.ContainsFunc(r.plan.Changes, func(c run.Change) bool { return c.Action != run.Create })
}

// Apply writes the changes. It replaces files atomically, and deletes files last. Problems with the
// disk are in the diagnostics; an error means that the context is done, or that the result has errors.
func (r Result) Apply(ctx context.Context) (diag.List, error) {
	if r.plan == nil {
		return nil, errors.New("the result has errors")
	}
	diags, err := (&artifact.Plan{Plan: *r.plan}).Apply(ctx)
	return diags.Sorted(), err
}

// Diff returns the changes as a unified diff that git apply accepts.
func (r Result) Diff() []byte {
	if r.plan == nil {
		return nil
	}
	return artifact.Diff(r.plan.Changes)
}

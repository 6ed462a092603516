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

// A Result has the changes of a run.
type Result struct {
	// Diagnostics, sorted and without duplicates. If any is an error, there are no changes.
	Diagnostics diag.List
	// Root is the folder of the module. It is empty if there are errors.
	Root string

	made command.Result
}

// NewResult returns a result for the packages beside this one.
func NewResult(made command.Result) Result {
	result := Result{Diagnostics: made.Diagnostics, made: made}
	if made.Plan != nil {
		result.Root = made.Plan.Root
	}
	return result
}

// FindModule returns the root folder of the Go module that dir is in, with symbolic links resolved,
// or diagnostics if there is none.
func FindModule(dir string) (string, diag.List) { return modules.FindRoot(dir) }

// Generate runs all stages on the selected packages, and compares their output with the disk. It
// writes nothing. Mistakes of the user are in the diagnostics; an error is a bug in mrgen or a
// cancelled context.
func Generate(ctx context.Context, options run.Options) (Result, error) {
	made, err := command.GenerateStale(ctx, options)
	return NewResult(made), err
}

// GenerateAll is [Generate], whatever has changed since earlier runs. The definitions of all kinds stay in memory,
// for [Result.Rules] and other reports. The run is not remembered.
func GenerateAll(ctx context.Context, options run.Options) (Result, error) {
	made, err := command.GenerateAll(ctx, options)
	return NewResult(made), err
}

// Remember records the run in [run.Options.CacheDir]. The next run skips what has not changed.
func (r Result) Remember() {
	if r.made.Record != nil {
		r.made.Record()
	}
}

// Changes returns the files that differ from the disk, sorted by path.
func (r Result) Changes() []run.Change { return r.made.Plan.Changed() }

// IsFirst reports whether no file that the result has existed before.
func (r Result) IsFirst() bool {
	return r.made.Plan != nil && len(r.made.Plan.Changes) > 0 &&
		!slices.ContainsFunc(r.made.Plan.Changes, func(c run.Change) bool { return c.Action != run.Create })
}

// Apply writes the changes. It replaces files atomically, and deletes files last. Problems with the
// disk are in the diagnostics; an error means that the context is done, or that the result has errors.
func (r Result) Apply(ctx context.Context) (diag.List, error) {
	if r.made.Plan == nil {
		return nil, errors.New("the result has errors")
	}
	diags, err := r.made.Plan.Apply(ctx)
	return diags.Sorted(), err
}

// Diff returns the changes as a unified diff that git apply accepts.
func (r Result) Diff() []byte {
	if r.made.Plan == nil {
		return nil
	}
	return r.made.Plan.Diff()
}

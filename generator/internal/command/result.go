package command

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/run"
)

// A Result is the output of a command.
type Result struct {
	// Diagnostics, sorted and without duplicates. If any is an error, there is no plan.
	Diagnostics diag.List
	Plan        *artifact.Plan
	// Definitions are the definitions that [stage.Report] has kept.
	Definitions []stage.Definition
	// Record records the run for the next one. It may be nil.
	Record func()
}

// Public returns the arguments of generator.NewResult.
func (r Result) Public() (diag.List, *run.Plan, func()) {
	if r.Plan == nil {
		return r.Diagnostics, nil, nil
	}
	return r.Diagnostics, &r.Plan.Plan, r.Record
}

// NewResult compares files with the disk.
func NewResult(root string, files *artifact.Set, diags diag.List, options artifact.PlanOptions) Result {
	plan, planDiags := artifact.NewPlan(root, files, options)
	diags = append(diags, planDiags...)
	if diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}
	}
	return Result{Diagnostics: diags.Sorted(), Plan: plan}
}

// PlanFiles compares files with the disk. Only the named files may be stale.
func PlanFiles(root string, files map[string][]byte, stale ...string) (*artifact.Plan, diag.List, error) {
	var set artifact.Set
	for name, content := range files {
		if err := set.Add(name, content); err != nil {
			return nil, nil, err
		}
	}
	plan, diags := artifact.NewPlan(root, &set, artifact.PlanOptions{
		Candidates: stale,
		Replaces:   func(name string, _ []byte) bool { return slices.Contains(stale, name) },
		InScope:    func(string) bool { return true },
	})
	return plan, diags, nil
}

// Each returns the results of a function for the elements of a list, or nil for an empty one.
func Each[T, U any](list []T, of func(T) U) []U {
	var all []U
	for _, element := range list {
		all = append(all, of(element))
	}
	return all
}

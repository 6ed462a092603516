package command

import (
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

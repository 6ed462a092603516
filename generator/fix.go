package generator

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/fix"
	"github.com/mrgen-io/mrgen/generator/internal/load"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
)

// FixReferences adds to the author's source the fields that reference markers need
// beside the values of references. Of the options it heeds Dir and Packages. The
// result is as that of [Generate].
func FixReferences(ctx context.Context, options Options) (Result, error) {
	return applyFix(ctx, options, fix.References)
}

// applyFix has a fix edit the source of the packages that the options select, as the
// stages would see it, and compares the edited files with the disk.
func applyFix(ctx context.Context, options Options, edit func(fix.Source) (*artifact.Set, diag.List, error)) (Result, error) {
	root, diags := load.FindRoot(options.Dir)
	if diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, nil
	}
	source, loadDiags, err := loadSource(ctx, root, options.Packages, nil)
	diags = append(diags, loadDiags...)
	if err != nil || diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, err
	}
	output, stageDiags, err := pipeline.Run(ctx, source, pipeline.Options{}, pipeline.Declaring(stages))
	diags = append(diags, stageDiags...)
	if err != nil || diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, err
	}
	edited, fixDiags, err := edit(fix.Source{Root: root, Model: source.Model, Generated: output.Artifacts.Has})
	diags = append(diags, fixDiags...)
	if err != nil || diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, err
	}
	return newResult(root, edited, diags, artifact.PlanOptions{InScope: source.Covers}), nil
}

package command

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stages/crd"
	"github.com/mrgen-io/mrgen/generator/run"
)

// Load loads the packages that the options select. The source may be nil if there are errors.
func Load(ctx context.Context, options run.Options) (source *apitypes.Source, root string, diags diag.List, err error) {
	options.CacheDir = "" // nothing is remembered
	in := Runner(options).Open(options)
	source, diags = in.Load(ctx)
	return source, in.Root, diags, ctx.Err()
}

// Declare runs the stages that declare types, which then become part of the source.
func Declare(ctx context.Context, source *apitypes.Source) (stage.Output, diag.List, error) {
	return stage.Run(ctx, source, stage.Options{}, stage.Declaring(Stages))
}

// Define returns the definitions of the kinds after a fix has changed the model, or errors.
func Define(ctx context.Context, loaded *apitypes.Source, root string, options run.Options) ([]stage.Definition, diag.List, error) {
	output, diags, err := define(ctx, loaded, root, options)
	return output.Definitions(), diags, err
}

// DefineSome returns the definitions that can be made despite errors.
func DefineSome(ctx context.Context, loaded *apitypes.Source, root string, options run.Options) (stage.Incomplete, diag.List, error) {
	output, diags, err := define(ctx, loaded, root, options)
	if diags.HasErrors() {
		output.Incomplete.Made.Sort()
		return output.Incomplete, diags, err
	}
	return stage.Incomplete{Made: output.Definitions()}, diags, err
}

func define(ctx context.Context, loaded *apitypes.Source, root string, options run.Options) (stage.Output, diag.List, error) {
	settings, diags := Runner(options).Settings(root, options, nil)
	if diags.HasErrors() {
		return stage.Output{}, diags, nil
	}
	settings.OnStep = nil // the caller is in a step of its own
	output, diags, err := stage.Run(ctx, loaded, settings, []stage.Stage{crd.Stage, stage.Report})
	return output, diags.Errors(), err // generate reports warnings
}

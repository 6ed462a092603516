// Package inspection loads and defines an API for commands that judge or edit it, and compares the files that they make
// with the disk. It generates nothing and remembers nothing.
package inspection

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/command"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
	"github.com/mrgen-io/mrgen/generator/internal/stages/crd"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/markers"
)

// Load loads the packages that the options select. The source may be nil if there are errors.
func Load(ctx context.Context, options run.Options) (source *apitypes.Source, root string, diags diag.List, err error) {
	options.CacheDir = "" // nothing is remembered
	in := command.Runner(options).Open(options)
	source, diags = in.Load(ctx)
	return source, in.Root, diags, ctx.Err()
}

// Declare runs the stages that declare types, which then become part of the source.
func Declare(ctx context.Context, source *apitypes.Source) (stage.Output, diag.List, error) {
	return stage.Run(ctx, source, stage.Options{}, stage.Declaring(command.Stages))
}

// Define returns the definitions of the kinds after a fix has changed the model, or errors.
func Define(ctx context.Context, loaded *apitypes.Source, root string, options run.Options) ([]stage.Definition, diag.List, error) {
	output, diags, err := define(ctx, loaded, root, options)
	return output.Definitions(), diags, err
}

// Incomplete returns the warning that a kind isn't checked because it has errors.
func Incomplete(at diag.Position, kind string) diag.Diagnostic {
	return diag.Warningf(at, "incomplete", "%s can't be checked until its errors are gone: correct them", kind)
}

// LoadSome returns the root of the module, and the definitions that can be made despite errors. Warnings name the other
// kinds.
func LoadSome(ctx context.Context, options run.Options) (root string, some stage.Incomplete, diags diag.List, err error) {
	source, root, diags, err := Load(ctx, options)
	if err != nil || source == nil || source.Model == nil {
		return root, some, diags, err
	}
	var unread []string
	for _, d := range diags.Errors() {
		unread = append(unread, path.Dir(d.Pos.File))
	}
	_, stageDiags, err := Declare(ctx, source)
	if err != nil {
		return root, some, diags, err
	}
	stageDiags = stageDiags.Errors() // generate warns
	diags = append(diags.Errors(), stage.Others(diags, stageDiags)...)
	hasErrors := map[string]bool{}
	for _, d := range diags {
		hasErrors[d.Pos.File] = true
	}
	output, defineDiags, err := define(ctx, source, root, options)
	if some.Made = output.Definitions(); defineDiags.HasErrors() {
		some = output.Incomplete
		some.Made.Sort()
	}
	some.Made = slices.DeleteFunc(some.Made, func(d stage.Definition) bool { // findings in it may be due to the errors
		i := slices.IndexFunc(d.Objects, func(o *model.Object) bool { return hasErrors[o.Pos.File] })
		if i >= 0 {
			some.Missing = append(some.Missing, d.Objects[i])
		}
		return i >= 0
	})
	if !source.TypesMissing { // or the stage that declares them reports it
		diags = append(diags, stage.Others(diags, defineDiags)...)
	}
	isOurs := func(d diag.Diagnostic) bool { return source.Program.Added[d.Pos.File] }
	if own := slices.DeleteFunc(slices.Clone(diags), isOurs); len(own) > 0 { // which cause the errors in other files
		diags = own
	}
	if diags.HasErrors() { // copies aren't checked beside errors in their source
		for name := range source.Program.Scope.Options.Copies {
			unread = append(unread, path.Dir(name))
		}
	}
	some.Unread = unread
	for _, o := range some.Missing {
		diags = append(diags, Incomplete(o.Pos, o.Name))
	}
	return root, some, diags, err
}

func define(ctx context.Context, loaded *apitypes.Source, root string, options run.Options) (stage.Output, diag.List, error) {
	settings, diags := command.Runner(options).Settings(root, options, nil)
	if diags.HasErrors() {
		return stage.Output{}, diags, nil
	}
	settings.OnStep = nil // the caller is in a step of its own
	output, diags, err := stage.Run(ctx, loaded, settings, []stage.Stage{crd.Stage, stage.Report})
	return output, diags.Errors(), err // generate reports warnings
}

// Evaluate loads the selected packages and runs all stages, and additional ones that write no files. If a diagnostic is
// an error, the run is incomplete.
func Evaluate(ctx context.Context, options run.Options, more ...stage.Stage) (stagerunner.Run, diag.List, error) {
	options.CacheDir = "" // nothing is remembered
	return command.Runner(options, more...).Open(options).Evaluate(ctx)
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

// UnknownKind returns a message that a kind is not among the kinds.
func UnknownKind(name string, kinds []string) string {
	if near, found := markers.Nearest(name, kinds); found {
		return fmt.Sprintf("there is no kind %s in these packages: did you mean %s?", name, near)
	}
	return fmt.Sprintf("there is no kind %s in these packages: there are %s", name, strings.Join(kinds, ", "))
}

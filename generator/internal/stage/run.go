// Package stage runs stages over a loaded source, one after the other, and collects their output.
//
// The design follows golang.org/x/tools/go/analysis: a stage is data with a Run
// function, documented and validated, and knows nothing of other stages.
package stage

import (
	"context"
	"fmt"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
)

// Output is the output of the stages of a run.
type Output struct {
	// Artifacts are the files.
	Artifacts *artifact.Set
	// Imports are the imports of packages, including imports of generated code if no resolver looked up a kind.
	Imports importgraph.Graph
	// Packages is the number of API packages.
	Packages int

	// Incomplete holds the definitions of a run with errors.
	Incomplete Incomplete

	// reported are the definitions that [Report] has kept.
	reported Definitions
}

// NewOutput returns empty output, for [Output.Add].
func NewOutput() Output { return Output{Artifacts: &artifact.Set{}, Imports: importgraph.Graph{}} }

// Add adds the output of a unit. The order of units makes no difference.
func (o *Output) Add(unit Output) error {
	if err := o.Artifacts.Merge(unit.Artifacts); err != nil { // each unit has the registry, and may need the same helpers
		return err
	}
	o.Imports.Merge(unit.Imports)
	o.Packages += unit.Packages
	o.reported = append(o.reported, unit.reported...)
	return nil
}

// Run runs the stages in order. A stage doesn't run if an earlier one has failed to make its input. The other stages
// run, so that all errors show at once; the output is then incomplete.
func Run(ctx context.Context, source *apitypes.Source, options Options, stages []Stage) (Output, diag.List, error) {
	pass := &Pass{Source: source, Model: source.Model, Options: options, artifacts: &artifact.Set{}}
	var diags diag.List
	for _, s := range stages {
		if err := ctx.Err(); err != nil {
			return Output{}, nil, err
		}
		if s.ReadsDefinitions && pass.Definitions == nil { // the stage that makes them has failed
			continue
		}
		end := options.Begin(s.Name)
		pass.stage, pass.diags = s, nil
		err := s.Run(ctx, pass)
		end()
		if err != nil {
			return Output{}, append(diags, pass.diags...), fmt.Errorf("stage %s: %w", s.Name, err)
		}
		if s.Declares != nil {
			if problems := source.AddFiles(pass.declaredBy(s)); !pass.Failed() { // otherwise they follow from the stage's errors
				pass.Report(problems...)
			}
			pass.Model = source.Model
		}
		diags = append(diags, Others(diags, pass.diags)...)
		if pass.Failed() && s.Declares != nil { // later stages would report the missing types again
			break
		}
	}
	output := Output{Artifacts: pass.artifacts, Imports: pass.Imports, Packages: len(source.Model.Packages), Incomplete: pass.Incomplete, reported: pass.reported}
	return output, causes(diags, pass.artifacts), nil
}

// Others returns the diagnostics of a stage without errors in lines that have an error of an earlier stage.
// Two errors in a line most likely have the same cause.
func Others(earlier, diags diag.List) diag.List {
	lineOf := func(d diag.Diagnostic) diag.Position { return diag.Position{File: d.Pos.File, Line: d.Pos.Line} }
	known := map[diag.Position]bool{}
	for _, d := range earlier {
		known[lineOf(d)] = known[lineOf(d)] || d.Severity == diag.Error && d.Pos.Line > 0
	}
	return slices.DeleteFunc(slices.Clone(diags), func(d diag.Diagnostic) bool {
		return d.Severity == diag.Error && known[lineOf(d)]
	})
}

// causes returns the diagnostics without errors in generated files if there are others.
func causes(diags diag.List, generated *artifact.Set) diag.List {
	isOurs := func(d diag.Diagnostic) bool {
		return d.Severity == diag.Error && generated.Has(d.Pos.File)
	}
	if !slices.ContainsFunc(diags, isOurs) {
		return diags
	}
	// Errors in the author's files cause the ones in generated files.
	if slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error && !isOurs(d) }) {
		return slices.DeleteFunc(slices.Clone(diags), isOurs)
	}
	// Otherwise they are bugs in mrgen.
	all := slices.Clone(diags)
	for i, d := range all {
		if isOurs(d) {
			all[i].Message = diag.Internal("the generated source is wrong: " + d.Message)
		}
	}
	return all
}

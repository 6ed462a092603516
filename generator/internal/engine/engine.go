// Package engine resolves the options of a run, runs the stages on loaded source, and collects the
// artifacts. It doesn't know of earlier runs.
package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/sdk"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/run"
)

// An Engine runs stages.
type Engine struct {
	// Stages are those to run, in their order.
	Stages []pipeline.Stage
}

// A Run is the result of running the stages on the packages that options select.
type Run struct {
	// Root is the folder of the module, and Settings are the resolved options.
	Root     string
	Settings pipeline.Options
	// Generated are the files that the run replaces or that an earlier run wrote. Covers
	// reports whether the patterns cover a folder.
	Generated []string
	Covers    func(dir string) bool
	// Read are the packages that the run has read, and Needed those of other modules that it needed
	// besides those that its packages import.
	Read   load.Dependencies
	Needed []string
	Output pipeline.Output
	// Mappings say which fields of kinds go to an SDK, and come from it.
	Mappings []sdk.Mapping
	// SDK has the structs that they are converted to and from.
	SDK []sdk.Struct
}

// NewChecker returns a checker for what the stages write.
func NewChecker(options run.Options) *compile.Checker {
	return &compile.Checker{Author: options.TypeCheck, NoDeepCopies: options.NoDeepCopies}
}

// Evaluate runs all stages on the packages of a unit of a run. It checks that their Go code compiles, either
// where it changes or everywhere. It may be called for several units at a time, each with a checker of its own.
func (e Engine) Evaluate(ctx context.Context, r *Run, unit string, source *apitypes.Source, checker *compile.Checker) (pipeline.Output, diag.List, error) {
	settings := r.Settings
	settings.Unit = unit
	output, diags, err := pipeline.Run(ctx, source, settings, e.Stages)
	if err != nil || diags.HasErrors() {
		return pipeline.Output{}, diags, err
	}
	end := settings.Begin("compile", unit)
	files := maps.Collect(output.Artifacts.Files())
	typeChecked := func(string) bool { return true }
	if !settings.TypeCheck {
		changed := changedFolders(source.Program.Scope, files)
		typeChecked = func(dir string) bool { return changed[dir] }
	}
	problems, err := checker.Check(ctx, source.Program, files, typeChecked)
	end()
	if diags = append(diags, problems...); err != nil || diags.HasErrors() {
		return pipeline.Output{}, diags, err
	}
	output.Declared = map[string]string{}
	for _, p := range source.Model.Packages {
		output.Declared[p.Dir] = readlog.Hash(fmt.Append(nil, p.Declarations(), output.Imports.GeneratedImports(p.Path)))
	}
	return output, diags, nil
}

// AddRead adds what was read of some packages, and what they needed besides those that they import.
func (r *Run) AddRead(read load.Dependencies, needed []string) {
	r.Read.Add(read)
	r.Needed = append(r.Needed, needed...)
	slices.Sort(r.Needed)
	r.Needed = slices.Compact(r.Needed)
}

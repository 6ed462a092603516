// Package engine resolves the options of a run, runs the stages on loaded source, and collects the
// artifacts. It doesn't know of earlier runs.
package engine

import (
	"context"
	"fmt"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/report/docs"
	"github.com/mrgen-io/mrgen/generator/internal/sdk"
	"github.com/mrgen-io/mrgen/generator/internal/source/build"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/readset"
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
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
	// Declared are hashes of what the output for other packages may depend on, by folder:
	// declarations that markers elsewhere may name, and what generated code imports.
	Declared map[string]string
	// Read are the packages that the run has read, and Needed those of other modules that it needed
	// besides those that its packages import.
	Read   load.Dependencies
	Needed []string
	Output pipeline.Output
	// Mappings say which fields of kinds go to an SDK, and come from it.
	Mappings []sdk.Mapping
	// SDK has the structs that they are converted to and from.
	SDK []sdk.Struct
	// Kinds is what reference pages say, if the options have a folder for them.
	Kinds []*docs.Kind

	// keepsDefinitions is set if reports need the definitions.
	keepsDefinitions bool
}

// NewRun returns an empty run over what a scope covers, for [Engine.Add].
func NewRun(sc *scope.Scope, settings pipeline.Options, options run.Options) Run {
	settings.OnStage = options.Step
	return Run{Root: sc.Root(), Settings: settings, Generated: sc.Generated, Covers: sc.Covers, keepsDefinitions: options.KeepSchemas, Declared: map[string]string{}, Output: pipeline.Output{Artifacts: &artifact.Set{}, Shared: map[string][]string{}, Imports: importgraph.Graph{}}}
}

// Add runs all stages on all packages of the run or on a part of them. It checks that their Go
// code compiles, either where it changes or everywhere.
func (e Engine) Add(ctx context.Context, r *Run, source *build.Source, checker *compile.Checker, typeCheckAll bool) (diag.List, error) {
	output, diags, err := e.checkedOutput(ctx, source, r.Settings, checker, typeCheckAll)
	if err != nil || diags.HasErrors() {
		return diags, err
	}
	if err := r.Output.Artifacts.Merge(output.Artifacts); err != nil { // each part has the registry, and may need the same helpers
		return diags, err
	}
	for name, folders := range output.Shared {
		r.Output.Shared[name] = append(r.Output.Shared[name], folders...)
	}
	r.Output.Imports.Merge(output.Imports)
	if r.keepsDefinitions {
		r.Output.Definitions = append(r.Output.Definitions, output.Definitions...)
	}
	if r.Settings.DocsDir != "" {
		kinds, err := docs.Describe(ctx, output.Definitions)
		if err != nil {
			return diags, err
		}
		r.Kinds = append(r.Kinds, kinds...)
	}
	r.Read, r.Needed = source.Program.Dependencies(), source.Program.Needed()
	for _, p := range source.Model.Packages {
		r.Declared[p.Dir] = readset.Hash(fmt.Append(nil, p.Declarations(), r.Output.Imports.GeneratedImports(p.Path)))
	}
	return diags, nil
}

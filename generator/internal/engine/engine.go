// Package engine evaluates a selection of packages: it loads their source, builds the model, runs
// the stages, and collects the artifacts. It doesn't know of earlier runs.
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
	"github.com/mrgen-io/mrgen/generator/internal/source/inputs"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
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

// A Selection says how to evaluate the packages that options select.
type Selection struct {
	// Part is set if they are only a part of the packages that the user selected, and nothing
	// has changed for the others. Then Cyclic are the packages of the run that import each other.
	Part   bool
	Cyclic map[string]string
	// Expected are packages as in [build.Options].
	Expected []string
	// Inputs logs what is read. It may be nil.
	Inputs *inputs.Log
	// Copies returns what [Engine.Copies] does. It may be nil.
	Copies func() (map[string]*scope.Copy, diag.List)
	// List returns a listing of the packages from which nothing has been loaded. It may be nil.
	List func() (*build.Sources, diag.List)
}

// Evaluate loads the packages that the options select and runs all stages. The run is invalid if
// the diagnostics include an error. The returned error is a bug in mrgen or a cancelled context.
func (e Engine) Evaluate(ctx context.Context, options Options, how Selection) (Run, diag.List, error) {
	root, diags := scope.FindRoot(options.Dir)
	if diags.HasErrors() {
		return Run{}, diags, nil
	}
	settings, diags := e.Settings(root, options)
	options.Step("load") // also if the settings are wrong: the source may be, too
	list := how.List
	if list == nil {
		list = func() (*build.Sources, diag.List) {
			makeCopies := how.Copies
			if makeCopies == nil {
				makeCopies = func() (map[string]*scope.Copy, diag.List) { return e.Copies(root, options, nil) }
			}
			copies, copyDiags := makeCopies()
			if copyDiags.HasErrors() {
				return nil, copyDiags
			}
			sc, scopeDiags := scope.New(e.ScopeOptions(root, options, settings.Registry, copies))
			scopeDiags = append(copyDiags, scopeDiags...)
			if scopeDiags.HasErrors() {
				return nil, scopeDiags
			}
			selected := e.BuildOptions(options)
			selected.Part, selected.Cyclic, selected.Expected, selected.Inputs = how.Part, how.Cyclic, how.Expected, how.Inputs
			sources, listDiags := build.List(ctx, sc, selected)
			return sources, append(scopeDiags, listDiags...)
		}
	}
	sources, listDiags := list()
	diags = append(diags, listDiags...)
	if err := ctx.Err(); err != nil || listDiags.HasErrors() {
		return Run{}, diags, err
	}
	source, loadDiags := sources.All(ctx)
	diags = append(diags, loadDiags...)
	if err := ctx.Err(); err != nil || diags.HasErrors() {
		return Run{}, diags, err
	}
	all := NewRun(root, settings, options)
	problems, err := e.Add(ctx, &all, source, &compile.Checker{Author: options.TypeCheck, NoDeepCopies: options.NoDeepCopies}, options.TypeCheck)
	diags = append(diags, problems...)
	if err == nil && !diags.HasErrors() {
		problems, err = e.Complete(ctx, &all, source.Program.Scope, options, how.Inputs)
		diags = append(diags, problems...)
	}
	return all, diags, err
}

// NewRun returns an empty run for [Engine.Add].
func NewRun(root string, settings pipeline.Options, options Options) Run {
	settings.OnStage = options.Step
	return Run{Root: root, Settings: settings, keepsDefinitions: options.KeepSchemas, Declared: map[string]string{}, Output: pipeline.Output{Artifacts: &artifact.Set{}, Shared: map[string][]string{}, Imports: importgraph.Graph{}}}
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
	sc := source.Program.Scope
	r.Generated, r.Covers, r.Read, r.Needed = sc.Generated, sc.Covers, source.Program.Dependencies(), source.Program.Needed()
	for _, p := range source.Model.Packages {
		r.Declared[p.Dir] = inputs.Hash(fmt.Append(nil, p.Declarations(), r.Output.Imports.GeneratedImports(p.Path)))
	}
	return diags, nil
}

package command

import (
	"context"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/memory"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
	"github.com/mrgen-io/mrgen/generator/internal/stages/deepcopy"
	"github.com/mrgen-io/mrgen/generator/internal/versions"
	"github.com/mrgen-io/mrgen/generator/run"
)

// Runner returns the runner with the stages for the options, and more stages at the end.
func Runner(options run.Options, more ...stage.Stage) stagerunner.Runner {
	isOff := func(s stage.Stage) bool { return options.NoDeepCopies && s.Name == deepcopy.Stage.Name }
	return stagerunner.Runner{Stages: slices.DeleteFunc(slices.Concat(Stages, more), isOff)}
}

// An Input is the input of a run, with the memory of the last one, which may be nil.
type Input struct {
	*stagerunner.Input
	*memory.Memory
}

// Open resolves the options of a run that generates, and finds the record of the last one. The additional stages write
// no files.
func Open(options run.Options, more ...stage.Stage) Input {
	defer options.Begin("compare")()
	in := Runner(options, more...).Open(options)
	return Input{in, memory.Open(options, in.Scope, in.Settings.DefinitionFolders(), in.Log)}
}

// GenerateAll generates all packages. The result has the definitions of all kinds.
func GenerateAll(ctx context.Context, options run.Options) (Result, error) {
	options.CacheDir = "" // the definitions aren't remembered
	return Generate(ctx, options, Open(options, stage.Report))
}

// GenerateStale generates, unless nothing has changed since the last run.
func GenerateStale(ctx context.Context, options run.Options) (Result, error) {
	in := Open(options)
	if in.IsCurrent() {
		return UpToDate(in), nil
	}
	return Generate(ctx, options, in)
}

// UpToDate returns the result of a run that has nothing to do.
func UpToDate(in Input) Result {
	names := slices.Sorted(maps.Keys(in.Outputs()))
	plan := &artifact.Plan{Plan: run.Plan{Root: in.Root}}
	for _, name := range names {
		plan.Changes = append(plan.Changes, run.Change{Path: name, Action: run.Unchanged})
	}
	return Result{Diagnostics: in.Warnings().Sorted(), Plan: plan}
}

// Generate does all the work. It reports versions that would be removed from definitions.
func Generate(ctx context.Context, options run.Options, in Input) (Result, error) {
	r, diags, err := in.Evaluate(ctx)
	if err != nil || diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, err
	}
	defer options.Begin("plan")()
	files := maps.Collect(r.Output.Artifacts.Files())
	result := NewResult(r.Root, r.Output.Artifacts, diags, artifact.PlanOptions{
		Candidates:      r.Generated,
		DocumentFolders: r.Settings.DefinitionFolders(),
		InScope:         r.Covers,
		Reasons:         r.Reasons,

		RemoveDefinitions: options.RemoveDefinitions,
	})
	if problems := removedVersions(result.Plan.Changed(), r.Settings); problems.HasErrors() {
		return Result{Diagnostics: append(problems, result.Diagnostics...).Sorted()}, nil
	}
	if result.Plan != nil {
		result.Definitions = r.Output.Definitions()
		result.Record = in.Record(files, diags)
		result.Diagnostics = append(result.Diagnostics, left(result.Plan, r.Settings.DefinitionFolders())...).Sorted()
	}
	return result, nil
}

// left warns about definitions that a run creates, and that an earlier one wrote into a folder outside of the settings.
// It warns once, since they may be copied there for others.
func left(plan *artifact.Plan, folders []string) diag.List {
	created := map[string]string{} // paths, by name
	for _, change := range plan.Changes {
		if change.Action == run.Create && artifact.IsDocument(change.Path) {
			created[path.Base(change.Path)] = change.Path
		}
	}
	if len(created) == 0 {
		return nil
	}
	var diags diag.List
	reported := map[string]bool{}
	for _, name := range modules.Files(plan.Root, func(name string) bool { return created[name] != "" }) {
		folder := path.Dir(name)
		content, err := os.ReadFile(filepath.Join(plan.Root, filepath.FromSlash(name)))
		if err == nil && artifact.Owned(content) && !slices.Contains(folders, folder) && !reported[folder] {
			reported[folder] = true
			diags = append(diags, diag.Warningf(diag.Position{File: folder}, artifact.CodeStale,
				"mrgen wrote %s here, and writes it to %s now: correct the folder in the settings, or delete the definitions here",
				path.Base(name), path.Dir(created[path.Base(name)])))
		}
	}
	return diags
}

// removedVersions reports versions that would be removed from definitions on disk although objects may be stored in
// them.
func removedVersions(changes []run.Change, settings stage.Options) diag.List {
	var diags diag.List
	reported := map[string]bool{} // by the name of the file, which the MRD of a kind shares with its CRD
	created := map[string][]byte{}
	for _, change := range changes {
		if change.Action == run.Create && artifact.IsDocument(change.Path) {
			created[path.Base(change.Path)] = change.New
		}
	}
	for _, change := range changes {
		folder, name := path.Split(change.Path)
		if change.Action != run.Update || reported[name] || !slices.Contains(settings.DefinitionFolders(), path.Clean(folder)) {
			// a new file removes nothing
			continue
		}
		problems := versions.Removed(change.Path, change.Old, change.New, created)
		diags, reported[name] = append(diags, problems...), len(problems) > 0
	}
	return diags
}

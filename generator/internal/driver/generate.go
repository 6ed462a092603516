package driver

import (
	"context"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/incremental"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/providerpackage"
	"github.com/mrgen-io/mrgen/generator/internal/stages/deepcopy"
	"github.com/mrgen-io/mrgen/generator/internal/versions"
	"github.com/mrgen-io/mrgen/generator/run"
)

// Engine returns the engine with the stages that the options ask for, and more.
func Engine(options run.Options, more ...pipeline.Stage) engine.Engine {
	all := slices.Concat(Stages, more)
	return engine.Engine{Stages: slices.DeleteFunc(all, func(s pipeline.Stage) bool { return options.NoDeepCopies && s.Name == deepcopy.Stage.Name })}
}

// Open compares the input of a run that generates with that of the last one. More stages write no files.
func Open(ctx context.Context, options run.Options, more ...pipeline.Stage) *incremental.Memory {
	defer options.Begin("compare", "")()
	return incremental.Open(ctx, Engine(options, more...), options)
}

// Evaluate loads the selected packages and runs all stages, and more that write no files. If a diagnostic is an
// error, the run is incomplete.
func Evaluate(ctx context.Context, options run.Options, more ...pipeline.Stage) (engine.Run, diag.List, error) {
	options.CacheDir = "" // nothing may be left out
	return incremental.Open(ctx, Engine(options, more...), options).Evaluate(ctx)
}

// GenerateAll generates all packages, and has the definitions of all kinds in the result.
func GenerateAll(ctx context.Context, options run.Options) (Result, error) {
	options.CacheDir = "" // what an earlier run remembers has no definitions
	return Generate(ctx, options, Open(ctx, options, pipeline.Report))
}

// GenerateStale generates what has changed since the last run, unless that leaves nothing to do.
func GenerateStale(ctx context.Context, options run.Options) (Result, error) {
	memory := Open(ctx, options)
	if memory.IsUpToDate() {
		if !options.RemoveMoved || len(movedDocuments(memory.Root, memory.Settings)) == 0 {
			return UpToDate(memory), nil
		}
		memory.EvaluateAll()
	}
	return Generate(ctx, options, memory)
}

// UpToDate returns the result of a run that has nothing to do.
func UpToDate(memory *incremental.Memory) Result {
	diags := append(memory.Warnings(), checkPackage(memory.Root, memory.Settings, memory.UpToDate())...)
	return Result{Diagnostics: diags.Sorted(), Plan: &artifact.Plan{Root: memory.Root}}
}

// Generate does what is left to do since earlier runs. It reports versions that would be removed from
// definitions.
func Generate(ctx context.Context, options run.Options, memory *incremental.Memory) (Result, error) {
	r, diags, err := memory.Evaluate(ctx)
	if err != nil || diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, err
	}
	defer options.Begin("plan", "")()
	files, current := memory.UpToDate(), map[string]bool{}
	for _, name := range files {
		current[name] = true
	}
	for name := range r.Output.Artifacts.Files() {
		files = append(files, name)
	}
	var moved []string
	if options.RemoveMoved {
		moved = movedDocuments(r.Root, r.Settings)
	}
	all := slices.Concat(diags, memory.Warnings(), checkPackage(r.Root, r.Settings, files))
	result := NewResult(r.Root, r.Output.Artifacts, all, artifact.PlanOptions{
		Candidates:      r.Generated,
		DocumentFolders: r.Settings.OutputFolders(),
		InScope:         r.Covers,
		Moved:           moved,
		Current:         current,
	})
	if problems := removedVersions(result.Plan.Changed(), r.Settings); problems.HasErrors() {
		return Result{Diagnostics: append(problems, result.Diagnostics...).Sorted()}, nil
	}
	if result.Plan != nil {
		result.Definitions, result.Others = r.Output.Definitions(), len(memory.UpToDate()) > 0
		result.Record = memory.Record(r, diags)
	}
	return result, nil
}

// removedVersions reports versions that would be removed from definitions on disk though objects
// may be stored in them.
func removedVersions(changes []run.Change, settings pipeline.Options) diag.List {
	var diags diag.List
	reported := map[string]bool{} // by the name of the file, which the MRD of a kind shares with its CRD
	for _, change := range changes {
		folder, name := path.Split(change.Path)
		if change.Action != run.Update || reported[name] || !slices.Contains(settings.OutputFolders(), path.Clean(folder)) {
			continue
		}
		problems := versions.Removed(change.Path, change.Old, change.New)
		diags, reported[name] = append(diags, problems...), len(problems) > 0
	}
	return diags
}

// checkPackage returns warnings about the Crossplane package around the output.
func checkPackage(root string, settings pipeline.Options, files []string) diag.List {
	return providerpackage.Check(root, providerpackage.Output{CRDDir: settings.CRDDir, MRDDir: settings.MRDDir, ManagedCRDs: settings.ManagedCRDs, Files: files})
}

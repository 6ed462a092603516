// Package adopt replaces controller-gen and angryjet in a provider.
package adopt

import (
	"cmp"
	"context"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/command"
	"github.com/mrgen-io/mrgen/generator/internal/git/ignored"
	"github.com/mrgen-io/mrgen/generator/internal/inspection"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
	"github.com/mrgen-io/mrgen/generator/internal/stages/resolvers"
	"github.com/mrgen-io/mrgen/generator/internal/versions"
	authoring "github.com/mrgen-io/mrgen/generator/internal/workshop/othertools"
	"github.com/mrgen-io/mrgen/generator/run"
)

// A Result has the changes by which mrgen replaces controller-gen and angryjet.
type Result struct {
	generator.Result
	// Own are the paths of changed files of the author: mrgen.yaml, and files with directives.
	Own map[string]bool
	// Registry is the new package in which resolvers look up kinds, if there is one. Schemes are the places
	// where the provider sets up the scheme that the registry needs.
	Registry string
	Schemes  []diag.Position
	// References is set if kinds refer to other kinds.
	References bool
	// Leftovers are lines that name the earlier tools. Needed is set if a command that stays still runs one.
	Leftovers []diag.Position
	Needed    bool
	// Repeated are the commands in Makefiles and scripts that now run mrgen. One is enough.
	Repeated []diag.Position

	plan authoring.Plan
}

// Differences returns the reasons why a file may differ from the output of controller-gen or angryjet, in the
// order of reports.
func (r Result) Differences() []string { return r.plan.Differences() }

// Reasons returns the reasons for a file's change, some of [Result.Differences].
func (r Result) Reasons(change run.Change) []string { return r.plan.Reasons(change) }

// Run replaces controller-gen and angryjet in the module around options.Dir: it turns the options of their
// commands into settings, replaces the commands by the directive, and generates. The options come from an
// existing mrgen.yaml, whose settings don't change. Run writes nothing. Mistakes of the user are in the
// diagnostics, and so is everything in committed CRDs that their types don't ask for: errors, or with acceptLoss
// warnings. An error is a bug in mrgen or a cancelled context.
func Run(ctx context.Context, options run.Options, directive string, acceptLoss bool) (Result, error) {
	root, found := generator.FindModule(options.Dir)
	if found.HasErrors() {
		return refusedAdoption(found), nil
	}
	plan, diags := authoring.Read(root, directive)
	if diags.HasErrors() {
		return refusedAdoption(diags), nil
	}
	options.Dir = root
	plan.Apply(&options)
	earlier := earlierFiles(plan.OwnFiles)
	r, problems, err := inspection.Evaluate(ctx, options, earlier)
	// Groups that refer to each other need a registry: try again with one.
	if err == nil && options.ResolverRegistry == "" && slices.ContainsFunc(problems, func(d diag.Diagnostic) bool { return d.Code == resolvers.CodeRegistry }) {
		if options.ResolverRegistry = freeRegistry(root); options.ResolverRegistry != "" {
			plan.Settings["resolvers.registry"] = options.ResolverRegistry
			r, problems, err = inspection.Evaluate(ctx, options, earlier)
		}
	}
	for _, d := range problems {
		d.Pos = cmp.Or(plan.Origins[d.Pos.File], d.Pos)
		diags = append(diags, d)
	}
	if err != nil || diags.HasErrors() {
		return refusedAdoption(diags), err
	}
	// The settings for what the earlier tools accepted, where nothing needs them.
	has := func(code diag.Code) bool {
		return slices.ContainsFunc(problems, func(d diag.Diagnostic) bool { return d.Code == code })
	}
	if !has(apitypes.CodeMisspelt) {
		delete(plan.Settings, "markers")
	}
	if !has(versions.Code) {
		delete(plan.Settings, "versions.mode")
	}
	if len(plan.CRDs) > 0 {
		for name := range r.Output.Artifacts.Files() {
			if artifact.IsDocument(name) {
				return refusedAdoption(append(diags, plan.CRDs...)), nil
			}
		}
		delete(plan.Settings, "crds.dir")
	}
	settings, problems := plan.YAML()
	if problems.HasErrors() {
		return refusedAdoption(problems), nil
	}
	plan.Files[authoring.SettingsFile] = settings
	own := map[string]bool{}
	for name, content := range plan.Files {
		own[name] = true
		if err := r.Output.Artifacts.Add(name, content); err != nil {
			return Result{}, err
		}
	}
	result := adoption(r, diags, plan)
	result.Diagnostics = append(result.Diagnostics, lostHeaders(result.Changes())...)
	result.Diagnostics = append(result.Diagnostics, ignoredFiles(ctx, root, r.Output.Artifacts)...)
	severity := diag.Error
	if acceptLoss {
		severity = diag.Warning
	}
	result.Diagnostics = append(result.Diagnostics, authoring.Losses(result.Changes(), severity)...)
	if result.Diagnostics.HasErrors() {
		return refusedAdoption(result.Diagnostics), nil
	}
	references := false
	for name := range r.Output.Artifacts.Files() {
		references = references || path.Base(name) == resolvers.File
	}
	return Result{
		Result: result, Own: own, Registry: plan.Settings["resolvers.registry"], Schemes: plan.Schemes, References: references,
		Leftovers: plan.Leftovers, Needed: plan.Needed, Repeated: plan.Repeated, plan: plan,
	}, nil
}

// earlierFiles returns a stage without output, whose files with names of angryjet's options no run reads.
func earlierFiles(names []string) stage.Stage {
	files := inspection.Each(names, func(name string) stage.GoFile { return stage.GoFile{Name: name} })
	return stage.Stage{Name: "earlier", GoFiles: files, Run: func(context.Context, *stage.Pass) error { return nil }}
}

// lostHeaders reports the first file whose licence header would go.
func lostHeaders(changes []run.Change) diag.List {
	for _, change := range changes {
		if change.Action == run.Update && authoring.LosesHeader(change.Path, change.Old, change.New) {
			return diag.List{diag.Errorf(diag.Position{File: change.Path, Line: 1}, authoring.Code,
				"the licence header would go, since no command that mrgen replaces names its file: set headerFile in a %s", authoring.SettingsFile)}
		}
	}
	return nil
}

// ignoredFiles warns of files that git ignores, once for each pattern.
func ignoredFiles(ctx context.Context, root string, files *artifact.Set) diag.List {
	var names []string
	for name := range files.Files() {
		names = append(names, name)
	}
	var diags diag.List
	for _, i := range ignored.Files(ctx, root, names) {
		at := diag.Position{File: i.File, Line: i.Line}
		if !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Pos == at }) {
			diags = append(diags, diag.Warningf(at, authoring.Code,
				"git ignores %s, so that mrgen verify fails in clones: correct the pattern, or set crds.dir to another folder", i.Name))
		}
	}
	return diags
}

// freeRegistry returns the import path for a new registry package, or "" if its folder has another package.
func freeRegistry(root string) string {
	importPath := path.Join(modules.ModulePath(root), "internal/registry")
	if _, diags := modules.NewOwnPackage(root, importPath, stage.OwnFiles(command.Stages)); diags.HasErrors() {
		return ""
	}
	return importPath
}

// adoption compares the files of a run with the disk. Files of the earlier tools that mrgen doesn't write are
// stale.
func adoption(r stagerunner.Run, diags diag.List, plan authoring.Plan) generator.Result {
	options := artifact.PlanOptions{
		Candidates:      r.Generated,
		DocumentFolders: r.Settings.DefinitionFolders(),
		InScope:         r.Covers,
		Replaces: func(name string, content []byte) bool {
			if slices.Contains(plan.OwnFiles, path.Base(name)) {
				return artifact.IsReplaced(name, content)
			}
			// CRDs are stale only if a command emptied their folder before each run.
			return (plan.Emptied || path.Ext(name) == ".go") && authoring.IsStale(name, content)
		},
	}
	return generator.NewResult(command.NewResult(r.Root, r.Output.Artifacts, diags, options).Public())
}

func refusedAdoption(diags diag.List) Result {
	return Result{Result: generator.Result{Diagnostics: diags.Sorted()}}
}

// Package scaffold writes new providers, and adds kinds, versions and scopes to providers.
package scaffold

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/inspection"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/addscope"
	authoring "github.com/mrgen-io/mrgen/generator/internal/workshop/scaffolding"
	"github.com/mrgen-io/mrgen/generator/provider"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/generator/scopepair"
)

// The scopes of a new provider's managed resources. With Both, each kind exists twice, in two API
// groups.
const (
	Namespaced = string(authoring.Namespaced)
	Cluster    = string(authoring.Cluster)
	Both       = string(authoring.Both)
)

// InitOptions are the options of [Init].
type InitOptions struct {
	// Dir is the folder to write to, which need not exist.
	Dir string
	// Module is the path of the Go module.
	Module string
	// Group is the common end of the provider's API groups, such as "example.crossplane.io".
	Group string
	// Scope is Namespaced, Cluster or Both.
	Scope string
	// Name of the provider. It defaults to the last element of the module path.
	Name string
	// DryRun writes nothing: the result lists the changes that would be made.
	DryRun bool
	// MrgenVersion is the version of mrgen that the provider runs, such as "v1.0.0". If it is empty, the
	// provider runs the one on PATH.
	MrgenVersion string
	// OnStep is called when a step begins, as in [run.Options].
	OnStep func(step string) (ended func())
}

// A Result lists the files of a new or changed provider.
type Result struct {
	// Diagnostics, sorted. If any is an error, nothing was written.
	Diagnostics diag.List
	// Changes are the written files, or the files of a dry run, sorted by path.
	Changes []run.Change
	// Left are the files that existed and didn't change, sorted.
	Left []string
	// ByHand are the steps that mrgen can't do safely, for the author.
	ByHand []Step
	// Decisions are those about a kind that is made of an SDK.
	Decisions []Decision
	// Ways are those in which an SDK may make a kind, if no types were named. Nothing was written then.
	Ways []KindSource
}

// A Decision is one about a kind that is made of an SDK: its name, who decided it, and the choice or the candidates.
type Decision struct{ Name, Ground, Choice string }

// A Step is a step that the author has to do.
type Step struct {
	// Pos is the place to edit.
	Pos diag.Position
	// Text says what to do, and Lines are the lines to write.
	Text  string
	Lines []string
}

// Init writes a new provider and the output of [generator.Generate], or nothing if there is a problem. It
// doesn't change existing files. Mistakes of the user are in the diagnostics; an error is a bug in mrgen or a
// cancelled context.
func Init(ctx context.Context, options InitOptions) (Result, error) {
	provider, diags := authoring.New(options.Module, options.Group, authoring.Scope(options.Scope), options.Name)
	provider.MrgenVersion = options.MrgenVersion
	if _, err := os.Stat(filepath.Join(options.Dir, "go.mod")); err == nil {
		diags = append(diags, diag.Errorf(diag.Position{File: filepath.ToSlash(filepath.Join(options.Dir, "go.mod"))}, codeScaffold,
			"this folder is a Go module already: add kinds to a provider with mrgen add kind, or start in another folder"))
	}
	if around := providerAround(options.Dir); around != "" {
		diags = append(diags, diag.Errorf(diag.Position{File: filepath.ToSlash(options.Dir)}, codeScaffold,
			"this folder is inside the provider in %s: add kinds to that with mrgen add kind, or name a folder outside of it", filepath.ToSlash(around)))
	}
	if info, err := os.Stat(options.Dir); err == nil && !info.IsDir() {
		diags = append(diags, diag.Errorf(diag.Position{File: filepath.ToSlash(options.Dir)}, codeScaffold,
			"this is a file: name a folder for the new provider"))
	}
	if diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, nil
	}
	files, err := provider.Files()
	if err != nil {
		return Result{}, err
	}
	// Existing files in the folder could break the build: generate in an empty folder first.
	stage, err := os.MkdirTemp("", "mrgen-init-")
	if err != nil {
		return Result{Diagnostics: diag.List{unwritable(os.TempDir(), err)}}, nil
	}
	defer func() { _ = os.RemoveAll(stage) }()
	files, diags, err = buildProvider(ctx, stage, options, scopesOf(provider), files)
	isFull := slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Message == diag.Full })
	if err == nil && diags.HasErrors() && !isFull {
		// The source is correct, so the go command has failed to download modules.
		diags = append(diags, diag.Errorf(diag.Position{}, codeScaffold,
			"the modules of the new provider can't be loaded, and nothing was written: make sure that the go command can download them, and start it again"))
	}
	if err != nil || diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, err
	}
	return install(ctx, options.Dir, files, options.DryRun)
}

// providerAround returns the folder of the provider that a folder is in, apart from itself, or "". Any other module may
// contain the module of a provider.
func providerAround(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "" // writing reports it
	}
	for parent := filepath.Dir(dir); parent != dir; dir, parent = parent, filepath.Dir(parent) {
		_, noSettings := os.Stat(filepath.Join(parent, addscope.SettingsFile))
		_, noModule := os.Stat(filepath.Join(parent, "go.mod"))
		if noSettings == nil && noModule == nil {
			return parent
		}
	}
	return ""
}

const codeScaffold diag.Code = "scaffold"

func unwritable(folder string, err error) diag.Diagnostic {
	if diag.IsFull(err) {
		return diag.Errorf(diag.Position{File: filepath.ToSlash(folder)}, codeScaffold, "%s", diag.Full)
	}
	return diag.Errorf(diag.Position{File: filepath.ToSlash(folder)}, codeScaffold,
		"mrgen cannot write to this folder: %v; make it writable, or choose another one", diag.Cause(err))
}

// buildProvider writes the files of a provider to an empty folder, and returns them with the generated
// ones.
func buildProvider(
	ctx context.Context, stage string, of InitOptions, pairs []scopepair.Pair, files authoring.Files,
) (authoring.Files, diag.List, error) {
	if done, err := writeNew(ctx, stage, files, false); err != nil || done.Diagnostics.HasErrors() {
		return nil, done.Diagnostics, err
	}
	options := provider.Default()
	options.Dir, options.Packages, options.OnStep = stage, []string{"./apis/..."}, of.OnStep
	options.Scopes, options.HeaderFile = pairs, authoring.HeaderFile
	result, err := generator.Generate(ctx, options.Run())
	if err != nil || result.Diagnostics.HasErrors() {
		return nil, result.Diagnostics, err
	}
	for _, change := range result.Changes() {
		files[change.Path] = change.New
	}
	if problems := authoring.Check(stage, of.Module, files, nil); len(problems) > 0 {
		return nil, diag.List{diag.Errorf(diag.Position{}, codeScaffold, "the new provider would not compile: %s", problems[0])}, nil
	}
	return files, nil, nil
}

// scopesOf returns the scopes for the settings of a new provider.
func scopesOf(p authoring.Provider) []scopepair.Pair {
	source := p.Source()
	var pairs []scopepair.Pair
	for _, t := range p.Trees {
		if !t.Copied {
			continue // written by hand
		}
		pairs = append(pairs, scopepair.Pair{
			Folders: addscope.Folders(source.Dir, t.Dir),
			Code:    []scopepair.Folders{addscope.Folders(source.ControllerDir(), t.ControllerDir())},
			Groups:  addscope.Replacements(map[string]string{source.Group: t.Group, "*." + source.Group: "*." + t.Group}),
			Helpers: scopepair.Setting{Text: "internal/scope"},
			Tests:   true,
		})
	}
	return pairs
}

// install writes files to a folder. If the folder is new, it appears complete or not at all.
func install(ctx context.Context, dir string, files authoring.Files, dryRun bool) (Result, error) {
	parent := filepath.Dir(filepath.Clean(dir))
	// An existing folder can't be replaced by renaming.
	if _, err := os.Lstat(dir); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return writeNew(ctx, dir, files, dryRun)
	}
	if dryRun {
		done := Result{}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			done.Changes = append(done.Changes, run.Change{Path: name, Action: run.Create, New: files[name]})
		}
		return done, nil
	}
	// MkdirTemp would ignore the umask.
	stage := filepath.Join(parent, ".mrgen-init-"+rand.Text())
	if err := errors.Join(os.MkdirAll(parent, 0o777), os.Mkdir(stage, 0o777)); err != nil {
		return Result{Diagnostics: diag.List{unwritable(parent, err)}}, nil
	}
	defer func() { _ = os.RemoveAll(stage) }()
	done, err := writeNew(ctx, stage, files, false)
	if err != nil || done.Diagnostics.HasErrors() {
		return done, err
	}
	if err := os.Rename(stage, dir); err != nil {
		return Result{Diagnostics: diag.List{unwritable(parent, err)}}, nil
	}
	return done, nil
}

// writeNew writes the files that don't exist below root, unless this is a dry run.
func writeNew(ctx context.Context, root string, files authoring.Files, dryRun bool) (Result, error) {
	left := dropExisting(root, files, nil)
	plan, diags, err := inspection.PlanFiles(root, files)
	if err != nil || diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, err
	}
	if !dryRun {
		diags, err = plan.Apply(ctx)
	}
	if err != nil || diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, err
	}
	return Result{Changes: plan.Changed(), Left: left}, nil
}

// dropExisting removes existing files from the map, except edited ones, and returns their paths, sorted.
func dropExisting(root string, files authoring.Files, edited map[string]bool) []string {
	var left []string
	for name := range files {
		if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name))); err == nil && !edited[name] {
			left = append(left, name)
			delete(files, name)
		}
	}
	slices.Sort(left)
	return left
}

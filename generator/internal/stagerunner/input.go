package stagerunner

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	"github.com/mrgen-io/mrgen/generator/internal/source/batches"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/run"
)

// BatchSize is how many bytes of source a processor works on at a time: about a dozen kinds. Loaded source takes about
// 20 times as much memory, which the garbage collector scans again and again, but each batch has to look at the list of
// all packages. Tests make it smaller.
var BatchSize = 256 << 10

// An Input is a module with the resolved options of a run.
type Input struct {
	// Root is the folder of the module, and Settings are the resolved options.
	Root     string
	Settings stage.Options
	// Scope has the packages, without the source of extensions. It is nil if the options leave none.
	Scope *modules.Scope
	// Log records the files that the run reads. It is nil if the options name no folder for records.
	Log *readlog.Log

	runner     Runner
	extensions []Extension
	// diags are the errors in the options, and scopeDiags the errors in the patterns.
	diags, scopeDiags diag.List
}

// Open resolves options. Errors in them show when the input is evaluated, beside errors in the source.
func (e Runner) Open(options run.Options) *Input {
	extensions := extensionsOf(options)
	e.Stages = withStages(e.Stages, extensions)
	in := &Input{runner: e, extensions: extensions, Settings: stage.Options{Options: options}}
	if in.Root, in.diags = modules.FindRoot(options.Dir); in.diags.HasErrors() {
		return in
	}
	if options.CacheDir != "" {
		in.Log = readlog.NewLog(func(file string) bool {
			return in.Scope != nil && in.Scope.Hides(file) || in.writes(file)
		})
	}
	in.Settings, in.diags = e.Settings(in.Root, options, in.Log)
	in.Scope, in.scopeDiags = modules.New(in.scopeOptions(nil))
	return in
}

// writes reports whether an extension writes a file that is also part of the input.
func (in *Input) writes(file string) bool {
	return slices.Contains(filesOf(in.extensions), filepath.Base(file)) && strings.HasPrefix(file, in.Root+string(filepath.Separator))
}

// Packages returns the packages of the run, with the source of extensions.
func (in *Input) Packages() (*modules.Scope, diag.List) {
	files, diags := in.source()
	switch {
	case diags.HasErrors():
		return nil, diags
	case len(files) == 0:
		return in.Scope, append(diags, in.scopeDiags...)
	}
	sc, problems := modules.New(in.scopeOptions(files))
	return sc, append(diags, problems...)
}

// Load loads the packages of the run. Errors in the options only show if they leave nothing to load.
func (in *Input) Load(ctx context.Context) (*apitypes.Source, diag.List) {
	if in.Root == "" {
		return nil, in.diags
	}
	sc, diags := in.Packages()
	if sc == nil {
		return nil, diags
	}
	source, problems := apitypes.Load(ctx, sc, in.buildOptions())
	return source, append(diags, problems...)
}

// Evaluate runs the stages on all packages, in batches if there are many.
func (in *Input) Evaluate(ctx context.Context) (Run, diag.List, error) {
	if in.Root == "" {
		return Run{}, in.diags, ctx.Err()
	}
	sc, diags := in.Packages()
	diags = append(slices.Clone(in.diags), diags...)
	if sc == nil {
		return Run{}, diags, ctx.Err()
	}
	in.Log.ReadTree(in.Root)
	e := &evaluation{Input: in, scope: sc, diags: diags}
	if !sc.Unlisted {
		tree, err := batches.NewTree(ctx, sc)
		if err != nil {
			return Run{}, diags, err
		}
		e.expected = tree.Needed()
		// No diagnostic may depend on batches: if a batch has errors, or if the packages import each other in another
		// way than their text says, the stages run on all packages at once.
		if divided := Divide(tree, in.Settings.Registry != nil); len(divided) > 1 && !diags.HasErrors() {
			cyclic := tree.Cyclic()
			r, diags, err := e.evaluate(ctx, divided, cyclic)
			if err != nil || !diags.HasErrors() && r.Output.Imports.Agrees(cyclic) {
				return r, diags, err
			}
		}
	}
	return e.evaluate(ctx, [][]string{nil}, nil)
}

// Divide returns the folders of each batch, or nil if import cycles are possible.
func Divide(tree *batches.Tree, hasRegistry bool) [][]string {
	// Without a registry, cycles are errors; with one, packages outside the patterns may be part of a cycle.
	if !hasRegistry && len(tree.Cyclic()) > 0 || hasRegistry && !tree.CoversMarkers() {
		return nil
	}
	return tree.Batches(BatchSize)
}

// An evaluation of an input runs the stages.
type evaluation struct {
	*Input
	// scope has the packages, and diags are about them and the options.
	scope *modules.Scope
	diags diag.List
	// expected are as in [apitypes.Options].
	expected []string
}

// evaluate runs the stages on batches of packages, side by side, or on all packages at once if their folders are nil.
// Cyclic is as in [apitypes.Options].
func (e *evaluation) evaluate(ctx context.Context, batches [][]string, cyclic importgraph.Cyclic) (Run, diag.List, error) {
	end := e.Settings.Begin("load") // also if the options are wrong: the source may be wrong, too
	diags := slices.Clone(e.diags)
	selected := e.buildOptions()
	selected.Cyclic, selected.Inputs, selected.Expected = cyclic, e.Log, e.expected
	sources, problems := apitypes.List(ctx, e.scope, selected)
	end()
	diags = append(diags, problems...)
	if err := ctx.Err(); err != nil || problems.HasErrors() {
		return Run{}, diags, err
	}
	all := Run{Root: e.Root, Settings: e.Settings, Generated: e.scope.Generated, Covers: e.scope.Covers, Output: stage.NewOutput(), Reasons: map[string]string{}}
	problems, err := e.evaluateEach(ctx, &all, sources, batches)
	diags = append(diags, problems...)
	if err != nil || diags.HasErrors() {
		return Run{}, diags, err
	}
	if all.Output.Packages == 0 {
		diags = append(diags, apitypes.Nothing(e.scope))
	}
	problems, err = e.finish(ctx, &all, e.scope)
	return all, append(diags, problems...), err
}

// A worker works on one batch at a time.
type worker struct {
	sources *apitypes.Sources
	checker *compile.Checker
}

// errFailed stops the other batches.
var errFailed = errors.New("a batch has errors")

// evaluateEach evaluates batches, on all processors.
func (e *evaluation) evaluateEach(ctx context.Context, all *Run, sources *apitypes.Sources, batches [][]string) (diag.List, error) {
	workers := make(chan *worker, min(runtime.GOMAXPROCS(0), len(batches)))
	add := func(sources *apitypes.Sources) {
		workers <- &worker{sources, &compile.Checker{Author: e.Settings.TypeCheck, NoDeepCopies: e.Settings.NoDeepCopies, Begin: e.Settings.Begin}}
	}
	for range cap(workers) - 1 {
		add(sources.Fork())
	}
	add(sources) // the last worker uses the original listing: one copy less
	var adding sync.Mutex
	var diags diag.List
	err := parallel.Each(ctx, len(batches), func(ctx context.Context, i int) error {
		w := <-workers
		defer func() { workers <- w }()
		output, problems, err := e.evaluateBatch(ctx, w, all, batches[i])
		adding.Lock()
		defer adding.Unlock()
		diags = append(diags, problems...)
		if err == nil && (problems.HasErrors() || e.diags.HasErrors()) {
			// the stages run on all packages then, and find all errors
			err = errFailed
		}
		if err != nil {
			return err
		}
		return all.Output.Add(output)
	})
	if errors.Is(err, errFailed) {
		err = nil
	}
	return diags, err
}

// evaluateBatch runs the stages on a batch. If all packages have errors, those of the copies don't count beside their
// source's.
func (e *evaluation) evaluateBatch(ctx context.Context, w *worker, all *Run, folders []string) (stage.Output, diag.List, error) {
	output, diags, err := e.evaluateFolders(ctx, w, all, folders)
	originals := w.sources.Originals(diags)
	if folders != nil || originals == nil || err != nil {
		return output, diags, err
	}
	if _, inSource, err := e.evaluateFolders(ctx, w, all, originals); err != nil || inSource.HasErrors() {
		return output, append(inSource, w.sources.InCopies(diags)...), err
	}
	return output, diags, nil
}

// evaluateFolders runs the stages on the packages in folders, or on all packages if folders is nil.
func (e *evaluation) evaluateFolders(ctx context.Context, w *worker, all *Run, folders []string) (stage.Output, diag.List, error) {
	end := e.Settings.Begin("model")
	source, diags := w.sources.Load(ctx, folders)
	end()
	defer source.Release() // a batch's files, imports and definitions stay; its packages don't

	if err := ctx.Err(); err != nil || diags.HasErrors() || e.diags.HasErrors() { // no stage runs with wrong options
		return stage.Output{}, diags, err
	}
	output, problems, err := e.runner.evaluate(ctx, all, source, w.checker)
	return output, append(diags, problems...), err
}

package incremental

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// BatchSize is how many bytes of source a processor works on at a time, which is what about a dozen kinds have.
// Loaded source takes about 20 times as much memory, which the garbage collector scans again and again, and
// each batch has to look at the list of all packages. Tests make it smaller.
var BatchSize = 256 << 10

// Batches returns the folders of each batch of a run over everything. There are none if there may be import
// cycles, which are errors without a registry, or if patterns leave out packages that may be part of one.
func (m *Memory) Batches() [][]string {
	if m.tree == nil || m.leavesCycles() || m.Settings.Registry == nil && len(m.tree.Cyclic()) > 0 {
		return nil
	}
	return m.tree.Batches(m.tree.Covered(), BatchSize)
}

// evaluate runs the stages on batches of packages, side by side, or on all packages at once if their
// folders are nil. Of each batch it only keeps the files, the declarations that markers of others may
// name, imports, and what reports need. Cyclic is as in [apitypes.Options].
func (m *Memory) evaluate(ctx context.Context, batches [][]string, cyclic importgraph.Cyclic) (engine.Run, diag.List, error) {
	end := m.options.Begin("load", "") // also if the options are wrong: the source may be, too
	diags := slices.Clone(m.diags)
	if m.scope == nil {
		return engine.Run{}, diags, ctx.Err()
	}
	sc, problems := m.part()
	if problems.HasErrors() {
		return engine.Run{}, append(diags, problems...), ctx.Err()
	}
	selected := m.engine.BuildOptions(m.options)
	selected.Cyclic, selected.Inputs = cyclic, m.log
	if m.tree != nil {
		selected.Expected = m.expected()
	}
	sources, problems := apitypes.List(ctx, sc, selected)
	end()
	diags = append(diags, problems...)
	if err := ctx.Err(); err != nil || problems.HasErrors() {
		return engine.Run{}, diags, err
	}
	all := engine.Run{Root: m.Root, Settings: m.Settings, Generated: m.scope.Generated, Covers: m.scope.Covers, Output: pipeline.NewOutput()}
	problems, err := m.evaluateEach(ctx, &all, sources, batches)
	diags = append(diags, problems...)
	if err != nil || diags.HasErrors() {
		return engine.Run{}, diags, err
	}
	if m.changes.All && len(all.Output.Declared) == 0 {
		diags = append(diags, apitypes.Nothing(m.scope))
	}
	problems, err = m.engine.Complete(ctx, &all, sc, m.log)
	return all, append(diags, problems...), err
}

// A worker works on one batch at a time.
type worker struct {
	sources *apitypes.Sources
	checker *compile.Checker
}

// errFailed ends the work on other batches.
var errFailed = errors.New("a batch has errors")

// evaluateEach evaluates batches, on all processors.
func (m *Memory) evaluateEach(ctx context.Context, all *engine.Run, sources *apitypes.Sources, batches [][]string) (diag.List, error) {
	workers := make(chan *worker, min(runtime.GOMAXPROCS(0), len(batches)))
	for range cap(workers) - 1 {
		workers <- m.worker(sources.Fork())
	}
	workers <- m.worker(sources)
	var adding sync.Mutex
	var diags diag.List
	err := parallel.Each(ctx, len(batches), func(ctx context.Context, i int) error {
		w := <-workers
		defer func() { workers <- w }()
		output, problems, err := w.evaluate(ctx, m, all, batches[i])
		adding.Lock()
		defer adding.Unlock()
		diags = append(diags, problems...)
		if err == nil && (problems.HasErrors() || m.diags.HasErrors()) {
			err = errFailed
		}
		if err != nil {
			return err
		}
		return all.Output.Add(output)
	})
	for range cap(workers) {
		w := <-workers
		all.AddRead(w.sources.Dependencies())
	}
	if errors.Is(err, errFailed) {
		err = nil
	}
	return diags, err
}

func (m *Memory) worker(sources *apitypes.Sources) *worker {
	return &worker{sources, engine.NewChecker(m.options)}
}

// evaluate runs the stages on a batch.
func (w *worker) evaluate(ctx context.Context, m *Memory, all *engine.Run, folders []string) (pipeline.Output, diag.List, error) {
	unit := "."
	if len(folders) > 0 {
		unit = folders[0]
	}
	end := m.options.Begin("model", unit)
	source, diags := w.sources.Load(ctx, folders)
	end()
	if err := ctx.Err(); err != nil || diags.HasErrors() || m.diags.HasErrors() { // no stage runs with wrong options
		return pipeline.Output{}, diags, err
	}
	defer source.Release()
	output, problems, err := m.engine.Evaluate(ctx, all, unit, source, w.checker)
	return output, append(diags, problems...), err
}

// part returns the scope of what the run is over.
func (m *Memory) part() (*modules.Scope, diag.List) {
	if m.changes.All {
		return m.scope, nil
	}
	options := m.scope.Options
	options.Patterns = nil
	for _, dir := range m.changes.Stale {
		options.Patterns = append(options.Patterns, "./"+dir)
	}
	return modules.New(options)
}

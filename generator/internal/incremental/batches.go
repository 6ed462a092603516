package incremental

import (
	"context"
	"runtime"
	"runtime/metrics"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/source/build"
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
)

// BatchSize is the number of bytes of source in a batch, which is that of about 100 kinds. Loaded
// source takes about 20 times as much memory, which the garbage collector scans again and again.
// Tests make it smaller.
var BatchSize = 2 << 20

// Batches returns the folders of each batch. There are fewer than two batches if they would save
// nothing, or if a stage of another program needs all packages at once. So do import cycles
// without a registry, which are errors, and with one, if patterns leave out packages that may be
// part of a cycle.
func (m *Memory) Batches() [][]string {
	if m.tree == nil || m.needsAll() || m.Settings.Registry == nil && len(m.tree.Cyclic()) > 0 {
		return nil
	}
	return m.tree.Batches(BatchSize)
}

// collect has garbage collected between batches, when the least is in use: there is least to look
// through, and less of it to collect while a batch is worked on. A small heap may have no garbage
// collected at all.
func collect() {
	const large = 256 << 20
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(heap)
	if heap[0].Value.Uint64() > large {
		runtime.GC()
	}
}

// evaluate runs the stages on one batch of packages after the other, or on all of them at once if their
// folders are nil. Of each batch it only keeps the files, the declarations that markers of later ones may
// name, imports, and what reports need. Cyclic is as in [build.Options].
func (m *Memory) evaluate(ctx context.Context, batches [][]string, cyclic importgraph.Cyclic) (engine.Run, diag.List, error) {
	m.options.Step("load") // also if the options are wrong: the source may be, too
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
	sources, problems := build.List(ctx, sc, selected)
	diags = append(diags, problems...)
	if err := ctx.Err(); err != nil || problems.HasErrors() {
		return engine.Run{}, diags, err
	}
	all := engine.NewRun(m.scope, m.Settings, m.options)
	checker := &compile.Checker{Author: m.options.TypeCheck, NoDeepCopies: m.options.NoDeepCopies}
	for i, folders := range batches {
		if i > 0 {
			m.options.Step("load")
			collect()
		}
		source, problems := sources.Load(ctx, folders)
		diags = append(diags, problems...)
		if err := ctx.Err(); err != nil || diags.HasErrors() {
			return engine.Run{}, diags, err
		}
		problems, err := m.engine.Add(ctx, &all, source, checker, m.options.TypeCheck)
		source.Release()
		diags = append(diags, problems...)
		if err != nil || diags.HasErrors() {
			return engine.Run{}, diags, err
		}
	}
	all.Output.Definitions.Sort()
	problems, err := m.engine.Complete(ctx, &all, sc, m.options, m.log)
	return all, append(diags, problems...), err
}

// part returns the scope of what the run is over.
func (m *Memory) part() (*scope.Scope, diag.List) {
	if m.changes.All {
		return m.scope, nil
	}
	options := m.scope.Options
	options.Patterns = nil
	for _, dir := range m.changes.Stale {
		options.Patterns = append(options.Patterns, "./"+dir)
	}
	return scope.New(options)
}

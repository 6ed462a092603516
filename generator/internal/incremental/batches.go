package incremental

import (
	"context"
	"iter"
	"runtime"
	"runtime/metrics"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/cache"
	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/model"
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
func (m *Memory) Batches() cache.Batches {
	if m.tree == nil || m.needsAll() || m.Settings.Registry == nil && len(m.tree.Cyclic()) > 0 {
		return cache.Batches{}
	}
	return m.tree.Batches(BatchSize)
}

// loadAhead loads the packages whose declarations must be known ahead, one batch after the other.
func loadAhead(ctx context.Context, sources *build.Sources, folders [][]string) (map[string]*model.Package, diag.List) {
	known := map[string]*model.Package{}
	for _, part := range folders {
		declared, diags := sources.Declared(part)
		if diags.HasErrors() || ctx.Err() != nil {
			return nil, diags
		}
		for _, p := range declared {
			known[p.Path] = p
		}
	}
	return known, nil
}

// loadBatches loads one batch of packages after the other. Their markers may name declarations of
// earlier ones, and of those that are known.
func loadBatches(ctx context.Context, sources *build.Sources, folders [][]string, known map[string]*model.Package, cyclic importgraph.Cyclic) iter.Seq2[*build.Source, diag.List] {
	return func(yield func(*build.Source, diag.List) bool) {
		for i, part := range folders {
			if i > 0 {
				collect()
			}
			source, diags := sources.Part(ctx, part, known, cyclic)
			if source != nil && source.Model != nil {
				for _, p := range source.Model.Packages {
					known[p.Path] = p.Declared()
				}
			}
			if !yield(source, diags) {
				return
			}
		}
	}
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

// evaluateBatches runs the stages on one batch of packages after the other. Which packages import
// each other is only certain afterwards: if their text said something else, it does so once more.
// It reports false if there is an error, since diagnostics must not depend on batches.
func (m *Memory) evaluateBatches(ctx context.Context, batches cache.Batches) (engine.Run, diag.List, bool, error) {
	m.options.Step("load")
	sources, listDiags := m.list()
	if err := ctx.Err(); err != nil || listDiags.HasErrors() {
		return engine.Run{}, nil, false, err
	}
	known, diags := loadAhead(ctx, sources, batches.Ahead)
	if err := ctx.Err(); err != nil || diags.HasErrors() {
		return engine.Run{}, nil, false, err
	}
	cyclic := m.tree.Cyclic()
	for range 2 {
		r, diags, err := m.evaluateParts(ctx, loadBatches(ctx, sources, batches.All, known, cyclic))
		if err != nil || diags.HasErrors() {
			return engine.Run{}, nil, false, err
		}
		if r.Output.Imports.Agrees(cyclic) {
			return r, slices.Concat(listDiags, diags), true, nil
		}
		cyclic = r.Output.Imports.Cyclic()
		sources.Restart()
	}
	return engine.Run{}, nil, false, nil
}

// evaluateParts runs the stages on one part of the packages after the other. Of each it only keeps
// the files, the declarations that markers of later ones may name, imports, and what reports need.
func (m *Memory) evaluateParts(ctx context.Context, sources iter.Seq2[*build.Source, diag.List]) (engine.Run, diag.List, error) {
	all := engine.NewRun(m.Root, m.Settings, m.options)
	checker := &compile.Checker{Author: m.options.TypeCheck, NoDeepCopies: m.options.NoDeepCopies}
	var diags diag.List
	var sc *scope.Scope
	for source, problems := range sources {
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
		sc = source.Program.Scope
		m.options.Step("load")
	}
	all.Output.Definitions.Sort()
	problems, err := m.engine.Complete(ctx, &all, sc, m.options, m.log)
	return all, append(diags, problems...), err
}

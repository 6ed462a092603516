package incremental

import (
	"context"
	"iter"

	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/build"
)

// BatchSize is how many bytes of source are worked on together: those of about 100
// kinds. What is known of source takes about 20 times as much memory, which the garbage
// collector looks through again and again. Tests make it smaller.
var BatchSize = 2 << 20

// Batches returns the folders to run over one batch after the other, or fewer than two
// batches if there is no point in it, or somebody wants to see everything at once.
func (m *Memory) Batches() [][]string {
	if m.tree == nil || m.options.KeepSchemas || m.Settings.Registry != nil {
		return nil
	}
	return m.tree.Batches(BatchSize)
}

// loadBatches loads one batch of packages after the other. Later ones may name in markers
// what earlier ones declare.
func loadBatches(ctx context.Context, sources *build.Sources, folders [][]string) iter.Seq2[*build.Source, diag.List] {
	return func(yield func(*build.Source, diag.List) bool) {
		var known []*model.Package
		for _, part := range folders {
			source, diags := sources.Part(ctx, part, known)
			if source != nil && source.Model != nil {
				for _, p := range source.Model.Packages {
					known = append(known, p.Declared())
				}
			}
			if !yield(source, diags) {
				return
			}
		}
	}
}

// evaluateBatches runs the stages on one batch of packages after the other, and keeps
// no more of each than its files, and what later ones may name in markers. The run is
// of no use if anything is wrong: what is reported must not depend on batches.
func (m *Memory) evaluateBatches(ctx context.Context, folders [][]string) (engine.Run, diag.List, error) {
	m.options.Step("load")
	sources, diags := m.list()
	if err := ctx.Err(); err != nil || diags.HasErrors() {
		return engine.Run{}, diags, err
	}
	all := engine.NewRun(m.Root, m.Settings, m.options)
	checker := &compile.Checker{}
	for source, problems := range loadBatches(ctx, sources, folders) {
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
		all.Output.Definitions = nil // nobody asks for them, see Batches
		m.options.Step("load")
	}
	return all, diags, nil
}

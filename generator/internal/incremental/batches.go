package incremental

import (
	"context"
	"iter"

	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/source/build"
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
)

// BatchSize is the number of bytes of source in a batch, which is that of about 100 kinds. Loaded
// source takes about 20 times as much memory, which the garbage collector scans again and again.
// Tests make it smaller.
var BatchSize = 2 << 20

// Batches returns the folders of each batch. There are fewer than two batches if they would save
// nothing, or if the options need all packages at once.
func (m *Memory) Batches() [][]string {
	if m.tree == nil || m.Settings.DocsDir != "" || m.Settings.Registry != nil || len(pipeline.Externals(m.engine.Stages)) > 0 {
		return nil
	}
	return m.tree.Batches(BatchSize)
}

// loadBatches loads one batch of packages after the other. The markers of later ones may name
// declarations of earlier ones.
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

// evaluateBatches runs the stages on one batch of packages after the other. Of each it only keeps
// the files, and the declarations that markers of later ones may name. The run is invalid if there
// is an error, since diagnostics must not depend on batches.
func (m *Memory) evaluateBatches(ctx context.Context, folders [][]string) (engine.Run, diag.List, error) {
	m.options.Step("load")
	sources, diags := m.list()
	if err := ctx.Err(); err != nil || diags.HasErrors() {
		return engine.Run{}, diags, err
	}
	all := engine.NewRun(m.Root, m.Settings, m.options)
	checker := &compile.Checker{}
	var sc *scope.Scope
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
		if !m.Settings.KeepSchemas {
			all.Output.Definitions = nil // nobody asks for them
		}
		sc = source.Program.Scope
		m.options.Step("load")
	}
	all.Output.Definitions.Sort()
	return all, diags, all.AddCopies(sc)
}

package incremental

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/load"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
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

// A batch is a part of the packages, loaded.
type batch struct {
	source *load.Source
	diags  diag.List
}

// loadBatches loads one batch of packages after the other, each while the receiver works
// on the one before it. Errors end it. Whoever has received all of them must wait.
func loadBatches(ctx context.Context, listing *load.Listing, folders [][]string) (<-chan batch, func() error) {
	batches := make(chan batch)
	wait := parallel.Start(func() error {
		defer close(batches)
		var known []*model.Package
		for _, part := range folders {
			source, diags := listing.LoadPart(ctx, part, known)
			if source != nil && source.Model != nil {
				for _, p := range source.Model.Packages {
					known = append(known, p.Declared())
				}
			}
			select {
			case batches <- batch{source, diags}:
			case <-ctx.Done():
				return ctx.Err()
			}
			if diags.HasErrors() {
				return nil
			}
		}
		return nil
	})
	return batches, wait
}

// evaluateBatches runs the stages on one batch of packages after the other, and keeps
// no more of each than its files, and what later ones may name in markers. The run is
// of no use if anything is wrong: what is reported must not depend on batches.
func (m *Memory) evaluateBatches(ctx context.Context, folders [][]string) (engine.Run, diag.List, error) {
	m.options.Step("load")
	listing, diags := m.list()
	if err := ctx.Err(); err != nil || diags.HasErrors() {
		return engine.Run{}, diags, err
	}
	all := engine.NewRun(m.Root, m.Settings, m.options)
	loading, cancel := context.WithCancel(ctx)
	batches, wait := loadBatches(loading, listing, folders)
	defer func() {
		cancel()
		for range batches { // until nothing is loaded any more
		}
		_ = wait() // what counts was waited for below
	}()
	checker := &compile.Checker{}
	for b := range batches {
		diags = append(diags, b.diags...)
		if diags.HasErrors() {
			return engine.Run{}, diags, ctx.Err()
		}
		problems, err := m.engine.Add(ctx, &all, b.source, checker, m.options.TypeCheck)
		b.source.Release()
		diags = append(diags, problems...)
		if err != nil || diags.HasErrors() {
			return engine.Run{}, diags, err
		}
		all.Output.Definitions = nil // nobody asks for them, see Batches
		m.options.Step("load")
	}
	return all, diags, wait()
}

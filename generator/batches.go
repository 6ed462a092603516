package generator

import (
	"context"
	"maps"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/load"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
)

// batchSize is how many bytes of source are worked on together: those of about 100
// kinds. What is known of source takes about 20 times as much memory, which the garbage
// collector looks through again and again.
var batchSize = 2 << 20

// batches returns the folders to run over one batch after the other, or fewer than two
// batches if there is no point in it, or somebody wants to see everything at once.
func (m *memory) batches() [][]string {
	if m.tree == nil || m.options.KeepSchemas || m.settings.Registry != nil {
		return nil
	}
	return m.tree.Batches(batchSize)
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
func (m *memory) evaluateBatches(ctx context.Context, folders [][]string) (run, diag.List, error) {
	m.options.step("load")
	listing, diags := m.list()
	if err := ctx.Err(); err != nil || diags.HasErrors() {
		return run{}, diags, err
	}
	settings := m.settings
	settings.OnStage = m.options.step
	all := run{root: m.root, settings: settings, declared: map[string]string{}, output: pipeline.Output{Artifacts: &artifact.Set{}}}
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
			return run{}, diags, ctx.Err()
		}
		problems, err := all.add(ctx, b.source, checker, m.options.TypeCheck)
		diags = append(diags, problems...)
		if err != nil || diags.HasErrors() {
			return run{}, diags, err
		}
		m.options.step("load")
	}
	return all, diags, wait()
}

// add runs the stages on a part of the packages.
func (r *run) add(ctx context.Context, source *load.Source, checker *compile.Checker, typeCheckAll bool) (diag.List, error) {
	defer source.Release()
	output, diags, err := checkedOutput(ctx, source, r.settings, checker, typeCheckAll)
	if err != nil || diags.HasErrors() {
		return diags, err
	}
	for path, content := range output.Artifacts.Files() {
		if err := r.output.Artifacts.Add(path, content); err != nil {
			return diags, err
		}
	}
	r.generated, r.covers, r.read = source.Generated, source.Covers, source.Dependencies()
	maps.Copy(r.declared, declared(source.Model))
	return diags, nil
}

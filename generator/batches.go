package generator

import (
	"context"
	"maps"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
)

// batchSize is how many bytes of source are worked on together: those of about 200
// kinds. What is known of source takes about 20 times as much memory, which the garbage
// collector looks through again and again.
var batchSize = 4 << 20

// batches returns the folders to run over one batch after the other, or fewer than two
// batches if there is no point in it, or somebody wants to see everything at once.
func (m *memory) batches() [][]string {
	if m.tree == nil || m.options.KeepSchemas || m.settings.Registry != nil {
		return nil
	}
	return m.tree.Batches(batchSize)
}

// evaluateBatches runs the stages on one batch of packages after the other, and keeps
// no more of each than its files, and what later ones may name in markers. The run is
// of no use if anything is wrong: what is reported must not depend on batches.
func (m *memory) evaluateBatches(ctx context.Context, batches [][]string) (run, diag.List, error) {
	m.options.step("load")
	listing, diags := m.list()
	if err := ctx.Err(); err != nil || diags.HasErrors() {
		return run{}, diags, err
	}
	settings := m.settings
	settings.OnStage = m.options.step
	all := run{root: m.root, settings: settings, declared: map[string]string{}, output: pipeline.Output{Artifacts: &artifact.Set{}}}
	var known []*model.Package
	for i, folders := range batches {
		if i > 0 {
			m.options.step("load")
		}
		source, problems := listing.LoadPart(ctx, folders, known)
		diags = append(diags, problems...)
		if err := ctx.Err(); err != nil || diags.HasErrors() {
			return run{}, diags, err
		}
		output, problems, err := pipeline.Run(ctx, source, settings, stages)
		diags = append(diags, problems...)
		if err != nil || diags.HasErrors() {
			return run{}, diags, err
		}
		for path, content := range output.Artifacts.Files() {
			if err := all.output.Artifacts.Add(path, content); err != nil {
				return run{}, diags, err
			}
		}
		all.generated, all.covers = source.Generated, source.Covers
		maps.Copy(all.declared, declared(source.Model))
		for _, p := range source.Model.Packages {
			known = append(known, p.Declared())
		}
		source.Release()
	}
	return all, diags, nil
}

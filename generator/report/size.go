package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/size"
	"github.com/mrgen-io/mrgen/generator/internal/verb"
	"github.com/mrgen-io/mrgen/generator/run"
)

// A FatField is a field with its share of a definition.
type FatField struct {
	// Path leads to the field, after the version if there are several, and Pos is where it is
	// declared.
	Path string
	Pos  diag.Position
	// Bytes of JSON, and Percent of the definition.
	Bytes, Percent int
}

// A KindSize says what the definition of a kind takes.
type KindSize struct {
	// Name is that of the definition.
	Name string
	// Bytes of JSON, and Saved those that it would at least do without if descriptions had no more
	// than [ShortDescription] characters.
	Bytes, Saved int
	// Fattest are the fields that take most of it.
	Fattest []FatField
}

// ShortDescription is the length of descriptions for which [KindSize.Saved] counts.
const ShortDescription = size.ShortDescription

// Sizes measures the definitions of the selected packages, the largest first. It writes nothing.
func Sizes(ctx context.Context, options run.Options) ([]KindSize, diag.List, error) {
	options.KeepSchemas = true
	r, diags, err := verb.Evaluate(ctx, options)
	if err != nil || diags.HasErrors() {
		return nil, diags.Sorted(), err
	}
	sizes := make([]KindSize, len(r.Output.Definitions))
	parallel.Do(len(sizes), func(i int) {
		d := r.Output.Definitions[i]
		fattest := verb.Each(d.Fattest(3), func(f pipeline.FatField) FatField { return FatField{f.Path, f.Pos, f.Bytes, f.Percent} })
		sizes[i] = KindSize{d.CRD.Name, size.Of(d.CRD, 0), size.Saved(d.CRD), fattest}
	})
	slices.SortStableFunc(sizes, func(a, b KindSize) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return sizes, nil, nil
}

package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/driver"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/size"
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
	r, diags, err := driver.Ask(ctx, options, sizesOf)
	if err != nil || diags.HasErrors() {
		return nil, diags.Sorted(), err
	}
	all := slices.Concat(r.Units...)
	slices.SortFunc(all, func(a, b kindSize) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.group, b.group), cmp.Compare(a.kind, b.kind))
	})
	return driver.Each(all, func(k kindSize) KindSize { return k.KindSize }), nil, nil
}

type kindSize struct {
	KindSize
	group, kind string
}

// sizesOf measures the definitions of a unit.
func sizesOf(_ context.Context, definitions pipeline.Definitions) ([]kindSize, error) {
	sizes := make([]kindSize, len(definitions))
	parallel.Do(len(sizes), func(i int) {
		d := definitions[i]
		fattest := driver.Each(d.Fattest(3), func(f pipeline.FatField) FatField { return FatField{f.Path, f.Pos, f.Bytes, f.Percent} })
		sizes[i] = kindSize{KindSize{d.CRD.Name, size.Of(d.CRD, 0), size.Saved(d.CRD), fattest}, d.CRD.Spec.Group, d.CRD.Spec.Names.Kind}
	})
	return sizes, nil
}

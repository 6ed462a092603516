// Package fieldmarkers decides how LateInitialize and Diff treat the fields of spec.forProvider: by their
// markers, which fields below them inherit.
package fieldmarkers

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// A Treatment is how the methods treat a field: by its markers or, without any, by those of the fields around
// it, of the kind, or of its package.
type Treatment struct {
	// Kept is set if LateInitialize never fills the field.
	Kept bool
	// Comparison says how Diff compares the field.
	Comparison Comparison
}

// A Comparison is how Diff compares values: the argument of the marker +mrgen:diff.
type Comparison string

const (
	// Exact comparison reports every difference, including entries and items that are only observed.
	Exact Comparison = "exact"
	// Subset comparison ignores entries and items that are only observed.
	Subset Comparison = "subset"
	// Unordered comparison is exact, except for the order of lists.
	Unordered Comparison = "unordered"
	// Off skips the comparison.
	Off Comparison = "off"
)

// OfKind returns the treatment of the unmarked fields of a kind.
func OfKind(kind *model.Object) Treatment {
	// The kind's markers come first, so they win over the package's.
	return Treatment{Comparison: Exact}.mark(slices.Concat(kind.Type.Markers, kind.Package.Markers))
}

// Of returns the treatment of a field in a struct with the treatment t.
func (t Treatment) Of(f *model.Field) Treatment { return t.mark(f.Markers) }

// mark returns t changed by markers. The first marker of a name counts.
func (t Treatment) mark(list []model.Marker) Treatment {
	if m := model.FindMarker(list, markers.LateInitialize); m != nil {
		t.Kept = !m.Value.Bool()
	}
	if m := model.FindMarker(list, markers.Diff); m != nil {
		t.Comparison = Comparison(m.Value.Text(""))
	}
	return t
}

// At returns the treatment of the field at a path.
func (t Treatment) At(path []*model.Field) Treatment {
	for _, f := range path {
		t = t.Of(f)
	}
	return t
}

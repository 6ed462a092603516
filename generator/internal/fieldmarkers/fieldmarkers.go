// Package fieldmarkers says what the methods of a type of spec.forProvider do with its fields: what
// their markers say, which are inherited by what is below them.
package fieldmarkers

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// A Treatment says what the methods do with a field: what its markers say, or else those of
// the fields around it, of the kind, or of its package.
type Treatment struct {
	// Kept is set if LateInitialize leaves the field as it is, whatever is observed.
	Kept bool
	// Comparison says how Diff compares the field.
	Comparison Comparison
}

// A Comparison is how Diff compares values: the argument of the marker +mrgen:diff.
type Comparison string

const (
	// Exact comparison names whatever differs, and entries and items that only are observed.
	Exact Comparison = "exact"
	// Subset comparison leaves out entries and items that only are observed.
	Subset Comparison = "subset"
	// Unordered comparison is exact, but for the order of lists.
	Unordered Comparison = "unordered"
	// Off is no comparison.
	Off Comparison = "off"
)

// OfKind returns the treatment of the fields of a kind that have no markers.
func OfKind(kind *model.Object) Treatment {
	return Treatment{Comparison: Exact}.mark(slices.Concat(kind.Type.Markers, kind.Package.Markers))
}

// Of returns the treatment of a field, given that of the struct around it.
func (t Treatment) Of(f *model.Field) Treatment { return t.mark(f.Markers) }

// mark returns the treatment that markers change t into. The first one of a name counts.
func (t Treatment) mark(list []model.Marker) Treatment {
	if m := model.FindMarker(list, markers.LateInitialize); m != nil {
		t.Kept = !m.Value.Bool()
	}
	if m := model.FindMarker(list, markers.Diff); m != nil {
		t.Comparison = Comparison(m.Value.Text(""))
	}
	return t
}

// At returns the treatment of the field that a path leads to.
func (t Treatment) At(path []*model.Field) Treatment {
	for _, f := range path {
		t = t.Of(f)
	}
	return t
}

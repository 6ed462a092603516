package conversion

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// An absence says how a list or a map in a field is written if it is nil or empty.
type absence uint8

const (
	// together is how a field writes neither: they are the same.
	together absence = iota
	// apart is how a field writes one of them, or each in its own way.
	apart
	// neverNil is how a field has to have an empty one, since the API server refuses null.
	neverNil
)

// absenceOf returns that of a field with a list or a map.
func absenceOf(f *model.Field) absence {
	switch {
	case f.OmitEmpty:
		return together
	case f.OmitZero || slices.ContainsFunc(f.Markers, func(m model.Marker) bool { return m.Text == markers.Nullable }):
		return apart
	default:
		return neverNil
	}
}

// zeroIsNil reports whether a pointer is nil that stands for the zero value of a field: if the
// field doesn't write that either.
func zeroIsNil(f *model.Field) bool {
	return f.Zero() != model.Written || f.Type.IsCollection()
}

// loss says what becomes of some values of a field of one side, apart from what is in them,
// on the way to the other side and back. It is "" if they come back as they are: see
// [writer.field], which the cases follow.
func (t *lossAnalyzer) loss(r *mapping.Relation, from, to *model.Field) string {
	other := t.spoke.version(!t.side)
	isPointer, toPointer := from.Type.Kind == model.Pointer, to.Type.Kind == model.Pointer
	switch {
	case r.Shape == mapping.One:
		if mapping.IsList(from.Type) {
			return "is a list, and a single value in " + other
		}
	case isPointer && !toPointer:
		if !to.Type.NullIfZero() && !(to.Type.IsCollection() && absenceOf(to) == apart) {
			return "may be unset, which it can't be told from zero in " + other
		}
	case !isPointer && !toPointer && from.Type.IsCollection():
		if absenceOf(from) == apart && absenceOf(to) != apart {
			return "may be empty, which it can't be told from unset in " + other
		}
	}
	return ""
}

// holdsAll reports whether a type has all numbers of another one.
func holdsAll(wide, narrow *model.Type) bool {
	return gotypes.IntegerNamed(wide.Basic).Holds(gotypes.IntegerNamed(narrow.Basic))
}

package versionconversion

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// An absence says how a field encodes a nil list or map, and an empty one.
type absence uint8

const (
	// together: nil and empty are both omitted, so they are the same value.
	together absence = iota
	// apart: nil and empty are encoded differently.
	apart
	// neverNil: an empty one must be written, since the API server refuses null.
	neverNil
)

// absenceOf returns the absence of a field with a list or a map.
func absenceOf(f *model.Field) absence {
	switch {
	case f.OmitEmpty:
		return together
	// omitzero writes an empty list, and nullable accepts null.
	case f.OmitZero || slices.ContainsFunc(f.Markers, func(m model.Marker) bool { return m.Text == markers.Nullable }):
		return apart
	default:
		return neverNil
	}
}

// zeroIsNil reports whether the zero value of a field becomes a nil pointer: if the field omits its zero value,
// a pointer to it would come back as nil.
func zeroIsNil(f *model.Field) bool {
	return f.Zero() != model.Written || f.Type.IsCollection()
}

// loss says which values of a field don't survive the way to the other side and back, apart from the contents.
// It returns "" if all come back as they are. The cases follow those of [writer.field], which writes the
// conversion.
func (t *lossAnalyzer) loss(r *mapping.Relation, from, to *model.Field) string {
	other := t.spoke.version(!t.side)
	isPointer, toPointer := from.Type.Kind == model.Pointer, to.Type.Kind == model.Pointer
	switch {
	case r.Shape == mapping.One:
		if mapping.IsList(from.Type) {
			return "is a list, and a single value in " + other
		}
	// A pointer tells unset from zero; the other side has one representation for both.
	case isPointer && !toPointer:
		if !to.Type.NullIfZero() && !(to.Type.IsCollection() && absenceOf(to) == apart) {
			return "may be unset, which it can't be told from zero in " + other
		}
	// omitempty on the other side turns an empty list into an unset one.
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

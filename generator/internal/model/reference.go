package model

import "github.com/mrgen-io/mrgen/markers"

// OwnMarker returns the field's first marker of mrgen's own with that name, or nil.
func (f *Field) OwnMarker(name string) *Marker { return FindMarker(f.Markers, name) }

// ReferenceNames returns the Go names of the fields with the references, and with the
// selector, that the field's value is resolved from. Both are "" if the field has no
// reference marker.
func (f *Field) ReferenceNames() (reference, selector string) {
	if f.OwnMarker(markers.ReferenceType) == nil {
		return "", ""
	}
	reference, selector = f.Name+"Ref", f.Name+"Selector"
	if t := f.Type; t.Kind == Slice && !t.Array {
		reference = f.Name + "Refs"
	}
	if m := f.OwnMarker(markers.ReferenceFieldName); m != nil {
		reference = m.Value.Text("")
	}
	if m := f.OwnMarker(markers.ReferenceSelectorFieldName); m != nil {
		selector = m.Value.Text("")
	}
	return reference, selector
}

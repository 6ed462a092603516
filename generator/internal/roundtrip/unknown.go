package roundtrip

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// unknown warns about fields that the API server keeps and Go drops.
func (c *checker) unknown(part schema.Cursor) {
	for _, at := range Unheld(part) {
		if len(at.Schema.Properties) == 0 {
			continue // a schemaless field: its Go type says what is in it
		}
		isMirrored := slices.ContainsFunc(at.Way(), func(around schema.Cursor) bool {
			return around.Type.Deref().Derived || around.Above != nil && isMirror(around.Above.Type.Deref(), around.Field)
		})
		if !isMirrored && !at.Pos.IsOutside() { // the warning is at the field of spec.forProvider
			c.diags = append(c.diags, diag.Warningf(at.Pos, codeRoundTrip,
				"updates from Go drop the fields of %s that its type lacks: use *runtime.RawExtension, or remove +%s", strings.TrimPrefix(at.Path.String(), "."),
				UnknownMarker(at)))
		}
	}
}

// keepsUnknown are the markers of a value that keeps unknown fields.
var keepsUnknown = []string{
	markers.PreserveUnknownFields, markers.XPreserveUnknownFields, markers.EmbeddedResource, markers.XEmbeddedResource,
}

// UnknownMarker returns the marker by which a value keeps unknown fields.
func UnknownMarker(at schema.Cursor) string {
	if m := model.Named(at.Markers(), keepsUnknown...); m != nil {
		return m.Text
	}
	return markers.PreserveUnknownFields
}

// Unheld returns the places at and below a value that keep unknown fields for which their Go types have no
// place.
func Unheld(at schema.Cursor) []schema.Cursor {
	if at.Schema == nil || at.Type == nil {
		return nil
	}
	t := at.Type.Deref()
	switch isStruct := t.Kind == model.Struct; {
	case t.Marshals || t.Unmarshals:
		return nil // it encodes itself
	case isStruct && (schema.KeepsUnknown(at.Schema) || at.Schema.XEmbeddedResource && lacksMetadata(t)):
		return []schema.Cursor{at}
	}
	var found []schema.Cursor
	for below := range at.Below() {
		found = append(found, Unheld(below)...)
	}
	return found
}

// lacksMetadata reports whether a struct lacks the fields that the API server keeps in each embedded resource.
func lacksMetadata(t *model.Type) bool {
	return t.Field("apiVersion") == nil || t.Field("kind") == nil || t.Field("metadata") == nil
}

// isMirror reports whether a stage declares a field of a struct, in a struct that is embedded in it.
func isMirror(t *model.Type, f *model.Field) bool {
	for declaring, of := range t.Inlined() {
		if of == f {
			return declaring.Derived
		}
	}
	return false
}

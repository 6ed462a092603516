package crd

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/versions"
	"github.com/mrgen-io/mrgen/markers"
)

// checkUnknown reports unknown fields that a version keeps and conversions would drop: the webhook decodes
// objects into Go types.
func checkUnknown(d stage.Definition) diag.List {
	var diags diag.List
	isConverted := func(o *model.Object) bool {
		// The author's own conversions may handle them.
		return o != d.Objects[d.Stored()] && !(o.Methods[versions.ConvertToMethod] && o.Methods[versions.ConvertFromMethod])
	}
	if !slices.ContainsFunc(d.Objects, isConverted) {
		return nil
	}
	for i, o := range d.Objects {
		if i != d.Stored() && !isConverted(o) {
			continue
		}
		for _, at := range unheld(d.Root(i)) {
			diags = append(diags, diag.Errorf(at.Pos, versions.Code,
				"%s of %s keeps fields that its Go type lacks, and conversions drop: use a type that holds any JSON, such as *runtime.RawExtension, or remove +%s",
				at.Path, o.Name, markerAt(at)))
		}
	}
	return diags
}

// keepsUnknown are the markers of a value that keeps unknown fields.
var keepsUnknown = []string{
	markers.PreserveUnknownFields, markers.XPreserveUnknownFields, markers.EmbeddedResource, markers.XEmbeddedResource,
}

// markerAt returns the marker by which a value keeps unknown fields.
func markerAt(at schema.Cursor) string {
	for _, m := range at.Markers() {
		if slices.Contains(keepsUnknown, m.Text) {
			return m.Text
		}
	}
	return markers.PreserveUnknownFields
}

// unheld returns the places at and below a value that keep unknown fields for which their Go types have no
// place.
func unheld(at schema.Cursor) []schema.Cursor {
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
		found = append(found, unheld(below)...)
	}
	return found
}

// lacksMetadata reports whether a struct lacks the fields that the API server keeps in each embedded resource.
func lacksMetadata(t *model.Type) bool {
	return t.Field("apiVersion") == nil || t.Field("kind") == nil || t.Field("metadata") == nil
}

package versions

import (
	"maps"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// Unheld returns the places at and below a value that keep fields which their Go type has no place
// for. The webhook decodes objects into Go types, and so drops these fields.
func Unheld(at schema.Cursor) []schema.Cursor {
	if at.Schema == nil || at.Type == nil {
		return nil
	}
	t := at.Type.Deref()
	switch isStruct := t.Kind == model.Struct; {
	case t.Marshals || t.Unmarshals:
		return nil // it encodes itself
	case isStruct && (keepsUnknown(at.Schema) || at.Schema.XEmbeddedResource && lacksMetadata(t)):
		return []schema.Cursor{at}
	}
	var found []schema.Cursor
	for _, name := range slices.Sorted(maps.Keys(at.Schema.Properties)) {
		found = append(found, Unheld(at.Property(name))...)
	}
	return append(append(found, Unheld(at.Items())...), Unheld(at.Values())...)
}

// lacksMetadata reports whether a struct lacks what the API server keeps of each embedded resource.
func lacksMetadata(t *model.Type) bool {
	return t.Field("apiVersion") == nil || t.Field("kind") == nil || t.Field("metadata") == nil
}

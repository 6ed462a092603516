package rules

import (
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A structure says how rules can compare the fields in a value.
type structure uint8

const (
	// single values have no fields with markers.
	single structure = iota
	// object values have fields.
	object
	// keyed values are lists of objects with keys, and maps of objects.
	keyed
	// replaced values are lists of objects that only change as a whole.
	replaced
)

// structureOf returns the structure of a value, and the object with its fields: the value
// itself, or its elements.
func structureOf(at schema.Cursor) (s structure, elem schema.Cursor) {
	elem = at
	switch t := at.Type.Deref(); {
	case t.Kind == model.Struct:
		s = object
	case t.Kind == model.Slice && at.Schema.Items != nil:
		elem = at.Items()
		s = replaced
		// Only keys pair old and new items.
		if at.Schema.XListType != nil && *at.Schema.XListType == "map" {
			s = keyed
		}
	case t.Kind == model.Map && at.Schema.AdditionalProperties != nil:
		elem = at.Values()
		s = keyed
	}
	if t := elem.Type.Deref(); t.Kind != model.Struct || !t.Local || !isObject(elem.Schema) {
		// Types of other modules can't have the author's markers.
		s = single
	}
	return s, elem
}

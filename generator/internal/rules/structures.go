package rules

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

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

// isObject reports whether a schema describes an object with named properties, which rules
// can read.
func isObject(s *apiextensionsv1.JSONSchemaProps) bool {
	return s != nil && s.Type == "object" && len(s.Properties) > 0 && s.AdditionalProperties == nil
}

// canRead reports whether rules can read values of a schema. It follows SchemaDeclType in
// pkg/cel/common of k8s.io/apiserver.
func canRead(s *apiextensionsv1.JSONSchemaProps) bool {
	if s.XIntOrString {
		return true
	}
	switch s.Type {
	case "array":
		return s.Items != nil && s.Items.Schema != nil && canRead(s.Items.Schema)
	case "object":
		return s.AdditionalProperties == nil || s.AdditionalProperties.Schema == nil || canRead(s.AdditionalProperties.Schema)
	case "string", "boolean", "number", "integer":
		return true
	default:
		return false
	}
}

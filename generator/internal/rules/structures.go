package rules

import (
	"strings"

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

// unreadable returns why rules can't read values of a schema, not even whether they are set, or nil.
func unreadable(s *apiextensionsv1.JSONSchemaProps) *obstacle {
	switch {
	case s == nil: // the schema doesn't declare it
		return nil
	case schema.IsBytes(s):
		return &obstacle{"rules fail on Base64 with + or /", "make it a string"}
	case !hasType(s):
		return &obstacle{"rules can't read a field without a type", ""}
	}
	return nil
}

// incomparable returns why rules can't compare two values with ==, because of a value in them, or nil.
func incomparable(at schema.Cursor, name string) *obstacle {
	if schema.IsBytes(at.Schema) {
		return &obstacle{"rules fail on Base64 with + or /", "make " + name + " a string"}
	}
	if at.Schema.Type == "object" && schema.KeepsUnknown(at.Schema) && len(at.Schema.Properties) == 0 {
		fields := "its fields"
		if name != "it" {
			fields = "the fields of " + name
		}
		return &obstacle{"rules see no field of a value without a schema", "declare " + fields}
	}
	for below := range at.Below() {
		if why := incomparable(below, strings.TrimPrefix(below.Path[2:].String(), ".")); why != nil {
			return why
		}
	}
	return nil
}

// hasType reports whether values of a schema have a type in rules. It follows SchemaDeclType in pkg/cel/common of
// k8s.io/apiserver.
func hasType(s *apiextensionsv1.JSONSchemaProps) bool {
	if s.XIntOrString {
		return true
	}
	switch s.Type {
	case "array":
		return s.Items != nil && s.Items.Schema != nil && hasType(s.Items.Schema)
	case "object":
		return s.AdditionalProperties == nil || s.AdditionalProperties.Schema == nil || hasType(s.AdditionalProperties.Schema)
	case "string", "boolean", "number", "integer":
		return true
	default:
		return false
	}
}

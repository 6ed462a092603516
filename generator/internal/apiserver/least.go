package apiserver

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiserver/pkg/cel"
)

// The API server estimates how often lists and maps without a limit can repeat an
// object from how many bytes of JSON it takes at least, see SchemaDeclType in
// pkg/cel/common of k8s.io/apiserver. What is returned here may be less, so that rules
// are taken for more expensive, but never more.

// requiredSize returns how many bytes the required fields of an object take at least.
func requiredSize(s *apiextensionsv1.JSONSchemaProps) int {
	size := 0
	for i, name := range s.Required {
		field, found := s.Properties[name]
		// The API server sets what has a default.
		if !found || field.Default != nil || slices.Contains(s.Required[:i], name) {
			continue
		}
		if least := leastSize(&field); least > 0 {
			size += fieldSize(name, least)
		}
	}
	return size
}

// fieldSize returns how many bytes a field takes, given its name and the size of its
// value: there are two quotes, a colon and a comma.
func fieldSize(name string, value int) int { return len(name) + value + 4 }

// leastSize returns how many bytes a value takes at least; 0 if rules can't see it, or
// may not.
func leastSize(s *apiextensionsv1.JSONSchemaProps) int {
	if s.XIntOrString || s.XEmbeddedResource {
		return 0
	}
	switch s.Type {
	case "string":
		return cel.MinStringSize
	case "boolean":
		return cel.MinBoolSize
	case "integer", "number":
		return cel.MinNumberSize
	case "array":
		if s.Items == nil || s.Items.Schema == nil || leastSize(s.Items.Schema) == 0 {
			return 0
		}
		return len("[]")
	case "object":
		if values := s.AdditionalProperties; values == nil || values.Schema == nil {
			return len("{}") + requiredSize(s)
		} else if leastSize(values.Schema) == 0 {
			return 0
		}
		return len("{}")
	default:
		return 0
	}
}

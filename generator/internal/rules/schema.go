package rules

import apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

// isObject reports whether the schema is that of an object with properties of its
// own, each of which a rule can reach.
func isObject(s *apiextensionsv1.JSONSchemaProps) bool {
	return s != nil && s.Type == "object" && len(s.Properties) > 0 && s.AdditionalProperties == nil
}

// exposed reports whether rules can read values of a schema. It follows
// SchemaDeclType in pkg/cel/common of k8s.io/apiserver.
func exposed(s *apiextensionsv1.JSONSchemaProps) bool {
	if s.XIntOrString {
		return true
	}
	switch s.Type {
	case "array":
		return s.Items != nil && s.Items.Schema != nil && exposed(s.Items.Schema)
	case "object":
		return s.AdditionalProperties == nil || s.AdditionalProperties.Schema == nil || exposed(s.AdditionalProperties.Schema)
	case "string", "boolean", "number", "integer":
		return true
	default:
		return false
	}
}

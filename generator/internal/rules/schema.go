package rules

import apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

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

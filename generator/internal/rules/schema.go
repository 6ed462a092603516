package rules

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
)

// child returns the schema of a property, or nil. It is a copy: see [edit].
func child(s *apiextensionsv1.JSONSchemaProps, names ...string) *apiextensionsv1.JSONSchemaProps {
	for _, name := range names {
		if s == nil {
			return nil
		}
		property, ok := s.Properties[name]
		if !ok {
			return nil
		}
		s = &property
	}
	return s
}

// edit changes the schema that a path leads to. Properties are values in a map, so
// that each schema on the way is put back.
func edit(s *apiextensionsv1.JSONSchemaProps, path apiserver.Path, change func(*apiextensionsv1.JSONSchemaProps)) {
	if len(path) == 0 {
		change(s)
		return
	}
	switch step := path[0]; step.Kind {
	case apiserver.Items:
		edit(s.Items.Schema, path[1:], change)
	case apiserver.Values:
		edit(s.AdditionalProperties.Schema, path[1:], change)
	default:
		property := s.Properties[step.Name]
		edit(&property, path[1:], change)
		s.Properties[step.Name] = property
	}
}

// properties returns the path to a property of a property, and so on.
func properties(names ...string) apiserver.Path {
	var path apiserver.Path
	for _, name := range names {
		path = append(path, apiserver.Step{Kind: apiserver.Property, Name: name})
	}
	return path
}

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

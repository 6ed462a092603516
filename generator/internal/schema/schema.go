// Package schema addresses places in the schema of a CRD with paths, and walks a schema and
// its Go type side by side with a cursor.
package schema

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Child returns the schema that a step leads to, or nil. The schema of a property is a copy:
// use [Edit] to change it.
func Child(s *apiextensionsv1.JSONSchemaProps, step Step) *apiextensionsv1.JSONSchemaProps {
	switch {
	case s == nil:
	case step.Kind == Property:
		if property, ok := s.Properties[step.Name]; ok {
			return &property
		}
	case step.Kind == Items && s.Items != nil:
		return s.Items.Schema
	case step.Kind == Values && s.AdditionalProperties != nil:
		return s.AdditionalProperties.Schema
	}
	return nil
}

// At returns the schema that a path leads to, or nil. Like that of [Child], it may be a copy.
func At(s *apiextensionsv1.JSONSchemaProps, path Path) *apiextensionsv1.JSONSchemaProps {
	for _, step := range path {
		s = Child(s, step)
	}
	return s
}

// Edit changes the schema that a path leads to. Since properties are values in a map, it
// puts back each schema on the path.
func Edit(s *apiextensionsv1.JSONSchemaProps, path Path, change func(*apiextensionsv1.JSONSchemaProps)) {
	if len(path) == 0 {
		change(s)
		return
	}
	below := Child(s, path[0])
	Edit(below, path[1:], change)
	if path[0].Kind == Property {
		s.Properties[path[0].Name] = *below
	}
}

// Always reports whether the schema of an object guarantees a property.
func Always(object *apiextensionsv1.JSONSchemaProps, name string) bool {
	return slices.Contains(object.Required, name) || object.Properties[name].Default != nil
}

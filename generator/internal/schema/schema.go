// Package schema is about places in the schema of a CRD: the paths that lead there, and a
// cursor that walks the schema and the Go type beside it.
package schema

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Child returns the schema that a step leads to, or nil if there is none. That of a
// property is a copy: see [Edit].
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

// At returns the schema that a path leads to, or nil if there is none, as [Child] does.
func At(s *apiextensionsv1.JSONSchemaProps, path Path) *apiextensionsv1.JSONSchemaProps {
	for _, step := range path {
		s = Child(s, step)
	}
	return s
}

// Edit changes the schema that a path leads to. Properties are values in a map, so that
// each schema on the way is put back.
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

// Always reports whether the schema of an object sees to it that a property is there.
func Always(object *apiextensionsv1.JSONSchemaProps, name string) bool {
	return slices.Contains(object.Required, name) || object.Properties[name].Default != nil
}

// Package schema addresses places in the schema of a CRD by paths, edits copies of schemas, and walks a schema and its
// Go type side by side with a cursor.
package schema

import (
	"iter"
	"maps"
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

// At returns the schema that a path leads to, or nil. Like the result of [Child], it may be a copy.
func At(s *apiextensionsv1.JSONSchemaProps, path Path) *apiextensionsv1.JSONSchemaProps {
	for _, step := range path {
		s = Child(s, step)
	}
	return s
}

// Below yields the schemas of the values in a value, and the steps to them: its properties in the order of their names,
// then its items or the values of the map. The schema of a property is valid until the next one.
func Below(s *apiextensionsv1.JSONSchemaProps) iter.Seq2[Step, *apiextensionsv1.JSONSchemaProps] {
	return func(yield func(Step, *apiextensionsv1.JSONSchemaProps) bool) {
		if s == nil {
			return
		}
		// Schemas are large, and an object has many: one variable serves all properties.
		var property apiextensionsv1.JSONSchemaProps
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if property = s.Properties[name]; !yield(Step{Name: name}, &property) {
				return
			}
		}
		for _, step := range elements {
			if child := Child(s, step); child != nil && !yield(step, child) {
				return
			}
		}
	}
}

// elements are the steps to the elements of a list or a map.
var elements = []Step{{Kind: Items}, {Kind: Values}}

// Put makes a step lead from one schema to another.
func Put(s *apiextensionsv1.JSONSchemaProps, step Step, below *apiextensionsv1.JSONSchemaProps) {
	switch step.Kind {
	case Items:
		s.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: below}
	case Values:
		s.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: below}
	default:
		if s.Properties == nil {
			s.Properties = map[string]apiextensionsv1.JSONSchemaProps{}
		}
		s.Properties[step.Name] = *below
	}
}

// Map returns a copy of a schema in which a function has changed each schema, the outer ones first. The function must
// replace, not change, the other parts that a schema refers to, such as its rules and the parts of anyOf: they are
// shared with the original.
func Map(s *apiextensionsv1.JSONSchemaProps, change func(*apiextensionsv1.JSONSchemaProps)) *apiextensionsv1.JSONSchemaProps {
	c := *s
	if c.Properties = nil; len(s.Properties) > 0 {
		c.Properties = maps.Clone(s.Properties)
	}
	// The outer schema is changed first, so that properties which the function removes aren't copied.
	change(&c)
	for step, below := range Below(&c) {
		Put(&c, step, Map(below, change))
	}
	return &c
}

// Edit changes the schema that a path leads to.
func Edit(s *apiextensionsv1.JSONSchemaProps, path Path, change func(*apiextensionsv1.JSONSchemaProps)) {
	if len(path) == 0 {
		change(s)
		return
	}
	below := Child(s, path[0])
	Edit(below, path[1:], change)
	// Properties are values in a map: put back the changed copy.
	if path[0].Kind == Property {
		s.Properties[path[0].Name] = *below
	}
}

// KeepsUnknown reports whether objects keep fields that their schema doesn't declare.
func KeepsUnknown(s *apiextensionsv1.JSONSchemaProps) bool {
	return s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields
}

// Always reports whether the schema of an object guarantees a property.
func Always(object *apiextensionsv1.JSONSchemaProps, name string) bool {
	return slices.Contains(object.Required, name) || object.Properties[name].Default != nil
}

// Package schema knows the keywords of schemas, addresses places in the schema of a CRD by paths, edits copies of schemas,
// and walks a schema and its Go type side by side with a cursor.
package schema

import (
	"iter"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Child returns the schema that a step leads to, or nil. The schema of a property is a copy:
// use [Edit] to change it.
func Child(s *Props, step Step) *Props {
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
func At(s *Props, path Path) *Props {
	for _, step := range path {
		s = Child(s, step)
	}
	return s
}

// Below yields the schemas of the values in a value, and the steps to them: its properties in the order of their names,
// then its items or the values of the map. The schema of a property is valid until the next one.
func Below(s *Props) iter.Seq2[Step, *Props] {
	return func(yield func(Step, *Props) bool) {
		if s == nil {
			return
		}
		if len(s.Properties) > 0 {
			// Schemas are large, and an object has many: one variable serves all properties.
			var property Props
			for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
				if property = s.Properties[name]; !yield(Step{Name: name}, &property) {
					return
				}
			}
		}
		for _, step := range elements {
			if child := Child(s, step); child != nil && !yield(step, child) {
				return
			}
		}
	}
}

// Each visits the schemas right below a schema: values, as [Below] yields them, and other schemas of the same value, with the
// step [Same]. A visitor that returns true may have changed its schema.
func Each(s *Props, visit func(step Step, below *Props) (changed bool)) {
	for step, below := range Below(s) {
		if visit(step, below) && step.Kind == Property {
			s.Properties[step.Name] = *below
		}
	}
	for _, k := range branching {
		if k.IsSet(s) {
			k.Each(s, visit)
		}
	}
}

// Each visits the schemas of a keyword that hold for the same value.
func (k *Keyword) Each(s *Props, visit func(Step, *Props) bool) {
	list := func(all []Props) {
		for i := range all {
			visit(Step{Kind: Same}, &all[i])
		}
	}
	named := func(all map[string]Props) {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if below := all[name]; visit(Step{Kind: Same}, &below) {
				all[name] = below
			}
		}
	}
	one := func(below *Props) {
		if below != nil {
			visit(Step{Kind: Same}, below)
		}
	}
	switch value := k.In(s).Interface().(type) {
	case []Props:
		list(value)
	case *Props:
		one(value)
	case map[string]Props:
		named(value)
	case apiextensionsv1.JSONSchemaDefinitions:
		named(value)
	case *apiextensionsv1.JSONSchemaPropsOrArray:
		list(value.JSONSchemas)
	case *apiextensionsv1.JSONSchemaPropsOrBool:
		one(value.Schema)
	case apiextensionsv1.JSONSchemaDependencies:
		for _, dependency := range value {
			one(dependency.Schema)
		}
	}
}

// elements are the steps to the elements of a list or a map.
var elements = []Step{{Kind: Items}, {Kind: Values}}

// Put makes a step lead from one schema to another.
func Put(s *Props, step Step, below *Props) {
	switch step.Kind {
	case Items:
		s.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: below}
	case Values:
		s.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: below}
	default:
		if s.Properties == nil {
			s.Properties = map[string]Props{}
		}
		s.Properties[step.Name] = *below
	}
}

// Map returns a copy of a schema in which a function has changed each schema, the outer ones first. The function must
// replace, not change, the other parts that a schema refers to, such as its rules and the parts of anyOf: they are
// shared with the original.
func Map(s *Props, change func(*Props)) *Props {
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
func Edit(s *Props, path Path, change func(*Props)) {
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
func KeepsUnknown(s *Props) bool { return s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields }

// Always reports whether the schema of an object guarantees a property.
func Always(object *Props, name string) bool {
	return slices.Contains(object.Required, name) || object.Properties[name].Default != nil
}

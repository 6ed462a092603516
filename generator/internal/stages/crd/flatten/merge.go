package flatten

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// merger merges the branches of allOf, which represent embedded types and the types of fields,
// into the schemas around them. It must own these schemas.
type merger struct {
	conflicts []Conflict
	// path leads to the schema that receives the branches.
	path schema.Path
}

// enter moves to a schema in the current one, and returns the path to go back to.
func (m *merger) enter(step schema.Step) (back schema.Path) {
	back = m.path
	if step != (schema.Step{}) {
		m.path = append(m.path, step)
	}
	return back
}

// flatten merges the branches of a schema, and then those of the schemas in it. It works from
// the outside in, since merging decides which inner schemas belong together. It returns true to
// say that it changed the schema.
func (m *merger) flatten(step schema.Step, s *apiextensionsv1.JSONSchemaProps) bool {
	back := m.enter(step)
	branches := s.AllOf
	s.AllOf = nil // it takes what can't be merged
	for i := range branches {
		m.merge(s, &branches[i])
	}
	unshare(s)
	eachChild(s, m.flatten)
	m.path = back
	return true
}

// unshare copies what DeepCopy shares. It runs last, since defaults are only free of conflict as
// long as they share memory.
func unshare(s *apiextensionsv1.JSONSchemaProps) {
	s.Default, s.Example = s.Default.DeepCopy(), s.Example.DeepCopy()
	s.Enum = slices.Clone(s.Enum)
	for i := range s.Enum {
		s.Enum[i].Raw = slices.Clone(s.Enum[i].Raw)
	}
	s.XListMapKeys = slices.Clone(s.XListMapKeys)
	if s.XListType != nil {
		s.XListType = new(*s.XListType)
	}
}

// merge merges a branch and the branches in it. Documentation isn't merged.
func (m *merger) merge(dst, src *apiextensionsv1.JSONSchemaProps) {
	for i := range src.AllOf {
		m.merge(dst, &src.AllOf[i])
	}
	m.mergeType(dst, src)
	m.mergeProperties(dst, src)
	m.mergeAdditionalProperties(dst, src)
	mergeFlags(dst, src)
	mergeLists(dst, src)
	override(dst, src)
	hoistConflicts(dst, src)
}

// mergeType keeps the type of dst.
func (m *merger) mergeType(dst, src *apiextensionsv1.JSONSchemaProps) {
	switch {
	case dst.Type == "":
		dst.Type = src.Type
	case src.Type != "" && src.Type != dst.Type:
		m.conflicts = append(m.conflicts, Conflict{slices.Clone(m.path), [2]string{dst.Type, src.Type}})
	}
}

func (m *merger) mergeProperties(dst, src *apiextensionsv1.JSONSchemaProps) {
	if dst.Properties == nil {
		dst.Properties = src.Properties
		return
	}
	for name, property := range src.Properties {
		if existing, ok := dst.Properties[name]; ok {
			back := m.enter(schema.Step{Name: name})
			m.merge(&existing, &property)
			m.path = back
			property = existing
		}
		dst.Properties[name] = property
	}
}

func (m *merger) mergeAdditionalProperties(dst, src *apiextensionsv1.JSONSchemaProps) {
	switch {
	case dst.AdditionalProperties == nil:
		dst.AdditionalProperties = src.AdditionalProperties
	case src.AdditionalProperties == nil || src.AdditionalProperties.Schema == nil:
	default:
		if dst.AdditionalProperties.Schema == nil {
			dst.AdditionalProperties.Schema = &apiextensionsv1.JSONSchemaProps{}
		}
		back := m.enter(schema.Step{Kind: schema.Values})
		m.merge(dst.AdditionalProperties.Schema, src.AdditionalProperties.Schema)
		m.path = back
	}
}

// mergeFlags merges booleans.
func mergeFlags(dst, src *apiextensionsv1.JSONSchemaProps) {
	dst.ExclusiveMaximum = dst.ExclusiveMaximum || src.ExclusiveMaximum
	dst.ExclusiveMinimum = dst.ExclusiveMinimum || src.ExclusiveMinimum
	dst.UniqueItems = dst.UniqueItems || src.UniqueItems
	dst.Nullable = dst.Nullable || src.Nullable
	dst.XEmbeddedResource = dst.XEmbeddedResource || src.XEmbeddedResource
	dst.XIntOrString = dst.XIntOrString || src.XIntOrString
}

// mergeLists merges lists. It keeps the difference between nil and empty lists.
func mergeLists(dst, src *apiextensionsv1.JSONSchemaProps) {
	if dst.Required == nil {
		dst.Required = src.Required
	} else {
		dst.Required = append(dst.Required, src.Required...)
	}
	slices.Sort(dst.Required)
	dst.Required = slices.Compact(dst.Required)

	switch {
	case dst.XValidations == nil:
		dst.XValidations = src.XValidations
	case src.XValidations != nil:
		dst.XValidations = append(src.XValidations, dst.XValidations...)
	}
	if len(dst.Enum) == 0 && len(src.Enum) > 0 {
		dst.Enum = src.Enum
	}
}

// override sets fields that the last branch determines.
func override(dst, src *apiextensionsv1.JSONSchemaProps) {
	if src.XPreserveUnknownFields != nil {
		dst.XPreserveUnknownFields = src.XPreserveUnknownFields
	}
	if src.XListMapKeys != nil {
		dst.XListMapKeys = src.XListMapKeys
	}
	if src.XListType != nil {
		dst.XListType = src.XListType
	}
	if src.XMapType != nil {
		dst.XMapType = src.XMapType
	}
}

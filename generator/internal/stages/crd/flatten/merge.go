package flatten

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// merger merges the branches of allOf, which represent embedded types and the types of fields, into the schemas
// around them. The caller must own these schemas.
type merger struct{ conflicts []Conflict }

// flatten merges the branches of the schema at a path, and then of the schemas in it. It works from the outside
// in, since merging decides which inner schemas belong together.
func (m *merger) flatten(path schema.Path, s *apiextensionsv1.JSONSchemaProps) {
	branches := s.AllOf
	s.AllOf = nil // conflicts go there
	for i := range branches {
		m.merge(path, s, &branches[i])
	}
	unshare(s)
	eachChild(s, func(step schema.Step, child *apiextensionsv1.JSONSchemaProps) bool {
		below := path
		if step != (schema.Step{}) {
			below = path.With(step)
		}
		m.flatten(below, child)
		return true
	})
}

// unshare copies the memory that DeepCopy shares. It runs last: shared memory is how equal defaults avoid a
// conflict.
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
func (m *merger) merge(path schema.Path, dst, src *apiextensionsv1.JSONSchemaProps) {
	for i := range src.AllOf {
		m.merge(path, dst, &src.AllOf[i])
	}
	m.mergeType(path, dst, src)
	m.mergeProperties(path, dst, src)
	m.mergeAdditionalProperties(path, dst, src)
	mergeFlags(dst, src)
	mergeLists(dst, src)
	override(dst, src)
	hoistConflicts(dst, src)
}

// mergeType keeps the type of dst.
func (m *merger) mergeType(path schema.Path, dst, src *apiextensionsv1.JSONSchemaProps) {
	switch {
	case dst.Type == "":
		dst.Type = src.Type
	case src.Type != "" && src.Type != dst.Type:
		m.conflicts = append(m.conflicts, Conflict{path, [2]string{dst.Type, src.Type}})
	}
}

func (m *merger) mergeProperties(path schema.Path, dst, src *apiextensionsv1.JSONSchemaProps) {
	if dst.Properties == nil {
		dst.Properties = src.Properties
		return
	}
	for name, property := range src.Properties {
		if existing, ok := dst.Properties[name]; ok {
			m.merge(path.With(schema.Step{Name: name}), &existing, &property)
			property = existing
		}
		dst.Properties[name] = property
	}
}

func (m *merger) mergeAdditionalProperties(path schema.Path, dst, src *apiextensionsv1.JSONSchemaProps) {
	switch {
	case dst.AdditionalProperties == nil:
		dst.AdditionalProperties = src.AdditionalProperties
	case src.AdditionalProperties == nil || src.AdditionalProperties.Schema == nil: // true or false says nothing more than dst does
	default:
		if dst.AdditionalProperties.Schema == nil {
			dst.AdditionalProperties.Schema = &apiextensionsv1.JSONSchemaProps{}
		}
		m.merge(path.With(schema.Step{Kind: schema.Values}), dst.AdditionalProperties.Schema, src.AdditionalProperties.Schema)
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
		// This is controller-tools' order.
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

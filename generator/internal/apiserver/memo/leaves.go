package memo

import (
	"reflect"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// A leaf is a property with no more than a type, a format and a description. Half of all properties are
// leaves, of a few types.
//
// What the API server's code says of a leaf depends on nothing but its type and format, and what it
// says of all else does not depend on a leaf, apart from what is at or above the schema that the leaf
// is a property of:
//
//   - rules, which may read it;
//   - defaults, which may have a value for it;
//   - keywords that combine schemas, which may name it;
//   - lists that tell their items apart by such a property;
//   - lists and maps with rules below, which cost the more the smaller elements can be.
//
// Below these no leaf is left out; nor is what the API server itself puts into a resource, nor
// anything of a version with selectable fields.
type leaf struct {
	typ, format string
	nullable    bool
}

// withoutLeaves returns the schema of a resource without the leaves that are known in its spec and
// status, and whether there are any.
func (f *finder) withoutLeaves(root *apiextensionsv1.JSONSchemaProps) (*apiextensionsv1.JSONSchemaProps, bool) {
	if !isTransparent(root) || !isPlainObject(root) {
		return root, false
	}
	rest, changed := *root, false
	rest.Properties = make(map[string]apiextensionsv1.JSONSchemaProps, len(root.Properties))
	for name, property := range root.Properties {
		below, less := property, false
		if name == "spec" || name == "status" {
			below, less = f.pruned(property)
		}
		rest.Properties[name] = below
		changed = changed || less
	}
	return &rest, changed
}

// pruned returns a schema without the leaves below it that are known, and whether there are any. It takes
// and returns copies, as [finder.without] does.
func (f *finder) pruned(s apiextensionsv1.JSONSchemaProps) (rest apiextensionsv1.JSONSchemaProps, changed bool) {
	rest = s
	switch {
	case !isTransparent(&s):
	case isPlainObject(&s):
		rest.Properties = make(map[string]apiextensionsv1.JSONSchemaProps)
		for name, property := range s.Properties {
			if l, isLeaf := f.leafOf(property); isLeaf {
				f.leaves[l] = true
				if f.validator.isAcceptedLeaf(l) {
					changed = true
					continue
				}
			}
			below, less := f.pruned(property)
			rest.Properties[name] = below
			changed = changed || less
		}
	case s.Items != nil && s.Items.Schema != nil && len(s.XListMapKeys) == 0 && countRules(s.Items.Schema) == 0:
		items := *s.Items
		items.Schema, changed = f.prunedBelow(s.Items.Schema)
		rest.Items = &items
	case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil && countRules(s.AdditionalProperties.Schema) == 0:
		values := *s.AdditionalProperties
		values.Schema, changed = f.prunedBelow(s.AdditionalProperties.Schema)
		rest.AdditionalProperties = &values
	}
	if !changed {
		return s, false
	}
	return rest, true
}

// prunedBelow does what pruned does, for the elements of a list or map.
func (f *finder) prunedBelow(s *apiextensionsv1.JSONSchemaProps) (*apiextensionsv1.JSONSchemaProps, bool) {
	rest, changed := f.pruned(*s)
	if !changed {
		return s, false
	}
	return &rest, true
}

// isTransparent reports whether nothing in a schema itself depends on what is below it.
func isTransparent(s *apiextensionsv1.JSONSchemaProps) bool {
	return len(s.XValidations) == 0 && s.Default == nil && !s.XEmbeddedResource && !s.XIntOrString &&
		len(s.AllOf) == 0 && len(s.AnyOf) == 0 && len(s.OneOf) == 0 && s.Not == nil
}

// leafOf returns the leaf that a property is; false if it is more.
func (f *finder) leafOf(s apiextensionsv1.JSONSchemaProps) (leaf, bool) {
	l := leaf{s.Type, s.Format, s.Nullable}
	if len(s.Properties) > 0 || s.Items != nil || s.AdditionalProperties != nil || len(s.Enum) > 0 {
		return l, false // most that are more
	}
	s.Type, s.Format, s.Nullable, s.Description = "", "", false, ""
	f.bare = s
	return l, reflect.ValueOf(&f.bare).Elem().IsZero()
}

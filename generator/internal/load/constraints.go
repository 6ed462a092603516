package load

import (
	"cmp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// FieldConstraints returns what the markers of a field demand of its value.
func (s *Source) FieldConstraints(f *model.Field) constraint.Set {
	return s.constraints(f.Markers, f.Type, ctmarkers.DescribesField)
}

// TypeConstraints returns what the markers of a declared type demand of its values.
func (s *Source) TypeConstraints(t *model.Type) constraint.Set {
	return s.constraints(t.Markers, t, ctmarkers.DescribesType)
}

// constraints applies markers as controller-tools does: see applyMarkers in its
// pkg/crd/schema.go.
func (s *Source) constraints(markers []model.Marker, t *model.Type, target ctmarkers.TargetType) constraint.Set {
	type applied struct {
		text, name string
		marker     crd.SchemaMarker
	}
	var all []applied
	set := constraint.Set{Schema: *outline(t)}
	for _, m := range markers {
		definition := s.Collector.Lookup("+"+m.Text, target)
		if m.Value != nil || definition == nil {
			continue
		}
		value, err := definition.Parse("+" + m.Text)
		if err != nil {
			set.Unknown = append(set.Unknown, m.Text) // reported when the markers were collected
			continue
		}
		switch value := value.(type) {
		case crdmarkers.AtMostOneOf:
			set.OneOf = append(set.OneOf, constraint.OneOf{Fields: value, AtMost: true})
		case crdmarkers.AtLeastOneOf:
			set.OneOf = append(set.OneOf, constraint.OneOf{Fields: value, AtLeast: true})
		case crdmarkers.ExactlyOneOf:
			set.OneOf = append(set.OneOf, constraint.OneOf{Fields: value, AtMost: true, AtLeast: true})
		case crd.SchemaMarker:
			all = append(all, applied{m.Text, definition.Name, value})
		}
	}
	priority := func(a applied) crdmarkers.ApplyPriority {
		if m, ok := a.marker.(crdmarkers.ApplyPriorityMarker); ok {
			return m.ApplyPriority()
		}
		return crdmarkers.ApplyPriorityDefault
	}
	slices.SortStableFunc(all, func(a, b applied) int { return cmp.Compare(priority(a), priority(b)) })
	for _, a := range all {
		to := &set.Schema
		if strings.HasPrefix(a.name, crdmarkers.ValidationItemsPrefix) && to.Items != nil {
			to = to.Items.Schema
		}
		if err := a.marker.ApplyToSchema(nil, to); err != nil {
			set.Unknown = append(set.Unknown, a.text)
		}
	}
	return set
}

// outline returns the schema of a type as far as markers ask for it: JSON types.
func outline(t *model.Type) *apiextensionsv1.JSONSchemaProps {
	t = t.Deref()
	schema := &apiextensionsv1.JSONSchemaProps{Type: jsonType(t)}
	if schema.Type == "array" {
		schema.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{Type: jsonType(t.Elem.Deref())}}
	}
	return schema
}

// jsonType returns the JSON type of a type, or "" if its methods decide.
func jsonType(t *model.Type) string {
	switch {
	case t.Marshals:
		return ""
	case t.Kind == model.Struct, t.Kind == model.Map:
		return "object"
	case t.Kind == model.Slice && (t.Elem.Basic == "uint8" || t.Elem.Basic == "byte"):
		return "string"
	case t.Kind == model.Slice:
		return "array"
	case t.Kind != model.Basic:
		return ""
	case t.Basic == "string":
		return "string"
	case t.Basic == "bool":
		return "boolean"
	case strings.HasPrefix(t.Basic, "float"):
		return "number"
	default:
		return "integer"
	}
}

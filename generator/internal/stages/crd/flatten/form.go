package flatten

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A Form says which constraints of the types of its fields the schema of a type keeps.
type Form uint8

const (
	// Inherited types have the form of the type around them. At the top, they keep everything.
	Inherited Form = iota
	// Whole types keep everything, as do the types in them.
	Whole
	// Initial types are for a part of a value: no other type requires a field or sets a default. Keys of
	// lists stay, since lists are never in parts.
	Initial
	// Observed types keep neither constraints nor defaults.
	Observed
)

// A place is where a value is in the value around it.
type place struct {
	// inlined is set if the value is the one around it, which embeds the type.
	inlined bool
	// keys are the fields that tell items of a list apart, if the value is one. isKey is set if it is
	// such a field.
	keys  []string
	isKey bool
}

// enter returns the place of a value in the one with a schema.
func (p place) enter(s *apiextensionsv1.JSONSchemaProps, step schema.Step) place {
	switch {
	case step == schema.Step{}:
		p.inlined = p.inlined || s.Properties != nil
		return p
	case step.Kind == schema.Items:
		return place{keys: s.XListMapKeys}
	default:
		return place{isKey: step.Kind == schema.Property && slices.Contains(p.keys, step.Name)}
	}
}

// reduce takes from the schema of a type what the form doesn't keep.
func (f Form) reduce(s *apiextensionsv1.JSONSchemaProps, at place) {
	if f != Initial && f != Observed {
		return
	}
	eachChild(s, func(step schema.Step, child *apiextensionsv1.JSONSchemaProps) bool {
		f.reduce(child, at.enter(s, step))
		return true
	})
	if f == Observed {
		*s = *bare(s)
		return
	}
	s.Required = slices.DeleteFunc(s.Required, func(name string) bool { return !slices.Contains(at.keys, name) })
	if !at.isKey {
		s.Default = nil
	}
	if at.inlined {
		s.MinProperties, s.XValidations, s.OneOf, s.AnyOf, s.Not = nil, nil, nil, nil, nil // the other part may satisfy them
	}
}

// bare returns a schema without constraints, but with the form of values. Lists are atomic: optional keys
// can't tell items apart.
func bare(s *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
	form := &apiextensionsv1.JSONSchemaProps{
		Ref: s.Ref, Description: s.Description, Title: s.Title, ExternalDocs: s.ExternalDocs, Example: s.Example,
		Type: s.Type, Format: s.Format, Nullable: s.Nullable, XMapType: s.XMapType,
		Properties: s.Properties, AdditionalProperties: s.AdditionalProperties, Items: s.Items, AllOf: s.AllOf,
		XPreserveUnknownFields: s.XPreserveUnknownFields, XEmbeddedResource: s.XEmbeddedResource, XIntOrString: s.XIntOrString,
	}
	if s.XIntOrString {
		form.AnyOf, form.Pattern = s.AnyOf, s.Pattern // which all quantities match
	}
	return form
}

package flatten

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A Form decides which constraints on its fields a type's schema keeps.
type Form uint8

const (
	// Inherited types have the form of the type around them. At the top, they keep all constraints.
	Inherited Form = iota
	// Whole types keep all constraints, as do the types in them.
	Whole
	// Initial types are for a part of a value: types of other modules require no field and set no default in
	// them. Keys of lists stay, since lists are never split.
	Initial
	// Observed types keep neither constraints nor defaults.
	Observed
)

// A place describes the position of a value in the value around it.
type place struct {
	// inlined is set if the value is an embedded struct of the one around it.
	inlined bool
	// keys are the fields that identify items of a list, if the value is a list. isKey is set if the value is
	// such a field.
	keys  []string
	isKey bool
}

// enter returns the place of a value inside the value of a schema.
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

// reduce removes the constraints that the form doesn't keep from the schema of a type.
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
	// The API server wants keys of lists to be required, or to have a default.
	s.Required = slices.DeleteFunc(s.Required, func(name string) bool { return !slices.Contains(at.keys, name) })
	if !at.isKey {
		s.Default = nil
	}
	if at.inlined {
		s.MinProperties, s.XValidations, s.OneOf, s.AnyOf, s.Not = nil, nil, nil, nil, nil // the other part may satisfy them
	}
}

// bare returns a schema without constraints, which keeps the form of values. Lists are atomic: optional keys
// can't identify items.
func bare(s *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
	form := &apiextensionsv1.JSONSchemaProps{
		Ref: s.Ref, Description: s.Description, Title: s.Title, ExternalDocs: s.ExternalDocs, Example: s.Example,
		Type: s.Type, Format: s.Format, Nullable: s.Nullable, XMapType: s.XMapType,
		Properties: s.Properties, AdditionalProperties: s.AdditionalProperties, Items: s.Items, AllOf: s.AllOf,
		XPreserveUnknownFields: s.XPreserveUnknownFields, XEmbeddedResource: s.XEmbeddedResource, XIntOrString: s.XIntOrString,
	}
	if s.XIntOrString {
		form.AnyOf, form.Pattern = s.AnyOf, s.Pattern // every quantity matches these
	}
	return form
}

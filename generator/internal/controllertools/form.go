package controllertools

import (
	"slices"

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
func (p place) enter(s *schema.Props, step schema.Step) place {
	switch {
	case step.Kind == schema.Same:
		p.inlined = p.inlined || s.Properties != nil
		return p
	case step.Kind == schema.Items:
		return place{keys: s.XListMapKeys}
	default:
		return place{isKey: step.Kind == schema.Property && slices.Contains(p.keys, step.Name)}
	}
}

// reduce removes the constraints that the form doesn't keep from the schema of a type.
func (f Form) reduce(s *schema.Props, at place) {
	if f != Initial && f != Observed {
		return
	}
	schema.Each(s, func(step schema.Step, child *schema.Props) bool {
		f.reduce(child, at.enter(s, step))
		return true
	})
	if f == Observed {
		bare(s)
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

// bare removes the constraints of a schema, and keeps the form of values.
func bare(s *schema.Props) {
	all := *s
	schema.Keep(s, schema.Documentation|schema.Form|schema.Content|schema.Ownership)
	s.Ref, s.AllOf = all.Ref, all.AllOf
	s.XListType, s.XListMapKeys = nil, nil // lists are atomic: optional keys can't identify items
	if s.XIntOrString {
		s.AnyOf, s.Pattern = all.AnyOf, all.Pattern // every quantity matches these
	}
}

package pipeline

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A Place is a value in an object of a kind: what the schema and the Go types say of it.
type Place struct {
	// Path leads from the root of the object to the value.
	Path apiserver.Path
	// Schema is nil if there is no such value.
	Schema *apiextensionsv1.JSONSchemaProps
	// Type and Field are nil if no Go type is behind the place. An element of a list or
	// map has no field.
	Type  *model.Type
	Field *model.Field
	// Pos is where the nearest field is declared that the author can edit, or the kind.
	Pos diag.Position
}

// Place returns the root of the objects of a version, which must have its schema.
func (d Definition) Place(version int) Place {
	o := d.Objects[version]
	return Place{Schema: d.CRD.Spec.Versions[version].Schema.OpenAPIV3Schema, Type: o.Type, Pos: o.Pos}
}

// Property returns a field of an object.
func (p Place) Property(name string) Place {
	below := p.child(apiserver.Step{Name: name})
	if p.Type != nil {
		if below.Field = p.Type.Field(name); below.Field != nil {
			below.Type = below.Field.Type
			if !below.Field.Pos.IsOutside() {
				below.Pos = below.Field.Pos
			}
		}
	}
	return below
}

// Element returns the items of a list, or the values of a map.
func (p Place) Element(kind apiserver.StepKind) Place {
	below := p.child(apiserver.Step{Kind: kind})
	if p.Type != nil {
		below.Type = p.Type.Deref().Elem
	}
	return below
}

func (p Place) child(step apiserver.Step) Place {
	below := Place{Path: p.Path.With(step), Pos: p.Pos}
	if p.Schema != nil {
		below.Schema = apiserver.Child(p.Schema, step)
	}
	return below
}

package apiserver

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// A StepKind is the way from a schema to one below it.
type StepKind uint8

const (
	// Property leads to the schema of a property of an object.
	Property StepKind = iota
	// Items leads to the schema that all items of an array share.
	Items
	// Values leads to the schema that all values of a map share.
	Values
)

// A Step leads from a schema to one below it.
type Step struct {
	Kind StepKind
	// Name is the JSON name of a Property.
	Name string
}

// A Path leads from the root of a version's schema to a schema below it.
type Path []Step

// String returns the path as a user would write it: ".spec.forProvider.rules[]"
// for the items of an array, ".spec.forProvider.tags{}" for the values of a map,
// and "." for the root. Names that are no identifiers are quoted in brackets.
func (p Path) String() string {
	if len(p) == 0 {
		return "."
	}
	var b strings.Builder
	for _, s := range p {
		switch {
		case s.Kind == Items:
			b.WriteString("[]")
		case s.Kind == Values:
			b.WriteString("{}")
		case identifier.MatchString(s.Name):
			b.WriteString("." + s.Name)
		default:
			b.WriteString("[" + strconv.Quote(s.Name) + "]")
		}
	}
	return b.String()
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$-]*$`)

// Compare orders paths by their steps, a path before those below it.
func (p Path) Compare(q Path) int {
	return slices.CompareFunc(p, q, func(a, b Step) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
	})
}

// With returns p and one more step, without sharing memory that another call
// could overwrite.
func (p Path) With(s Step) Path { return append(slices.Clip(p), s) }

// Child returns the schema that a step leads to, or nil if there is none. That of a
// property is a copy.
func Child(schema *apiextensionsv1.JSONSchemaProps, step Step) *apiextensionsv1.JSONSchemaProps {
	switch {
	case step.Kind == Property:
		if property, ok := schema.Properties[step.Name]; ok {
			return &property
		}
	case step.Kind == Items && schema.Items != nil:
		return schema.Items.Schema
	case step.Kind == Values && schema.AdditionalProperties != nil:
		return schema.AdditionalProperties.Schema
	}
	return nil
}

package flatten

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A visitor visits a schema in another. The step leads from the outer value to the inner one. It is zero if
// both schemas describe the same value, as in allOf.
type visitor func(step schema.Step, child *apiextensionsv1.JSONSchemaProps) (changed bool)

// eachChild calls a function for each schema directly in another. If the function changes the child, it must
// return true, so that values of maps are written back.
func eachChild(s *apiextensionsv1.JSONSchemaProps, visit visitor) {
	if s.Items != nil {
		eachPointer(schema.Step{Kind: schema.Items}, s.Items.Schema, visit)
		eachElement(s.Items.JSONSchemas, visit)
	}
	eachElement(s.AllOf, visit)
	eachElement(s.OneOf, visit)
	eachElement(s.AnyOf, visit)
	eachPointer(schema.Step{}, s.Not, visit)
	eachValue(s.Properties, visit)
	if s.AdditionalProperties != nil {
		eachPointer(schema.Step{Kind: schema.Values}, s.AdditionalProperties.Schema, visit)
	}
	eachValue(s.PatternProperties, visit)
	for _, dependency := range s.Dependencies {
		eachPointer(schema.Step{}, dependency.Schema, visit)
	}
	if s.AdditionalItems != nil {
		eachPointer(schema.Step{}, s.AdditionalItems.Schema, visit)
	}
	eachValue(s.Definitions, visit)
}

func eachPointer(step schema.Step, s *apiextensionsv1.JSONSchemaProps, visit visitor) {
	if s != nil {
		visit(step, s)
	}
}

func eachElement(list []apiextensionsv1.JSONSchemaProps, visit visitor) {
	for i := range list {
		visit(schema.Step{}, &list[i])
	}
}

func eachValue(values map[string]apiextensionsv1.JSONSchemaProps, visit visitor) {
	if len(values) == 0 {
		return
	}
	var s apiextensionsv1.JSONSchemaProps // one for all: schemas are large
	for key, value := range values {
		s = value
		if visit(schema.Step{Name: key}, &s) {
			values[key] = s
		}
	}
}

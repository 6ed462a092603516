package flatten

import apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

// eachChild calls a function for each schema that is directly in another. If the
// function changes a field of the child, rather than what one points to, it must return
// true: values of maps have to be set again then.
func eachChild(s *apiextensionsv1.JSONSchemaProps, visit func(child *apiextensionsv1.JSONSchemaProps) (changed bool)) {
	if s.Items != nil {
		eachPointer(s.Items.Schema, visit)
		eachElement(s.Items.JSONSchemas, visit)
	}
	eachElement(s.AllOf, visit)
	eachElement(s.OneOf, visit)
	eachElement(s.AnyOf, visit)
	eachPointer(s.Not, visit)
	eachValue(s.Properties, visit)
	if s.AdditionalProperties != nil {
		eachPointer(s.AdditionalProperties.Schema, visit)
	}
	eachValue(s.PatternProperties, visit)
	for _, dependency := range s.Dependencies {
		eachPointer(dependency.Schema, visit)
	}
	if s.AdditionalItems != nil {
		eachPointer(s.AdditionalItems.Schema, visit)
	}
	eachValue(s.Definitions, visit)
}

func eachPointer(s *apiextensionsv1.JSONSchemaProps, visit func(*apiextensionsv1.JSONSchemaProps) bool) {
	if s != nil {
		visit(s)
	}
}

func eachElement(list []apiextensionsv1.JSONSchemaProps, visit func(*apiextensionsv1.JSONSchemaProps) bool) {
	for i := range list {
		visit(&list[i])
	}
}

func eachValue(values map[string]apiextensionsv1.JSONSchemaProps, visit func(*apiextensionsv1.JSONSchemaProps) bool) {
	if len(values) == 0 {
		return
	}
	var s apiextensionsv1.JSONSchemaProps // one for all: schemas are large
	for key, value := range values {
		s = value
		if visit(&s) {
			values[key] = s
		}
	}
}

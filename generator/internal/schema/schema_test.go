package schema_test

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// TestEdit holds that a change reaches the schema that a path leads to, and no other.
func TestEdit(t *testing.T) {
	for _, path := range []string{".", ".spec", ".spec.size", ".spec.rules", ".spec.rules[]", ".spec.rules[].port", ".spec.rules[].rules[]", ".spec.labels{}"} {
		_, s := thing(t)
		schema.Edit(s, pathOf(path), func(s *apiextensionsv1.JSONSchemaProps) { s.Title = "changed" })
		for _, other := range []string{".", ".spec", ".spec.size", ".spec.rules", ".spec.rules[]", ".spec.rules[].port", ".spec.rules[].rules[]", ".spec.labels", ".spec.labels{}", ".spec.free{}"} {
			if changed := schema.At(s, pathOf(other)).Title == "changed"; changed != (other == path) {
				t.Errorf("a change of %s changes %s: %t", path, other, changed)
			}
		}
	}
}

// TestChild holds that there is no schema where none is, and that the schema of a property
// is a copy.
func TestChild(t *testing.T) {
	_, s := thing(t)
	schema.Child(s, schema.Step{Name: "spec"}).Title = "changed"
	if s.Properties["spec"].Title != "" {
		t.Error("the schema of a property is no copy")
	}
	for _, path := range []string{".status", ".spec[]", ".spec{}", ".spec.rules{}", ".spec.labels[]", ".spec.size[]", ".status.none[]", ".spec.rules.port"} {
		if schema.At(s, pathOf(path)) != nil {
			t.Errorf("there is a schema at %s", path)
		}
	}
	list := &apiextensionsv1.JSONSchemaProps{
		Items:                &apiextensionsv1.JSONSchemaPropsOrArray{JSONSchemas: make([]apiextensionsv1.JSONSchemaProps, 2)},
		AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true},
	}
	if schema.Child(list, schema.Step{Kind: schema.Items}) != nil || schema.Child(list, schema.Step{Kind: schema.Values}) != nil {
		t.Error("elements without one schema have one")
	}
}

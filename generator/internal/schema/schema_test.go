package schema_test

import (
	"reflect"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestEdit holds that a change reaches the schema that a path leads to, and no other.
func TestEdit(t *testing.T) {
	for _, path := range []string{".", ".spec", ".spec.size", ".spec.rules", ".spec.rules[]", ".spec.rules[].port", ".spec.rules[].rules[]", ".spec.labels{}"} {
		_, s := thing(t)
		schema.Edit(s, pathOf(path), func(s *apiextensionsv1.JSONSchemaProps) { s.Title = "changed" })
		for _, other := range []string{".", ".spec", ".spec.size", ".spec.rules", ".spec.rules[]", ".spec.rules[].port", ".spec.rules[].rules[]", ".spec.labels", ".spec.labels{}", ".spec.free{}"} {
			expect.Equal(t, other == path, schema.At(s, pathOf(other)).Title == "changed", "a change of %s changes %s", path, other)
		}
	}
}

// TestChild holds that there is no schema where none is, and that the schema of a property
// is a copy.
func TestChild(t *testing.T) {
	_, s := thing(t)
	schema.Child(s, schema.Step{Name: "spec"}).Title = "changed"
	expect.True(t, s.Properties["spec"].Title == "", "the schema of a property is no copy")
	for _, path := range []string{".status", ".spec[]", ".spec{}", ".spec.rules{}", ".spec.labels[]", ".spec.size[]", ".status.none[]", ".spec.rules.port"} {
		expect.True(t, schema.At(s, pathOf(path)) == nil, "there is a schema at %s", path)
	}
	list := &apiextensionsv1.JSONSchemaProps{
		Items:                &apiextensionsv1.JSONSchemaPropsOrArray{JSONSchemas: make([]apiextensionsv1.JSONSchemaProps, 2)},
		AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true},
	}
	expect.True(t, schema.Child(list, schema.Step{Kind: schema.Items}) == nil && schema.Child(list, schema.Step{Kind: schema.Values}) == nil, "elements without one schema have one")
}

// TestMap holds that a function reaches each schema of a copy, the outer ones first, that what it takes
// away is gone, and that the original stays.
func TestMap(t *testing.T) {
	_, s := thing(t)
	_, before := thing(t)
	var types []string
	mapped := schema.Map(s, func(s *apiextensionsv1.JSONSchemaProps) {
		types = append(types, s.Type)
		s.Title = "changed"
		delete(s.Properties, "other")
	})
	for _, path := range []string{".", ".spec", ".spec.size", ".spec.rules", ".spec.rules[].rules[]", ".spec.labels{}", ".spec.free{}"} {
		at := schema.At(mapped, pathOf(path))
		expect.True(t, at != nil && at.Title == "changed", "%s is not changed", path)
	}
	expect.True(t, schema.At(mapped, pathOf(".spec.other")) == nil, "what was taken away is there")
	got, want := strings.Join(types, " "), "object object object array array integer object string array object string array object string"
	expect.True(t, got == want, "visits %s, want %s", got, want)
	expect.True(t, reflect.DeepEqual(s, before), "the original has changed")
}

// TestBelow holds the order in which schemas and cursors below another one are visited.
func TestBelow(t *testing.T) {
	o, s := thing(t)
	for path, want := range map[string]string{
		".": ".spec", ".spec": ".spec.free .spec.labels .spec.other .spec.rules .spec.size", ".spec.rules": ".spec.rules[]", ".spec.free": ".spec.free{}",
		".spec.size": "", ".status": "",
	} {
		at := schema.Root(o, s).Follow(pathOf(path))
		var below, properties, cursors []string
		for step, child := range schema.Below(at.Schema) {
			expect.True(t, child != nil, "%s: no schema at %v", path, step)
			below = append(below, at.Path.With(step).String())
		}
		for c := range at.Below() {
			cursors = append(cursors, c.Path.String())
		}
		for name, c := range at.Properties() {
			if properties = append(properties, c.Path.String()); c.Path[len(c.Path)-1].Name != name {
				t.Errorf("%s is called %s", c.Path, name)
			}
		}
		got := strings.Join(below, " ")
		expect.True(t, got == want && strings.Join(cursors, " ") == want, "%s: got the schemas %s and the cursors %v, want %s", path, got, cursors, want)
		got = strings.Join(properties, " ")
		expect.True(t, got == want || strings.HasSuffix(want, "]") || strings.HasSuffix(want, "}"), "%s: got the properties %s, want %s", path, got, want)
	}
}

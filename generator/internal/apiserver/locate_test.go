package apiserver

import (
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestLocateInSchema(t *testing.T) {
	leaf := apiextensionsv1.JSONSchemaProps{Type: "string"}
	object := func(properties map[string]apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{Type: "object", Properties: properties}
	}
	list := apiextensionsv1.JSONSchemaProps{Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &leaf}}
	values := apiextensionsv1.JSONSchemaProps{Type: "object", AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Schema: &list}}
	root := object(map[string]apiextensionsv1.JSONSchemaProps{
		"a":            object(map[string]apiextensionsv1.JSONSchemaProps{"b": leaf}),
		"a].default.b": leaf,
		"x]":           leaf,
		"x]]":          leaf,
		"list":         list,
		"map":          values,
		"free":         {Type: "object", AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true}},
	})

	tests := map[string]struct {
		path  schema.Path
		rule  int
		field string
	}{
		"":                     {rule: -1},
		".type":                {rule: -1, field: "type"},
		".properties[a]":       {path: schema.Path{{Name: "a"}}, rule: -1},
		".properties[a].type":  {path: schema.Path{{Name: "a"}}, rule: -1, field: "type"},
		".properties[x]].type": {path: schema.Path{{Name: "x]"}}, rule: -1, field: "type"},
		".properties[x]]]":     {path: schema.Path{{Name: "x]]"}}, rule: -1},
		".properties[a].properties[b].default.c[0]":                       {path: schema.Path{{Name: "a"}, {Name: "b"}}, rule: -1, field: "default.c[0]"},
		".properties[a].default.b].type":                                  {path: schema.Path{{Name: "a].default.b"}}, rule: -1, field: "type"},
		".properties[unknown].type":                                       {rule: -1, field: "properties[unknown].type"},
		".properties[list].items":                                         {path: schema.Path{{Name: "list"}}, rule: -1, field: "items"},
		".properties[list].items.type":                                    {path: schema.Path{{Name: "list"}, {Kind: schema.Items}}, rule: -1, field: "type"},
		".properties[list].items[0].type":                                 {path: schema.Path{{Name: "list"}}, rule: -1, field: "items[0].type"},
		".properties[map].additionalProperties":                           {path: schema.Path{{Name: "map"}}, rule: -1, field: "additionalProperties"},
		".properties[map].additionalProperties.items.type":                {path: schema.Path{{Name: "map"}, {Kind: schema.Values}, {Kind: schema.Items}}, rule: -1, field: "type"},
		".properties[free].additionalProperties.type":                     {path: schema.Path{{Name: "free"}}, rule: -1, field: "additionalProperties.type"},
		".properties[a].x-kubernetes-validations":                         {path: schema.Path{{Name: "a"}}, rule: -1, field: "x-kubernetes-validations"},
		".properties[a].x-kubernetes-validations[12].rule":                {path: schema.Path{{Name: "a"}}, rule: 12, field: "rule"},
		".properties[a].x-kubernetes-validations[99999999999999999].rule": {path: schema.Path{{Name: "a"}}, rule: -1, field: "x-kubernetes-validations[99999999999999999].rule"},
		".anyOf[0].properties[a].type":                                    {rule: -1, field: "anyOf[0].properties[a].type"},
	}
	for serverPath, want := range tests {
		t.Run(serverPath, func(t *testing.T) {
			path, rule, field := locateInSchema(&root, serverPath)
			if !slices.Equal(path, want.path) || rule != want.rule || field != want.field {
				t.Errorf("got %s, rule %d, field %q, want %s, rule %d, field %q", path, rule, field, want.path, want.rule, want.field)
			}
		})
	}
}

func TestLocateOutsideSchema(t *testing.T) {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1"}, {Name: "v2"}}
	tests := map[string]struct {
		versions string
		field    string
	}{
		"":                                  {},
		"spec":                              {field: "spec"},
		"metadata.name":                     {field: "metadata.name"},
		"spec.names.plural":                 {field: "names.plural"},
		"spec.versions":                     {field: "versions"},
		"spec.versions[1]":                  {versions: "v2"},
		"spec.versions[1].name":             {versions: "v2", field: "name"},
		"spec.versions[2].name":             {field: "versions[2].name"},
		"spec.versions[-1].name":            {field: "versions[-1].name"},
		"spec.versions[1":                   {field: "versions[1"},
		"spec.version":                      {versions: "v1", field: "name"},
		"spec.validation.openAPIV3Schema":   {versions: "v1 v2", field: "schema.openAPIV3Schema"},
		"spec.schema.openAPIV3Schema":       {versions: "v1 v2", field: "schema.openAPIV3Schema"},
		"spec.subresources.scale":           {versions: "v1 v2", field: "subresources.scale"},
		"spec.selectableFields[0].jsonPath": {versions: "v1 v2", field: "selectableFields[0].jsonPath"},
		"spec.additionalPrinterColumns[0].JSONPath": {versions: "v1 v2", field: "additionalPrinterColumns[0].jsonPath"},
	}
	for serverPath, want := range tests {
		t.Run(serverPath, func(t *testing.T) {
			l := locate(crd, serverPath)
			if got := strings.Join(l.versions, " "); got != want.versions || l.field != want.field || l.rule != -1 || l.path != nil {
				t.Errorf("got %+v, want versions %q, field %q", l, want.versions, want.field)
			}
		})
	}
}

// The API server writes paths with package field; whatever the names of
// properties are, they must be read back as they were.
func FuzzLocateReadsBack(f *testing.F) {
	f.Add("a", "b", "c")
	f.Add("a.b", "x]", "a[0]")
	f.Add("items", "properties", "additionalProperties")
	f.Add("", "]", "].items")
	f.Fuzz(func(t *testing.T, first, second, third string) {
		// first is an object with a list of objects second, with a map of third.
		leaf := apiextensionsv1.JSONSchemaProps{Properties: map[string]apiextensionsv1.JSONSchemaProps{third: {}}}
		inMap := apiextensionsv1.JSONSchemaProps{AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Schema: &leaf}}
		inList := apiextensionsv1.JSONSchemaProps{Properties: map[string]apiextensionsv1.JSONSchemaProps{second: inMap}}
		object := apiextensionsv1.JSONSchemaProps{Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &inList}}
		root := apiextensionsv1.JSONSchemaProps{Properties: map[string]apiextensionsv1.JSONSchemaProps{first: object}}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1", Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &root}}}

		serverPath := field.NewPath("spec", "validation", "openAPIV3Schema").
			Child("properties").Key(first).Child("items").
			Child("properties").Key(second).Child("additionalProperties").
			Child("properties").Key(third).Child("x-kubernetes-validations").Index(2).Child("rule")
		got := locate(crd, serverPath.String())
		want := schema.Path{{Name: first}, {Kind: schema.Items}, {Name: second}, {Kind: schema.Values}, {Name: third}}
		expect.True(t, slices.Equal(got.path, want) && got.rule == 2 && got.field == "rule" && slices.Equal(got.versions, []string{"v1"}), "%s is read back as %+v", serverPath, got)
	})
}

func FuzzLocateNeverPanics(f *testing.F) {
	f.Add("spec.versions[0].schema.openAPIV3Schema.properties[a].items.x-kubernetes-validations[0].rule")
	f.Add("spec.validation.openAPIV3Schema.properties[")
	crd := withProperties(f, "a: {type: array, items: {type: object, additionalProperties: true}}")
	f.Fuzz(func(t *testing.T, serverPath string) {
		l := locate(crd, serverPath)
		expect.True(t, len(l.versions) == 1, "versions %q", l.versions)
	})
}

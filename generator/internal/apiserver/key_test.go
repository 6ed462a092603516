package apiserver

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// TestKeys makes sure that schemas which differ in more than descriptions have different
// keys, wherever they do.
func TestKeys(t *testing.T) {
	keyOf := func(document string) string {
		var s apiextensionsv1.JSONSchemaProps
		if err := yaml.UnmarshalStrict([]byte(document), &s); err != nil {
			t.Fatal(err)
		}
		d := division{}
		d.addSchema(&s)
		if len(d.names) > 0 {
			t.Errorf("%s: %q are left", document, d.names)
		}
		return string(d.key)
	}
	documents := map[string]string{}
	for _, document := range []string{
		"{}", "{type: string}", "{type: string, format: byte}", "{type: string, default: a}", "{type: string, default: b}", "{nullable: true}",
		"{type: object}", "{type: object, required: [a]}", "{type: object, required: [a, b]}", "{type: object, x-kubernetes-map-type: atomic}",
		"{properties: {a: {type: string}}}", "{properties: {a: {type: integer}}}", "{properties: {b: {type: string}}}",
		"{properties: {a: {type: string}, b: {type: string}}}", "{properties: {a: {type: string, properties: {b: {type: string}}}}}",
		"{properties: {a: {properties: {b: {type: string}}, type: string}, b: {}}}", "{properties: {a: {}, b: {}}}", "{properties: {a: {properties: {b: {}}}}}",
		"{items: {}}", "{items: {type: string}}", "{items: [{type: string}]}", "{items: {items: {type: string}}}", "{properties: {a: {items: {}}}}",
		"{additionalProperties: true}", "{additionalProperties: false}", "{additionalProperties: {}}", "{additionalProperties: {type: string}}",
		"{additionalProperties: {additionalProperties: {}}}", "{additionalProperties: {items: {}}}", "{items: {additionalProperties: {}}}",
		"{items: {type: string}, additionalProperties: {type: string}}", "{items: {type: string}, additionalProperties: {type: integer}}",
		"{anyOf: [{required: [a]}]}", "{anyOf: [{required: [b]}]}", "{not: {type: string}}", "{enum: [a]}", "{enum: [a, b]}", "{maxItems: 0}", "{maxItems: 1}",
	} {
		key := keyOf(document)
		if same, found := documents[key]; found {
			t.Errorf("%s and %s have the same key", same, document)
		}
		documents[key] = document
	}
	for bare, described := range map[string]string{
		"{type: string}": "{type: string, description: a}",
		"{properties: {a: {items: {additionalProperties: {}}}}}": "{properties: {a: {items: {additionalProperties: {description: a}, description: b}, description: c}}, description: d}",
	} {
		if keyOf(bare) != keyOf(described) {
			t.Errorf("%s and %s have different keys", bare, described)
		}
	}
}

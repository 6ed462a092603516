package validobject

import (
	"context"
	"encoding/json"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestValues holds that values are those that are wanted, with as little in them as
// possible, and that the API server accepts them.
func TestValues(t *testing.T) {
	for _, tt := range []struct{ name, schema, want string }{
		{"text", `{type: string}`, `"example"`},
		{"enum", `{type: string, enum: [hot, cold]}`, `"hot"`},
		{"example", `{type: string, example: mine}`, `"mine"`},
		{"format", `{type: string, format: ipv4}`, `"10.0.0.1"`},
		{"pattern", `{type: string, pattern: "^[a-z]{2}-[0-9]{7}$"}`, `"aa-1111111"`},
		{"pattern and length", `{type: string, pattern: "^x[0-9]*$", minLength: 8}`, `"x11111111"`},
		{"alternatives of a pattern", `{type: string, pattern: "^(a|bcd|[0-9]{9})$", minLength: 9}`, `"111111111"`},
		{"length", `{type: string, minLength: 45}`, `"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"`},
		{"literal of a rule", `{type: string, x-kubernetes-validations: [{rule: "self == 'red' || self == 'blue'"}]}`, `"red"`},
		{"prefix in a rule", `{type: string, x-kubernetes-validations: [{rule: "self.startsWith('projects/') && size(self) > 9"}]}`, `"projects/example"`},
		{"suffix in a rule", `{type: string, x-kubernetes-validations: [{rule: "self.endsWith('.zone') && size(self) > 5"}]}`, `"example.zone"`},
		{"pattern in a rule", `{type: string, x-kubernetes-validations: [{rule: "self.matches('^k[0-9]{3}$')"}]}`, `"k111"`},
		{"integer", `{type: integer}`, `1`},
		{"minimum", `{type: integer, minimum: 7}`, `7`},
		{"exclusive minimum of one", `{type: integer, minimum: 1, exclusiveMinimum: true}`, `2`},
		{"exclusive maximum of one", `{type: integer, maximum: 1, exclusiveMaximum: true}`, `0`},
		{"negative", `{type: integer, maximum: -5}`, `-5`},
		{"multiple", `{type: integer, minimum: 7, multipleOf: 5}`, `10`},
		{"between", `{type: number, minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: true}`, `0.5`},
		{"literal number of a rule", `{type: integer, x-kubernetes-validations: [{rule: "self in [22, 443]"}]}`, `22`},
		{"boolean", `{type: boolean}`, `true`},
		{"integer or text", `{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}`, `1`},
		{"text rather than integer", `{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], x-kubernetes-validations: [{rule: "type(self) == string"}]}`, `"example"`},
		{"quantity in two forms", `{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], allOf: [{pattern: "^[0-9]+(Ki|Gi)?$"}, {pattern: "^[0-9]+Gi$"}], x-kubernetes-validations: [{rule: "type(self) == string"}]}`, `"1Gi"`},
		{"enum of integers or texts", `{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], enum: ["50%", 7]}`, `"50%"`},
		{"lengths of a field and its type", `{type: string, allOf: [{minLength: 9}, {minLength: 45}]}`, `"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"`},
		{"bounds of a field and its type", `{type: integer, allOf: [{minimum: 10, multipleOf: 3}, {minimum: 20, multipleOf: 2}]}`, `24`},
		{"upper bounds of a field and its type", `{type: integer, allOf: [{maximum: -5}, {maximum: -7}]}`, `-7`},
		{"sizes of a field and its type", `{type: array, allOf: [{minItems: 1}, {minItems: 2}], items: {type: string}}`, `["example","example-2"]`},
		{"larger map of a field and its type", `{type: object, allOf: [{minProperties: 1}, {minProperties: 2}], additionalProperties: {type: integer}}`, `{"example":1,"example-2":2}`},
		{"list", `{type: array, items: {type: string}}`, `["example"]`},
		{"empty list", `{type: array, maxItems: 0, items: {type: string}}`, `[]`},
		{"set", `{type: array, minItems: 3, x-kubernetes-list-type: set, items: {type: string, maxLength: 9}}`, `["example","example-2","example-3"]`},
		{"set of an enum", `{type: array, minItems: 2, x-kubernetes-list-type: set, items: {type: string, enum: [a, b]}}`, `["a","b"]`},
		{"set of numbers", `{type: array, minItems: 2, x-kubernetes-list-type: set, items: {type: integer, multipleOf: 5}}`, `[5,10]`},
		{"set with a pattern", `{type: array, minItems: 2, x-kubernetes-list-type: set, items: {type: string, pattern: "^[a-f]{3}-[0-9]$"}}`, `["aaa-1","bbb-2"]`},
		{"list by keys", `{type: array, minItems: 2, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], items: {type: object, required: [id], properties: {id: {type: string}}}}`, `[{"id":"example"},{"id":"example-2"}]`},
		{"required only", `{type: object, required: [a, d], properties: {a: {type: string}, b: {type: string}, d: {type: string, default: x}}}`, `{"a":"example"}`},
		{"more fields", `{type: object, required: [c], minProperties: 3, properties: {a: {type: string}, b: {type: string}, c: {type: string}, d: {type: string, default: x}}}`, `{"a":"example","c":"example"}`},
		{"map", `{type: object, additionalProperties: {type: integer}}`, `{"example":1}`},
		{"larger map", `{type: object, minProperties: 2, additionalProperties: {type: boolean}}`, `{"example":true,"example-2":false}`},
		{"object of Kubernetes", `{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"example","namespace":"default"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			props := schemaOf(t, tt.schema)
			s := Sampler{Wanted: func(schema.Cursor) bool { return false }}
			value := s.Value(context.Background(), schema.Cursor{Path: schema.Properties("value"), Schema: props})
			got := expect.Value(json.Marshal(value))(t)
			expect.True(t, string(got) == tt.want && len(s.Problems) == 0, "%s, %v, want %s", got, s.Problems, tt.want)
			around := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"value": *props}}
			validator := expect.Value(apiserver.NewObjectValidator(around))(t)
			refusals := validator.Refusals(context.Background(), map[string]any{"value": value})
			expect.True(t, len(refusals) == 0, "the API server refuses %s: %v", got, refusals)
		})
	}
}

func TestWhatHasNoValueIsAWarningThatNamesTheField(t *testing.T) {
	s := Sampler{Wanted: func(schema.Cursor) bool { return false }}
	at := schema.Cursor{Path: schema.Properties("spec", "name"), Schema: schemaOf(t, `{type: string, pattern: "^a$b"}`)}
	at.Pos.File, at.Pos.Line = "types.go", 3
	value := s.Value(context.Background(), at)
	expect.True(t, value == nil, "%v, want none", value)
	const want = "types.go:3: warning: mrgen knows no example for .spec.name, and leaves out the manifests that need one: add a marker with one, as in +mrgen:example=value"
	expect.True(t, len(s.Problems) == 1 && s.Problems[0].String() == want, "%v, want %s", s.Problems, want)
}

func schemaOf(t *testing.T, text string) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	schema := &apiextensionsv1.JSONSchemaProps{}
	expect.NoError(t, yaml.UnmarshalStrict([]byte(text), schema))
	return schema
}

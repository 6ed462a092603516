package examples

import (
	"context"
	_ "embed"
	"encoding/json"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/validobject"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// parameters has the fields that the rules in the tests are about.
//
//go:embed testdata/parameters.yaml
var parameters string

// TestRules holds that objects get what rules of authors demand, and no more, and that what
// can't be satisfied is a warning that names the field.
func TestRules(t *testing.T) {
	for _, tt := range []struct {
		name string
		// at is where the rules are: "", "spec" or "spec.forProvider", or a field below.
		at, rules string
		start     string // what is in forProvider
		want      string // what is in forProvider then
		warnings  []string
	}{
		{name: "nothing", want: `{}`},
		{name: "a field", at: "spec", rules: `has(self.forProvider.name)`, want: `{"name":"example"}`},
		{name: "a field below the root", rules: `has(self.spec.forProvider.name)`, want: `{"name":"example"}`},
		{
			name: "fields in the way of upjet", at: "spec",
			rules: `!('*' in self.managementPolicies) || has(self.forProvider.name) || (has(self.initProvider) && has(self.initProvider.name));` +
				`!('*' in self.managementPolicies) || has(self.forProvider.size)`,
			want: `{"name":"example","size":1}`,
		},
		{name: "one of", at: "spec.forProvider", rules: `has(self.nameRef) != has(self.name)`, want: `{"nameRef":{"name":"example"}}`},
		{name: "one of, with an example", at: "spec.forProvider", rules: `[has(self.name), has(self.given)].filter(x, x).size() == 1`, want: `{"given":"mine"}`},
		{name: "both", at: "spec.forProvider", rules: `has(self.name) && has(self.domain)`, want: `{"domain":"example","name":"example"}`},
		{name: "the shorter way", at: "spec.forProvider", rules: `has(self.domain) && has(self.size) || has(self.name)`, want: `{"name":"example"}`},
		{name: "two examples of which one may be given", at: "spec.forProvider", rules: `!(has(self.name) && has(self.given))`, start: `{"name":"x","given":"mine"}`, want: `{"given":"mine"}`},
		{name: "an object on the way", at: "spec.forProvider", rules: `has(self.nameRef) && has(self.nameRef.name)`, want: `{"nameRef":{"name":"example"}}`},
		{name: "a value", at: "spec.forProvider", rules: `has(self.mode) && self.mode == 'fancy'`, want: `{"mode":"fancy"}`},
		{name: "a value of another", at: "spec.forProvider", rules: `self.mode != 'plain' || has(self.size)`, start: `{"mode":"plain"}`, want: `{"mode":"plain","size":1}`},
		{name: "a boolean", at: "spec.forProvider", rules: `has(self.enabled) && !self.enabled`, want: `{"enabled":false}`},
		{name: "a bound", at: "spec.forProvider", rules: `has(self.size) && self.size > 99`, want: `{"size":100}`},
		{name: "a pattern", at: "spec.forProvider", rules: `has(self.name) && self.name.matches('^k[0-9]{3}$')`, want: `{"name":"k111"}`},
		{name: "what fails for want of a field", at: "spec.forProvider", rules: `self.name != ''`, want: `{"name":"example"}`},
		{name: "a name that rules escape", at: "spec.forProvider", rules: `has(self.a__dot__b)`, want: `{"a.b":"example"}`},
		{name: "items", at: "spec.forProvider.members[]", rules: `has(self.role) != has(self.id)`, start: `{"members":[{"id":"1"},{}]}`, want: `{"members":[{"id":"1"},{"role":"example"}]}`},
		{name: "values", at: "spec.forProvider.labels{}", rules: `has(self.text)`, start: `{"labels":{"a.b":{},"c":{}}}`, want: `{"labels":{"a.b":{"text":"example"},"c":{"text":"example"}}}`},
		{name: "size of a list", at: "spec.forProvider", rules: `has(self.members) && self.members.size() > 0`, want: `{"members":[{}]}`},
		{
			name: "impossible", at: "spec.forProvider", rules: `has(self.name) && !has(self.name)`, want: `{}`,
			warnings: []string{".spec.forProvider.name: failed rule: has(self.name) && !has(self.name)"},
		},
		{
			name: "impossible at the root", rules: `has(self.spec.forProvider.name) && has(self.spec.forProvider.size) && self.spec.forProvider.size < 0 && self.spec.forProvider.size > 0`, want: `{}`,
			warnings: []string{".spec.forProvider: failed rule:"},
		},
		{name: "impossible without a field", rules: `false`, want: `{}`, warnings: []string{".: failed rule: false"}},
		{
			name: "one is possible", at: "spec.forProvider", rules: `has(self.name) && !has(self.name);has(self.size)`, want: `{"size":1}`,
			warnings: []string{".spec.forProvider.name: failed rule:"},
		},
		{name: "another form", start: `{"size":"large"}`, want: `{"size":"large"}`, warnings: []string{".spec.forProvider.size: Invalid value:"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := &apiextensionsv1.JSONSchemaProps{}
			expect.NoError(t, yaml.UnmarshalStrict([]byte(parameters), root))
			if tt.rules != "" {
				addRules(root, tt.at, strings.Split(tt.rules, ";"))
			}
			forProvider := map[string]any{}
			if tt.start != "" {
				expect.NoError(t, json.Unmarshal([]byte(tt.start), &forProvider))
			}
			e := exampleOf(t, root)
			object := e.admitted(context.Background(), map[string]any{"apiVersion": "example.org/v1", "kind": "Thing", "spec": map[string]any{"forProvider": forProvider}})
			expect.Equal(t, tt.want, string(expect.Value(json.Marshal(object["spec"].(map[string]any)["forProvider"]))(t)))
			expect.Must(t, len(e.diags) == len(tt.warnings), "%v, want %q", e.diags, tt.warnings)
			for i, want := range tt.warnings {
				want = "types.go:7: warning: mrgen finds no valid example of Thing, and leaves it out: " + want
				got := e.diags[i].String()
				expect.True(t, strings.HasPrefix(got, want), "%s, want %s", got, want)
			}
		})
	}
}

// TestConnectionSecret holds that a manifest names a secret where connection details go, if the kind says that
// it has some: cluster scoped kinds with its namespace.
func TestConnectionSecret(t *testing.T) {
	for _, tt := range []struct {
		reference string
		details   []connection.Detail
		want      string
	}{
		{reference: "{type: object, properties: {name: {type: string}}}", details: []connection.Detail{{}}, want: `{"name":"example-thing"}`},
		{
			reference: "{type: object, properties: {name: {type: string}, namespace: {type: string}}}", details: []connection.Detail{{}},
			want: `{"name":"example-thing","namespace":"crossplane-system"}`,
		},
		{reference: "{type: object, properties: {name: {type: string}}}", want: "null"},
		{details: []connection.Detail{{}}, want: "null"},
	} {
		root := &apiextensionsv1.JSONSchemaProps{}
		text := "{type: object, properties: {spec: {type: object, properties: {}}}}"
		if tt.reference != "" {
			text = strings.Replace(text, "properties: {}", "properties: {writeConnectionSecretToRef: "+tt.reference+"}", 1)
		}
		expect.NoError(t, yaml.Unmarshal([]byte(text), root))
		e := exampleOf(t, root)
		e.definition.ConnectionDetails = tt.details
		got, err := json.Marshal(e.connectionSecret())
		expect.True(t, err == nil && string(got) == tt.want, "%s: got %s, %v, want %s", text, got, err, tt.want)
	}
}

// exampleOf returns an example of a kind with a schema.
func exampleOf(t *testing.T, root *apiextensionsv1.JSONSchemaProps) *example {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Spec.Names.Kind = "Thing"
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1", Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: root}}}
	d := stage.Definition{CRD: crd, Objects: []*model.Object{{Pos: diag.Position{File: "types.go", Line: 7}}}}
	validator := expect.Value(apiserver.NewObjectValidator(root))(t)
	sampler := &validobject.Sampler{Wanted: func(schema.Cursor) bool { return false }}
	return &example{definition: d, validator: validator, sampler: sampler}
}

// addRules adds rules to the schema at a path such as "spec.forProvider.members[]".
func addRules(schema *apiextensionsv1.JSONSchemaProps, path string, rules []string) {
	name, rest, _ := strings.Cut(path, ".")
	field, isList := strings.CutSuffix(name, "[]")
	field, isMap := strings.CutSuffix(field, "{}")
	below := schema
	if field != "" {
		property := schema.Properties[field]
		below = &property
		defer func() { schema.Properties[field] = *below }()
	}
	at := below
	if isList {
		at = below.Items.Schema
	}
	if isMap {
		at = below.AdditionalProperties.Schema
	}
	if rest != "" {
		addRules(at, rest, rules)
		return
	}
	for _, rule := range rules {
		at.XValidations = append(at.XValidations, apiextensionsv1.ValidationRule{Rule: rule})
	}
}

package compare

import (
	"context"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// What a change of a field comes to.
const (
	breaks         = "breaks"
	silent         = "silent"
	isRefusedAtAll = "refused" // by the API server, whatever the value
)

// keywordCases have a change of each keyword of a schema, and what it comes to.
var keywordCases = map[string]struct{ comesTo, old, new string }{
	"id":                                   {isRefusedAtAll, "", "{type: string, id: x}"},
	"$schema":                              {isRefusedAtAll, "", "{type: string, $schema: x}"},
	"$ref":                                 {isRefusedAtAll, "", "{$ref: '#/x'}"},
	"description":                          {silent, "{type: string, description: x}", "{type: string}"},
	"type":                                 {breaks, "{type: string}", "{type: boolean}"},
	"format":                               {breaks, "{type: string}", "{type: string, format: date}"},
	"title":                                {silent, "{type: string, title: x}", "{type: string}"},
	"default":                              {breaks, "{type: string, default: x}", "{type: string, default: z}"},
	"maximum":                              {breaks, "{type: integer}", "{type: integer, maximum: 3}"},
	"exclusiveMaximum":                     {breaks, "{type: number, maximum: 3}", "{type: number, maximum: 3, exclusiveMaximum: true}"},
	"minimum":                              {breaks, "{type: integer}", "{type: integer, minimum: 3}"},
	"exclusiveMinimum":                     {breaks, "{type: number, minimum: 3}", "{type: number, minimum: 3, exclusiveMinimum: true}"},
	"maxLength":                            {breaks, "{type: string}", "{type: string, maxLength: 3}"},
	"minLength":                            {breaks, "{type: string}", "{type: string, minLength: 3}"},
	"pattern":                              {breaks, "{type: string}", "{type: string, pattern: ^x}"},
	"maxItems":                             {breaks, "{type: array, items: {type: string}}", "{type: array, items: {type: string}, maxItems: 1}"},
	"minItems":                             {breaks, "{type: array, items: {type: string}}", "{type: array, items: {type: string}, minItems: 2}"},
	"uniqueItems":                          {isRefusedAtAll, "", "{type: array, items: {type: string}, uniqueItems: true}"},
	"multipleOf":                           {breaks, "{type: integer}", "{type: integer, multipleOf: 3}"},
	"enum":                                 {breaks, "{type: string}", "{type: string, enum: [x]}"},
	"maxProperties":                        {breaks, "{type: object, additionalProperties: {type: string}}", "{type: object, additionalProperties: {type: string}, maxProperties: 1}"},
	"minProperties":                        {breaks, "{type: object, additionalProperties: {type: string}}", "{type: object, additionalProperties: {type: string}, minProperties: 2}"},
	"required":                             {breaks, "{type: object, properties: {b: {type: string}}}", "{type: object, properties: {b: {type: string}}, required: [b]}"},
	"items":                                {breaks, "{type: array, items: {type: string}}", "{type: array, items: {type: integer}}"},
	"allOf":                                {breaks, "{type: string}", "{type: string, allOf: [{pattern: ^x}]}"},
	"oneOf":                                {breaks, "{type: string}", "{type: string, oneOf: [{pattern: ^x}, {pattern: z$}]}"},
	"anyOf":                                {breaks, "{type: string}", "{type: string, anyOf: [{pattern: ^x}, {pattern: z$}]}"},
	"not":                                  {breaks, "{type: string}", "{type: string, not: {pattern: ^e}}"},
	"properties":                           {breaks, "{type: object, properties: {b: {type: string}, c: {type: string}}}", "{type: object, properties: {c: {type: string}}}"},
	"additionalProperties":                 {breaks, "{type: object, additionalProperties: {type: string}}", "{type: object}"},
	"patternProperties":                    {isRefusedAtAll, "", "{type: object, patternProperties: {x: {type: string}}}"},
	"dependencies":                         {isRefusedAtAll, "", "{type: object, dependencies: {x: [z]}}"},
	"additionalItems":                      {isRefusedAtAll, "", "{type: array, items: {type: string}, additionalItems: true}"},
	"definitions":                          {isRefusedAtAll, "", "{type: object, definitions: {x: {type: string}}}"},
	"externalDocs":                         {silent, "{type: string, externalDocs: {url: x}}", "{type: string}"},
	"example":                              {silent, "{type: string, example: x}", "{type: string}"},
	"nullable":                             {breaks, "{type: array, items: {type: string, nullable: true}}", "{type: array, items: {type: string}}"},
	"x-kubernetes-preserve-unknown-fields": {breaks, "{type: object, x-kubernetes-preserve-unknown-fields: true}", "{type: object}"},
	"x-kubernetes-embedded-resource":       {breaks, "{type: object, x-kubernetes-preserve-unknown-fields: true}", "{type: object, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-embedded-resource: true}"},
	"x-kubernetes-int-or-string":           {breaks, "{x-kubernetes-int-or-string: true}", "{type: string}"},
	"x-kubernetes-list-map-keys":           {breaks, "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b], items: {type: object, required: [b, c], properties: {b: {type: string}, c: {type: string}}}}", "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [c], items: {type: object, required: [b, c], properties: {b: {type: string}, c: {type: string}}}}"},
	"x-kubernetes-list-type":               {breaks, "{type: array, items: {type: string}}", "{type: array, items: {type: string}, x-kubernetes-list-type: set}"},
	"x-kubernetes-map-type":                {breaks, "{type: object, additionalProperties: {type: string}}", "{type: object, additionalProperties: {type: string}, x-kubernetes-map-type: atomic}"},
	"x-kubernetes-validations":             {breaks, "{type: string, maxLength: 9}", "{type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'x'}]}"},
}

// ruleCases have a change of each field of a rule, as keywordCases.
var ruleCases = map[string]struct{ comesTo, old, new string }{
	"rule":              {breaks, "{rule: self != 'x'}", "{rule: self == 'x'}"},
	"message":           {silent, "{rule: self != 'x', message: x}", "{rule: self != 'x', message: z}"},
	"messageExpression": {silent, "{rule: self != 'x', messageExpression: self}", "{rule: self != 'x'}"},
	"reason":            {silent, "{rule: self != 'x', reason: FieldValueInvalid}", "{rule: self != 'x'}"},
	"fieldPath":         {silent, "{rule: self != 'x'}", "{rule: self != 'x', fieldPath: .x}"},
	"optionalOldSelf":   {breaks, "{rule: 'true || oldSelf == self'}", "{rule: oldSelf.hasValue() || self == 'x', optionalOldSelf: true}"},
}

// definitionCases have a change of each field of a definition and of a version, by the case of
// [TestDefinitions] or the reason why there is none.
var definitionCases = map[string]struct{ test, reason string }{
	"group":                             {reason: "definitions of other groups are other kinds"},
	"names":                             {test: "names that commands use"},
	"names.plural":                      {test: "plural"},
	"names.singular":                    {test: "the singular, and the last category"},
	"names.shortNames":                  {test: "names that commands use"},
	"names.kind":                        {test: "the kind of a resource"},
	"names.listKind":                    {test: "names that commands use"},
	"names.categories":                  {test: "names that commands use"},
	"scope":                             {test: "scope"},
	"versions":                          {test: "a version is removed"},
	"versions.name":                     {test: "the stored version is removed"},
	"versions.served":                   {test: "a version is not served"},
	"versions.storage":                  {test: "another version is stored, which knows less"},
	"versions.deprecated":               {reason: "a warning"},
	"versions.deprecationWarning":       {reason: "a warning"},
	"versions.schema":                   {test: "a version that is converted knows less"},
	"versions.subresources":             {test: "the status subresource goes"},
	"versions.subresources.status":      {test: "a status subresource comes"},
	"versions.subresources.scale":       {reason: "managed resources don't scale"},
	"versions.additionalPrinterColumns": {reason: "for people"},
	"versions.selectableFields":         {test: "a field can't be selected by any more"},
	"conversion":                        {test: "no webhook converts any more"},
	"conversion.strategy":               {test: "no webhook converts any more"},
	"conversion.webhook":                {reason: "what a webhook answers isn't known"},
	"preserveUnknownFields":             {reason: "the API server refuses it"},
}

// TestEveryFieldIsJudged holds that it is known of every field of a definition and every keyword of
// a schema what a change of it comes to, and that the guide says so. A field that a new release of
// Kubernetes adds fails it.
func TestEveryFieldIsJudged(t *testing.T) {
	guide, err := os.ReadFile("../../../../docs/guide/breaking.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(guide), "\n## Changes by field and keyword\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var named []string
	for i, part := range strings.Split(section, "`") {
		if i%2 == 1 {
			named = append(named, part)
		}
	}
	known := func(prefix string, of any, has func(name string) bool) {
		structure := reflect.TypeOf(of)
		for i := range structure.NumField() {
			name, _, _ := strings.Cut(structure.Field(i).Tag.Get("json"), ",")
			if !has(prefix + name) {
				t.Errorf("%s: it isn't known what a change of %s%s comes to", structure.Name(), prefix, name)
			}
			if !slices.Contains(named, name) {
				t.Errorf("docs/guide/breaking.md doesn't say under \"Changes by field and keyword\" what a change of %s comes to", name)
			}
		}
	}
	isKeyword := func(name string) bool { _, ok := keywordCases[name]; return ok }
	known("", apiextensionsv1.JSONSchemaProps{}, isKeyword)
	known("", apiextensionsv1.ValidationRule{}, func(name string) bool { _, ok := ruleCases[name]; return ok })
	isField := func(name string) bool { _, ok := definitionCases[name]; return ok }
	known("", apiextensionsv1.CustomResourceDefinitionSpec{}, isField)
	known("names.", apiextensionsv1.CustomResourceDefinitionNames{}, isField)
	known("versions.", apiextensionsv1.CustomResourceDefinitionVersion{}, isField)
	known("versions.subresources.", apiextensionsv1.CustomResourceSubresources{}, isField)
	known("conversion.", apiextensionsv1.CustomResourceConversion{}, isField)

	source, err := os.ReadFile("definition_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range definitionCases {
		if c.test != "" && !strings.Contains(string(source), `"`+c.test+`": {`) {
			t.Errorf("%s: TestDefinitions has no case %q", name, c.test)
		}
	}
}

// TestKeywords holds what a change of each keyword and each field of a rule comes to.
func TestKeywords(t *testing.T) {
	for _, k := range schema.Keywords {
		c := keywordCases[k.Name].comesTo
		if (c == isRefusedAtAll) != (k.Role == schema.Unsupported) || (c == silent) != (k.Role == schema.Documentation) {
			t.Errorf("%s has another role in package schema", k.Name)
		}
	}
	for name, c := range keywordCases {
		t.Run(name, func(t *testing.T) { comesTo(t, c.comesTo, c.old, c.new) })
	}
	for name, c := range ruleCases {
		t.Run("rule "+name, func(t *testing.T) {
			with := func(rule string) string {
				return "{type: string, maxLength: 9, x-kubernetes-validations: [" + rule + "]}"
			}
			comesTo(t, c.comesTo, with(c.old), with(c.new))
		})
	}
}

// comesTo fails a test if a change of a schema doesn't come to what is wanted.
func comesTo(t *testing.T, want, old, new string) {
	definition := func(text string) Definition {
		var s props
		if err := yaml.UnmarshalStrict([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		return definitionOf(&props{Type: "object", Properties: map[string]props{"spec": {Type: "object", Properties: map[string]props{"x": s}}}})
	}
	is := definition(new)
	is.CRD.Name = "things.example.org"
	problems := (apiserver.Upstream{}).Validate(context.Background(), is.CRD)
	if want == isRefusedAtAll {
		if len(problems) == 0 {
			t.Error("the API server takes it")
		}
		return
	}
	found := compare(t, definition(old), is, usual)
	if got := len(found) > 0; got != (want == breaks) {
		t.Errorf("%s, and found %s", want, describeAll(found))
	}
	if slices.ContainsFunc(found, func(f Finding) bool { return f.Counterexample == nil }) {
		t.Errorf("no counterexample: %s", describeAll(found))
	}
}

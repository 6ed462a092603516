package compare

import (
	"cmp"
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
	"github.com/mrgen-io/mrgen/testdata/expect"
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
	guide := expect.Value(os.ReadFile("../../../../docs/guide/breaking.md"))(t)
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
			expect.True(t, has(prefix+name), "%s: it isn't known what a change of %s%s comes to", structure.Name(), prefix, name)
			expect.True(t, slices.Contains(named, name), "docs/guide/breaking.md doesn't say under \"Changes by field and keyword\" what a change of %s comes to", name)
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

	source := expect.Value(os.ReadFile("definition_test.go"))(t)
	for name, c := range definitionCases {
		expect.True(t, c.test == "" || strings.Contains(string(source), `"`+c.test+`":`), "%s: TestDefinitions has no case %q", name, c.test)
	}
}

// TestKeywords holds what a change of each keyword and each field of a rule comes to.
func TestKeywords(t *testing.T) {
	for _, k := range schema.Keywords {
		c := keywordCases[k.Name].comesTo
		expect.True(t, (c == isRefusedAtAll) == (k.Role == schema.Unsupported) && (c == silent) == (k.Role == schema.Documentation), "%s has another role in package schema", k.Name)
	}
	for name, c := range keywordCases {
		t.Run(name, func(t *testing.T) {
			advice := cmp.Or(adviceOf[name], "accept the earlier values")
			for _, f := range comesTo(t, c.comesTo, c.old, c.new) {
				expect.True(t, strings.HasPrefix(f.Advice, advice), "%s: the advice is to %s", f.What, f.Advice)
			}
		})
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

// TestRestrictions adds restrictions to schemas, each of which breaks other values: an object shows each.
func TestRestrictions(t *testing.T) {
	rule := func(text string) string { return "x-kubernetes-validations: [{rule: \"" + text + "\"}]" }
	for old, restrictions := range map[string][]string{
		"x-kubernetes-preserve-unknown-fields: true": {"minItems: 1", "maxItems: 0", "minLength: 5", "maxLength: 2", "pattern: ^x", "minimum: 2", "maximum: 0",
			"minProperties: 1", "maxProperties: 0", "not: {enum: [true]}", "multipleOf: 1", "enum: [a]"},
		"type: object, additionalProperties: {type: string}": {"minProperties: 1", "maxProperties: 0", rule("size(self) != 1"), rule("size(self) != 2"), rule("size(self) < 2"),
			rule("self.all(k, self.all(other, other == k))")},
		"type: object, x-kubernetes-preserve-unknown-fields: true":                                           {"properties: {b: {type: integer}}", "properties: {b: {type: string}}, required: [b]"},
		"type: object, properties: {b: {type: string}, c: {type: string}, d: {type: string}}, required: [b]": {rule("has(self.c) || has(self.d)"), rule("!has(self.c) || !has(self.d)"), rule("!has(self.d)")},
		"type: integer, multipleOf: 3": {"multipleOf: 4", "multipleOf: 6"},
		"type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: string}}": {"maxProperties: 0", "minProperties: 1", "required: [b]"},
		"type: object, properties: {b: {type: string}, c: {type: string}, d: {type: string}}, oneOf: [{required: [b]}, {required: [c]}]": {
			rule("!has(self.b) || self.b != ''"), rule("has(self.d)"), rule("!has(self.b)")},
	} {
		for _, restriction := range restrictions {
			with := old + ", " + restriction
			if keyword, _, _ := strings.Cut(restriction, ":"); strings.Contains(old, " "+keyword+":") {
				with = strings.Replace(old, "multipleOf: 3", restriction, 1)
			}
			t.Run(restriction, func(t *testing.T) { comesTo(t, breaks, "{"+old+"}", "{"+with+"}") })
		}
	}
	for _, alternatives := range []string{"oneOf", "anyOf"} { // in either one, a field may change
		for _, field := range []string{"b", "c"} {
			old := "{type: object, properties: {b: {type: string}, c: {type: string}}, " + alternatives + ": [{required: [b]}, {required: [c]}]}"
			comesTo(t, breaks, old, strings.Replace(old, field+": {type: string", field+": {type: string, maxLength: 2", 1))
		}
	}
	for old, new := range map[string]string{
		"type: object, properties: {b: {type: string}}, required: [b]": "type: object, properties: {b: {type: string, default: x}}, required: [b]",
		"type: integer, multipleOf: 6":                                 "type: integer, multipleOf: 3", "type: integer": "type: integer, multipleOf: 1",
		"type: object, properties: {b: {type: string, default: x}}":               "type: object, properties: {b: {type: string, default: x}}, required: [b]",
		"type: string, maxLength: 3, enum: [a, b]":                                "type: string, maxLength: 2, enum: [b, a, c]",
		"type: object, additionalProperties: {type: string, maxLength: 2}":        "type: object, additionalProperties: {type: string}",
		"type: integer, minimum: 2, maximum: 8, multipleOf: 4, enum: [4, 8]":      "type: integer, minimum: 1, maximum: 9, multipleOf: 2",
		"type: object, properties: {b: {type: string}}, oneOf: [{required: [b]}]": "type: object, properties: {b: {type: string}}, required: [b]",
	} {
		t.Run(new, func(t *testing.T) { comesTo(t, silent, "{"+old+"}", "{"+new+"}") })
	}
}

// adviceOf has the beginning of the advice about a change of a keyword, unless it is the usual one.
var adviceOf = map[string]string{
	"type": "keep the type", "required": "make it optional", "default": "keep the default", "properties": "keep the field", "additionalProperties": "keep the field",
	"x-kubernetes-list-type": "keep how the elements merge", "x-kubernetes-map-type": "keep how the elements merge", "x-kubernetes-list-map-keys": "keep how the elements merge",
	"x-kubernetes-validations": "make the rule accept", "x-kubernetes-int-or-string": "keep the type", "items": "keep the type",
}

// comesTo fails a test if a change of a schema doesn't come to what is wanted. It returns the findings.
func comesTo(t *testing.T, want, old, new string) []Finding {
	definition := func(text string) Definition {
		var s props
		expect.NoError(t, yaml.UnmarshalStrict([]byte(text), &s))
		return definitionOf(&props{Type: "object", Properties: map[string]props{"spec": {Type: "object", Properties: map[string]props{"x": s}}}})
	}
	is := definition(new)
	is.CRD.Name = "things.example.org"
	problems := (apiserver.Upstream{}).Validate(context.Background(), is.CRD)
	if want == isRefusedAtAll {
		expect.True(t, len(problems) != 0, "the API server takes it")
		return nil
	}
	found := compare(t, definition(old), is, usual)
	expect.Equal(t, (want == breaks), len(found) > 0, "%s, and found %s", want, describeAll(found))
	expect.True(t, !slices.ContainsFunc(found, func(f Finding) bool { return f.Counterexample == nil }), "no counterexample: %s", describeAll(found))
	return found
}

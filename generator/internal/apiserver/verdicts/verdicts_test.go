package verdicts

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// withSpec returns a definition whose only version has that spec, as YAML.
func withSpec(t testing.TB, spec string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	err := yaml.UnmarshalStrict(fmt.Appendf(nil, `
metadata: {name: vpcs.ec2.example.org}
spec:
  group: ec2.example.org
  names: {kind: VPC, plural: vpcs}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: %s}}}}
`, spec), crd)
	expect.Must(t, err == nil, "can't parse %s: %v", spec, err)
	return crd
}

// counting is a Validator that counts the rules in the definitions that it is asked about.
type counting struct {
	apiserver.Upstream
	rules int
}

func (c *counting) Validate(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) []crdvalidation.ValidationError {
	c.rules += countRules(crd.Spec.Versions[0].Schema.OpenAPIV3Schema)
	return c.Upstream.Validate(ctx, crd)
}

func (c *counting) Cost(root *apiextensionsv1.JSONSchemaProps, at schema.Path, field []string, rule apiextensionsv1.ValidationRule) uint64 {
	c.rules++
	return c.Upstream.Cost(root, at, field, rule)
}

// accept has a Validator accept a definition.
func accept(t *testing.T, v *Validator, crd *apiextensionsv1.CustomResourceDefinition) {
	t.Helper()
	problems := v.Validate(context.Background(), crd)
	expect.Must(t, len(problems) == 0, "refused: %+v", problems)
}

const immutable = `{type: object, properties: {%s: {type: string%s}, other: {type: integer}}, x-kubernetes-validations: [{rule: "%s", message: %[1]s is immutable, fieldPath: .%[1]s}]}`

// TestRulesAreCompiledOnce makes sure that rules that differ in names and messages alone
// are asked about once, and others each.
func TestRulesAreCompiledOnce(t *testing.T) {
	tests := map[string]struct {
		spec  string
		known bool
	}{
		"Same":     {fmt.Sprintf(immutable, "cidr", "", "!has(oldSelf.cidr) || has(self.cidr) && self.cidr == oldSelf.cidr"), true},
		"Names":    {fmt.Sprintf(immutable, "zone", "", "!has(oldSelf.zone) || has(self.zone) && self.zone == oldSelf.zone"), true},
		"Spaces":   {fmt.Sprintf(immutable, "zone", "", "!has( oldSelf.zone )||( has(self.zone) && self.zone==oldSelf.zone )"), true},
		"Self":     {fmt.Sprintf(immutable, "self", "", "!has(oldSelf.self) || has(self.self) && self.self == oldSelf.self"), true},
		"Escaped":  {fmt.Sprintf(immutable, "in", "", "!has(oldSelf.__in__) || has(self.__in__) && self.__in__ == oldSelf.__in__"), true},
		"Deeper":   {"{type: object, properties: {a: " + fmt.Sprintf(immutable, "zone", "", "!has(oldSelf.zone) || has(self.zone) && self.zone == oldSelf.zone") + "}}", true},
		"Bound":    {fmt.Sprintf(immutable, "zone", ", maxLength: 3", "!has(oldSelf.zone) || has(self.zone) && self.zone == oldSelf.zone"), false},
		"Operator": {fmt.Sprintf(immutable, "zone", "", "!has(oldSelf.zone) || has(self.zone) && self.zone != oldSelf.zone"), false},
		"Grouping": {fmt.Sprintf(immutable, "zone", "", "(!has(oldSelf.zone) || has(self.zone)) && self.zone == oldSelf.zone"), false},
		"Text":     {fmt.Sprintf(immutable, "zone", "", "!has(oldSelf.zone) || has(self.zone) && self.zone == 'zone'"), false},
		"Fields":   {fmt.Sprintf(immutable, "zone", "", "!has(oldSelf.zone) || has(self.zone) && self.other == oldSelf.other"), false},
		"InList":   {"{type: object, properties: {a: {type: array, maxItems: 2, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [other], items: " + strings.Replace(fmt.Sprintf(immutable, "zone", "", "!has(oldSelf.zone) || has(self.zone) && self.zone == oldSelf.zone"), "{", "{required: [other], ", 1) + "}}}", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			upstream := &counting{}
			v := New(upstream)
			accept(t, v, withSpec(t, fmt.Sprintf(immutable, "cidr", "", "!has(oldSelf.cidr) || has(self.cidr) && self.cidr == oldSelf.cidr")))
			accept(t, v, withSpec(t, test.spec))
			known := upstream.rules == 1
			expect.True(t, known == test.known, "upstream was asked about %d rules", upstream.rules)
		})
	}
}

// TestRefusals makes sure that what looks like an accepted rule, but is none, is refused.
func TestRefusals(t *testing.T) {
	const rule = `x-kubernetes-validations: [{rule: "%s"}]`
	unchanged := fmt.Sprintf(`properties: {a: {type: string}}, `+rule, "self.a == oldSelf.a")
	of := func(properties, text string) string {
		return "{type: object, properties: {" + properties + "}, " + fmt.Sprintf(rule, text) + "}"
	}
	for name, test := range map[string]struct{ accepted, refused string }{
		"OtherType":     {of("a: {type: string}", "self.a == 'a'"), of("a: {type: integer}", "self.a == 'a'")},
		"MissingField":  {of("a: {type: string}", "has(self.a)"), of("b: {type: string}", "has(self.a)")},
		"UntypedField":  {of("a: {type: string}", "has(self.a)"), of("a: {x-kubernetes-preserve-unknown-fields: true}", "has(self.a)")},
		"OtherBound":    {of("a: {type: string, maxLength: 9}", "self.a.contains(self.a)"), of("a: {type: string}", "self.a.contains(self.a)")},
		"Unescaped":     {of("a__b: {type: string}", "has(self.a__underscores__b)"), of("a__b: {type: string}", "has(self.a__b)")},
		"NameInValue":   {of("a: {type: object, properties: {b: {type: string}, c: {type: integer}}}", "self.a == oldSelf.a && self.a.b == 'b'"), of("a: {type: object, properties: {b: {type: string}, c: {type: integer}}}", "self.a == oldSelf.a && self.a.c == 'b'")},
		"AnotherSelf":   {of("a: {type: array, maxItems: 9, items: {type: object, properties: {b: {type: integer}, c: {type: string}}}}, b: {type: integer}, c: {type: integer}", "self.a.all(self, self.b > 1)"), of("a: {type: array, maxItems: 9, items: {type: object, properties: {b: {type: integer}, c: {type: string}}}}, b: {type: integer}, c: {type: integer}", "self.a.all(self, self.c > 1)")},
		"InList":        {"{type: object, " + unchanged + "}", "{type: object, properties: {l: {type: array, maxItems: 2, items: {type: object, " + unchanged + "}}}}"},
		"NoResource":    {"{type: object, properties: {o: {x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, " + of("metadata: {type: object}", "self.metadata.name != 'a'")[1:] + "}}", "{type: object, properties: {o: {x-kubernetes-preserve-unknown-fields: true, " + of("metadata: {type: object}", "self.metadata.name != 'a'")[1:] + "}}"},
		"Function":      {of("a: {type: string}", "self.a.contains('a')"), of("a: {type: string}", "contains(self.a, 'a')")},
		"Method":        {of("a: {type: string}", "int(self.a) == 1"), of("a: {type: string}", "self.a.int() == 1")},
		"InLargeMap":    {of("a: {type: string}", "self.a == 'a'+'b'"), "{type: object, properties: {m: {type: object, additionalProperties: " + strings.Replace(of("a: {type: string}", "self.a.contains('a')"), "a: {", "b: {type: string}, a: {", 1) + "}}}"},
		"OnDefault":     {of("a: {type: string}", "has(self.a)"), "{type: object, properties: {o: {default: {}, " + of("a: {type: string}", "has(self.a)")[1:] + "}}"},
		"BelowDefault":  {of("a: {type: string}", "has(self.a)"), "{type: object, properties: {o: {type: object, default: {p: {}}, properties: {p: " + of("a: {type: string}", "has(self.a)") + "}}}}"},
		"InSecondOfAll": {of("a: {type: string}", "has(self.a)"), "{type: object, properties: {o: {type: object, allOf: [" + of("a: {}", "has(self.a)") + "]}}}"},
		"BlankMessage":  {strings.Replace(of("a: {type: string}", "has(self.a)"), "[{", "[{message: m, ", 1), strings.Replace(of("a: {type: string}", "has(self.a)"), "[{", "[{message: ' ', ", 1)},
		"TwoLines":      {strings.Replace(of("a: {type: string}", "has(self.a)"), "[{", "[{message: m, ", 1), strings.Replace(of("a: {type: string}", "has(self.a)"), "[{", `[{message: "m\nm", `, 1)},
		"Reason":        {strings.Replace(of("a: {type: string}", "has(self.a)"), "[{", "[{reason: FieldValueInvalid, ", 1), strings.Replace(of("a: {type: string}", "has(self.a)"), "[{", "[{reason: Other, ", 1)},
		"FieldPath":     {strings.Replace(of("a: {type: string}", "has(self.a)"), "[{", "[{fieldPath: .a, ", 1), strings.Replace(of("a: {type: string}", "has(self.a)"), "[{", "[{fieldPath: .b, ", 1)},
		"PathInValue":   {strings.Replace(of("a: {type: object, properties: {b: {type: string}}}", "self.a == oldSelf.a"), "[{", "[{fieldPath: .a.b, ", 1), strings.Replace(of("a: {type: object, properties: {b: {type: string}}}", "self.a == oldSelf.a"), "[{", "[{fieldPath: .a.c, ", 1)},
		"NoOldSelf":     {of("a: {type: string}", "has(self.a)"), strings.Replace(of("a: {type: string}", "has(self.a)"), "[{", "[{optionalOldSelf: true, ", 1)},
		"Expression":    {of("a: {type: string}", "has(self.a)"), strings.Replace(of("a: {type: string}", "has(self.a)"), "[{", "[{messageExpression: self.b, ", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			v := New(apiserver.Upstream{})
			accept(t, v, withSpec(t, test.accepted))
			crd := withSpec(t, test.refused)
			got, want := v.Validate(context.Background(), crd), apiserver.Upstream{}.Validate(context.Background(), crd)
			expect.True(t, len(want) != 0 && reflect.DeepEqual(got, want), "got  %+v\nwant %+v", got, want)
		})
	}
}

// TestCostsAddUp makes sure that rules that are accepted one by one can be too expensive
// together, and that those that aren't are accepted.
func TestCostsAddUp(t *testing.T) {
	const property = `{type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: self.a == oldSelf.a}]}`
	var parsed apiextensionsv1.JSONSchemaProps
	expect.NoError(t, yaml.UnmarshalStrict([]byte(property), &parsed))
	v := New(apiserver.Upstream{})
	accept(t, v, withSpec(t, property))
	cost := apiserver.RuleCosts(withSpec(t, property))[0].Cost
	most := int(apiserver.MaxCost / cost)
	const other = `{type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: "self.a == oldSelf.a && [1].all(x, x == 1)"}]}`
	for _, test := range []struct {
		fields int
		others string // with rules that nothing can be remembered of
		want   bool
	}{{most, "", true}, {most + 1, "", false}, {most, "other: " + other, false}} {
		fields, want := test.fields, test.want
		crd := withSpec(t, "{type: object, properties: {"+test.others+"}}")
		for i := range fields {
			spec := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
			spec.Properties[fmt.Sprintf("p%d", i)] = parsed
		}
		expect.Equal(t, want, len(v.Validate(context.Background(), crd)) == 0, "%d rules of %d each, %s: accepted", fields, cost, test.others)
	}
}

// TestRefusedRulesAreNotRemembered makes sure that a rule is known only if the definition
// that it is in was accepted in a run that went on to its end.
func TestRefusedRulesAreNotRemembered(t *testing.T) {
	good := fmt.Sprintf(immutable, "a", "", "has(self.a)")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, test := range map[string]struct {
		ctx  context.Context
		spec string
	}{"Refused": {context.Background(), "{type: object, properties: {a: " + good + ", b: {type: strange}}}"}, "Cancelled": {cancelled, good}} {
		t.Run(name, func(t *testing.T) {
			v := New(apiserver.Upstream{})
			v.Validate(test.ctx, withSpec(t, test.spec))
			for key := range v.accepted.Range {
				t.Errorf("a rule is remembered: %v", key)
			}
		})
	}
}

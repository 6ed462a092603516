package apiserver

import (
	"context"
	_ "embed"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/version"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// definition is a valid definition whose only version has the properties of
// forProvider that a test is about.
//
//go:embed testdata/definition.yaml
var definition string

// parse returns the definition that a YAML document describes.
func parse(t testing.TB, document string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	err := yaml.UnmarshalStrict([]byte(document), crd)
	expect.Must(t, err == nil, "can't parse %s: %v", document, err)
	return crd
}

// withProperties returns the definition with these properties of forProvider,
// one a line as YAML.
func withProperties(t testing.TB, properties ...string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	return parse(t, definition+"                  "+strings.Join(properties, "\n                  ")+"\n")
}

// forProvider is the path of properties and steps below spec.forProvider: "[]"
// for items, "{}" for values.
func forProvider(steps ...string) schema.Path {
	p := schema.Path{{Name: "spec"}, {Name: "forProvider"}}
	for _, s := range steps {
		switch s {
		case "[]":
			p = append(p, schema.Step{Kind: schema.Items})
		case "{}":
			p = append(p, schema.Step{Kind: schema.Values})
		default:
			p = append(p, schema.Step{Name: s})
		}
	}
	return p
}

// problems are what is wrong with a definition.
type problems = []crdvalidation.ValidationError

// at is a problem of a property, or of something else of the version.
func at(path schema.Path, field, reason string) crdvalidation.ValidationError {
	return atRule(path, -1, field, reason)
}

// atRule is a problem of a rule of a property.
func atRule(path schema.Path, rule int, field, reason string) crdvalidation.ValidationError {
	return crdvalidation.ValidationError{Version: "v1", Path: path, Rule: rule, Field: field, Reason: reason}
}

// ofAll is a problem of all versions.
func ofAll(field, reason string) crdvalidation.ValidationError {
	return crdvalidation.ValidationError{Rule: -1, Field: field, Reason: reason}
}

// same compares problems, and prints both sides one problem a line.
func same(t *testing.T, got, want problems) {
	t.Helper()
	if slices.EqualFunc(got, want, func(a, b crdvalidation.ValidationError) bool { return a.Version == b.Version && a.Compare(b) == 0 }) {
		return
	}
	var b strings.Builder
	for _, p := range got {
		fmt.Fprintf(&b, "got  %+v\n", p)
	}
	for _, p := range want {
		fmt.Fprintf(&b, "want %+v\n", p)
	}
	t.Errorf("problems differ:\n%s", b.String())
}

// validate returns what is wrong with a definition.
func validate(crd *apiextensionsv1.CustomResourceDefinition, release *version.Version) []crdvalidation.ValidationError {
	return Upstream{MinKubernetes: release}.Validate(context.Background(), crd)
}

const tooExpensive = "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"

// propertyTests are properties of forProvider, and what is wrong with them.
var propertyTests = map[string]struct {
	properties []string
	want       problems
}{
	"Valid": {
		[]string{
			`cidrBlock: {type: string, maxLength: 32, pattern: "^[0-9./]+$", default: "10.0.0.0/8", x-kubernetes-validations: [{rule: "isCIDR(self)", messageExpression: "self + ' is no CIDR'", reason: FieldValueInvalid}]}`,
			`tags: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [key], items: {type: object, required: [key], properties: {key: {type: string}, value: {type: string}}}}`,
			`port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}`,
		}, nil,
	},
	"RuleNamesUnknownField": {
		[]string{`cidr: {type: object, properties: {block: {type: string}}, x-kubernetes-validations: [{rule: "true"}, {rule: "self.blok != ''"}]}`},
		problems{atRule(forProvider("cidr"), 1, "rule", `Invalid value: compilation failed: ERROR: <input>:1:5: undefined field 'blok'`)},
	},
	"RuleWithTwoErrors": {
		[]string{`cidr: {type: object, properties: {block: {type: string}}, x-kubernetes-validations: [{rule: "self.a && self.b"}]}`},
		problems{atRule(forProvider("cidr"), 0, "rule", `Invalid value: compilation failed: ERROR: <input>:1:5: undefined field 'a'; <input>:1:15: undefined field 'b'`)},
	},
	"RuleComparesTypes": {
		[]string{`cidr: {type: object, properties: {block: {type: object, properties: {a: {type: string}}}}, x-kubernetes-validations: [{rule: "self.block == 'a'"}]}`},
		problems{atRule(forProvider("cidr"), 0, "rule", `Invalid value: compilation failed: ERROR: <input>:1:12: found no matching overload for '_==_' applied to '(self.block, string)'`)},
	},
	"MessageExpressionDoesNotCompile": {
		[]string{`cidr: {type: string, x-kubernetes-validations: [{rule: "self != ''", messageExpression: "1"}]}`},
		problems{atRule(forProvider("cidr"), 0, "messageExpression", `Invalid value: messageExpression must evaluate to a string`)},
	},
	"FieldPathLeadsNowhere": {
		[]string{`cidr: {type: object, properties: {block: {type: string}}, x-kubernetes-validations: [{rule: "true", fieldPath: ".blok"}]}`},
		problems{atRule(forProvider("cidr"), 0, "fieldPath", `Invalid value: ".blok": must be a valid path`)},
	},
	"OldSelfInAtomicList": {
		[]string{`"cidr blocks": {type: array, maxItems: 4, items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: "self == oldSelf"}]}}`},
		problems{
			atRule(forProvider("cidr blocks", "[]"), 0, "rule", `Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within .spec.forProvider["cidr blocks"]`),
		},
	},
	"RuleOverBudget": {
		[]string{`rules: {type: array, items: {type: object, properties: {cidr: {type: string, x-kubernetes-validations: [{rule: "self.matches('^a+$')"}]}}}}`},
		problems{atRule(forProvider("rules", "[]", "cidr"), 0, "rule", `Forbidden: estimated rule cost exceeds budget by factor of more than 100x `+tooExpensive)},
	},
	"MapValueOverBudget": {
		[]string{`tags: {type: object, additionalProperties: {type: string, maxLength: 200, x-kubernetes-validations: [{rule: "self.matches('^a+$')"}]}}`},
		problems{atRule(forProvider("tags", "{}"), 0, "rule", `Forbidden: estimated rule cost exceeds budget by factor of 8.6x `+tooExpensive)},
	},
	"PropertyWithoutType": {[]string{`cidr: {description: a block}`}, problems{at(forProvider("cidr"), "type", `Required value: must not be empty for specified object fields`)}},
	"ArrayWithoutItems":   {[]string{`cidr: {type: array}`}, problems{at(forProvider("cidr"), "items", `Required value: must be specified`)}},
	"TypeInAnyOf": {
		[]string{`cidr: {type: object, properties: {a: {type: string}}, anyOf: [{}, {properties: {a: {type: string}}}]}`},
		problems{at(forProvider("cidr"), "anyOf[1].properties[a].type", `Forbidden: must be empty to be structural`)},
	},
	"RecursiveReference": {
		[]string{`tree: {type: object, properties: {children: {type: array, items: {$ref: "#/definitions/Tree"}}}}`},
		problems{at(forProvider("tree", "children", "[]"), "$ref", `Forbidden: $ref is not supported`)},
	},
	"BadPattern": {
		[]string{`cidr: {type: string, pattern: "[a-z"}`},
		problems{at(forProvider("cidr"), "pattern", "Invalid value: \"[a-z\": must be a valid regular expression, but isn't: error parsing regexp: missing closing ]: `[a-z`")},
	},
	"DefaultOfWrongType": {[]string{`cidr: {type: string, default: 8}`}, problems{at(forProvider("cidr"), "default", `Invalid value: "integer":  in body must be of type string: "integer"`)}},
	"DefaultOfObject": {
		[]string{`cidr: {type: object, properties: {size: {type: integer}}, default: {size: many}}`},
		problems{at(forProvider("cidr"), "default.size", `Invalid value: "string": size in body must be of type integer: "string"`)},
	},
	"DefaultWithUnknownField": {
		[]string{`cidr: {type: object, properties: {size: {type: integer}}, default: {sise: 1}}`},
		problems{at(forProvider("cidr"), "default", `Invalid value: must not have unknown fields`)},
	},
	"ListMapKeyIsOptional": {
		[]string{`tags: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [key], items: {type: object, properties: {key: {type: string}}}}`},
		problems{at(forProvider("tags", "[]", "key"), "default", `Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`)},
	},
	"NamesThatLookLikePaths": {
		[]string{
			`a.b: {}`, `x]: {}`, `items: {type: array, items: {}}`, `properties: {type: object, properties: {items: {}}}`, `"a[0]": {}`,
			`additionalProperties: {type: object, additionalProperties: {}}`, `x-kubernetes-validations[0].rule: {}`, `"a].properties[b": {}`, `"": {}`,
		},
		problems{
			at(forProvider(""), "type", `Required value: must not be empty for specified object fields`),
			at(forProvider("a.b"), "type", `Required value: must not be empty for specified object fields`),
			at(forProvider("a[0]"), "type", `Required value: must not be empty for specified object fields`),
			at(forProvider("a].properties[b"), "type", `Required value: must not be empty for specified object fields`),
			at(forProvider("additionalProperties", "{}"), "type", `Required value: must not be empty for specified object fields`),
			at(forProvider("items", "[]"), "type", `Required value: must not be empty for specified array items`),
			at(forProvider("properties", "items"), "type", `Required value: must not be empty for specified object fields`),
			at(forProvider("x-kubernetes-validations[0].rule"), "type", `Required value: must not be empty for specified object fields`),
			at(forProvider("x]"), "type", `Required value: must not be empty for specified object fields`),
		},
	},
	"ServerCrashes": {
		[]string{`tags: {type: object, additionalProperties: true, x-kubernetes-validations: [{rule: "true", fieldPath: ".a.b"}]}`},
		problems{
			{Rule: -1, Reason: `the API server's validation crashes on this definition, check each fieldPath and selectable field: runtime error: invalid memory address or nil pointer dereference`},
		},
	},
}

func TestValidateProperties(t *testing.T) {
	for name, test := range propertyTests {
		t.Run(name, func(t *testing.T) {
			crd := withProperties(t, test.properties...)
			before := crd.DeepCopy()
			same(t, validate(crd, nil), test.want)
			expect.True(t, reflect.DeepEqual(crd, before), "the definition has changed")
		})
	}
}

// addVersion adds a version like the first one, but for its name and storage.
func addVersion(crd *apiextensionsv1.CustomResourceDefinition, name string) *apiextensionsv1.CustomResourceDefinitionVersion {
	added := crd.Spec.Versions[0].DeepCopy()
	added.Name, added.Storage = name, false
	crd.Spec.Versions = append(crd.Spec.Versions, *added)
	return &crd.Spec.Versions[len(crd.Spec.Versions)-1]
}

// setForProvider sets a property of forProvider in a version.
func setForProvider(v *apiextensionsv1.CustomResourceDefinitionVersion, name string, property apiextensionsv1.JSONSchemaProps) {
	v.Schema.OpenAPIV3Schema.Properties["spec"].Properties["forProvider"].Properties[name] = property
}

type customDefinition = apiextensionsv1.CustomResourceDefinition

func TestValidateDefinition(t *testing.T) {
	const (
		label  = `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`
		noType = `Required value: must not be empty for specified object fields`
	)
	tests := map[string]struct {
		change func(*customDefinition)
		want   problems
	}{
		"TwoStorageVersions": {
			func(crd *customDefinition) { addVersion(crd, "v2").Storage = true },
			problems{ofAll("versions", `Invalid value: must have exactly one version marked as storage version`)},
		},
		"SameVersionTwice": {
			func(crd *customDefinition) { addVersion(crd, "v1") }, problems{ofAll("versions", `Invalid value: must contain unique version names`)},
		},
		"BadVersionName": {
			func(crd *customDefinition) { crd.Spec.Versions[0].Name = "V1" },
			problems{{Version: "V1", Rule: -1, Field: "name", Reason: `Invalid value: "V1": ` + label}},
		},
		"BadNames": {
			func(crd *customDefinition) {
				crd.Name = "VPCs.ec2.example.org"
				crd.Spec.Names.Plural = "VPCs"
				crd.Spec.Names.ShortNames = []string{"vpc", "v.p.c"}
				crd.Spec.Names.Categories = []string{"Managed"}
			},
			problems{
				ofAll("metadata.name", `Invalid value: "VPCs.ec2.example.org": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`),
				ofAll("names.categories[0]", `Invalid value: "Managed": `+label),
				ofAll("names.plural", `Invalid value: "VPCs": `+label),
				ofAll("names.shortNames[1]", `Invalid value: "v.p.c": `+label),
			},
		},
		"ProtectedGroup": {
			func(crd *customDefinition) {
				crd.Name, crd.Spec.Group = "vpcs.ec2.k8s.io", "ec2.k8s.io"
			},
			problems{
				ofAll("metadata.annotations[api-approved.kubernetes.io]", `Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111`),
			},
		},
		"NoSchema": {
			func(crd *customDefinition) { crd.Spec.Versions[0].Schema = nil }, problems{at(nil, "schema.openAPIV3Schema", `Required value`)},
		},
		"RootIsNoObject": {
			func(crd *customDefinition) {
				crd.Spec.Versions[0].Schema.OpenAPIV3Schema = &apiextensionsv1.JSONSchemaProps{Type: "string"}
			},
			problems{
				at(nil, "type", `Invalid value: "string": must be object at the root`),
				at(nil, "type", `Invalid value: "string": only "object" is allowed as the type at the root of the schema if the status subresource is enabled`),
			},
		},
		"BadPrinterColumn": {
			func(crd *customDefinition) {
				crd.Spec.Versions[0].AdditionalPrinterColumns = append(crd.Spec.Versions[0].AdditionalPrinterColumns,
					apiextensionsv1.CustomResourceColumnDefinition{Name: "ID", Type: "text", JSONPath: "status.id"})
			},
			problems{
				at(nil, "additionalPrinterColumns[1].jsonPath", `Invalid value: "status.id": must be a simple json path starting with .`),
				at(nil, "additionalPrinterColumns[1].type", `Invalid value: "text": must be one of boolean,date,integer,number,string`),
			},
		},
		"BadSelectableField": {
			func(crd *customDefinition) {
				crd.Spec.Versions[0].SelectableFields = []apiextensionsv1.SelectableField{{JSONPath: ".spec.forProvider.cider"}}
			},
			problems{at(nil, "selectableFields[0].jsonPath", `Invalid value: ".spec.forProvider.cider": is an invalid path: does not refer to a valid field`)},
		},
		"BadScalePath": {
			func(crd *customDefinition) {
				crd.Spec.Versions[0].Subresources.Scale = &apiextensionsv1.CustomResourceSubresourceScale{SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".spec.replicas"}
			},
			problems{at(nil, "subresources.scale.statusReplicasPath", `Invalid value: ".spec.replicas": should be a json path under .status`)},
		},
		"DefaultIsNoJSON": {
			func(crd *customDefinition) {
				setForProvider(&crd.Spec.Versions[0], "cidr", apiextensionsv1.JSONSchemaProps{Type: "string", Default: &apiextensionsv1.JSON{Raw: []byte("a")}})
			},
			problems{{Rule: -1, Reason: `can't be read by the API server: invalid character 'a' looking for beginning of value`}},
		},
		"SameProblemInTwoEqualVersions": {
			func(crd *customDefinition) {
				setForProvider(&crd.Spec.Versions[0], "cidr", apiextensionsv1.JSONSchemaProps{})
				addVersion(crd, "v1alpha1")
			},
			problems{at(forProvider("cidr"), "type", noType), {Version: "v1alpha1", Path: forProvider("cidr"), Rule: -1, Field: "type", Reason: noType}},
		},
		"ProblemsInTwoDifferentVersions": {
			func(crd *customDefinition) {
				second := addVersion(crd, "v1alpha1")
				setForProvider(second, "tags", apiextensionsv1.JSONSchemaProps{})
				setForProvider(second, "cidr", apiextensionsv1.JSONSchemaProps{})
				setForProvider(&crd.Spec.Versions[0], "cidr", apiextensionsv1.JSONSchemaProps{})
			},
			problems{
				at(forProvider("cidr"), "type", noType),
				{Version: "v1alpha1", Path: forProvider("cidr"), Rule: -1, Field: "type", Reason: noType},
				{Version: "v1alpha1", Path: forProvider("tags"), Rule: -1, Field: "type", Reason: noType},
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			crd := withProperties(t, "cidr: {type: string}")
			test.change(crd)
			before := crd.DeepCopy()
			same(t, validate(crd, nil), test.want)
			expect.True(t, reflect.DeepEqual(crd, before), "the definition has changed")
		})
	}
}

// Many equally expensive rules in different properties are too much together.
// Which ones are named must not depend on the order of a map.
func TestValidateTotalCost(t *testing.T) {
	const rule = `{type: array, maxItems: %d, items: {type: string, maxLength: 1000}, x-kubernetes-validations: [{rule: "self.all(s, s.contains('a'))"}]}`
	var properties []string
	for i := range 60 {
		maxItems := 5000
		if i == 50 {
			maxItems = 20000
		}
		properties = append(properties, fmt.Sprintf("p%02d: "+rule, i, maxItems))
	}
	crd := withProperties(t, properties...)
	for range budget.Of(2, 10) {
		same(t, validate(crd, nil), problems{
			{Version: "v1", Rule: -1, Reason: `Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of 1.272601x ` + tooExpensive},
			atRule(forProvider("p00"), 0, "rule", `Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema (2020002 of 100000000)`),
			atRule(forProvider("p01"), 0, "rule", `Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema (2020002 of 100000000)`),
			atRule(forProvider("p02"), 0, "rule", `Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema (2020002 of 100000000)`),
			atRule(forProvider("p50"), 0, "rule", `Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema (8080002 of 100000000)`),
		})
	}
}

func TestValidateMinKubernetes(t *testing.T) {
	const (
		function = `cidr: {type: string, maxLength: 32, x-kubernetes-validations: [{rule: "isCIDR(self)"}, {rule: "self != ''", messageExpression: "string(cidr('10.0.0.0/8'))"}]}`
		equality = `cidr: {type: string, maxLength: 32, x-kubernetes-validations: [{rule: "quantity(self) == quantity('1')"}, {rule: "quantity(self).compareTo(quantity('1')) == 0"}]}`
		dynamic  = `cidr: {type: string, maxLength: 32, x-kubernetes-validations: [{rule: "self != ''", messageExpression: "dyn(self) == dyn(self) ? 'a' : 'b'"}, {rule: "self == ''"}]}`
		semver   = `cidr: {type: string, maxLength: 32, x-kubernetes-validations: [{rule: "isSemver(self)"}]}`
		broken   = `cidr: {type: string, maxLength: 32, x-kubernetes-validations: [{rule: "isCIDER(self)", reason: FieldValueInvalid}]}`
	)
	cidr := forProvider("cidr")
	tests := map[string]struct {
		properties []string
		change     func(*apiextensionsv1.CustomResourceDefinition)
		release    *version.Version
		want       problems
	}{
		"Equality1.31": {
			properties: []string{equality},
			release:    version.MajorMinor(1, 31),
			want: problems{
				atRule(cidr, 0, "rule", `costs too much in Kubernetes 1.31: simplify it, or set minKubernetes to 1.32: older releases take == of quantities, IP addresses, CIDRs, URLs and formats for very expensive; compare quantities with compareTo, and others as text`),
			},
		},
		"Equality1.32": {properties: []string{equality}, release: version.MajorMinor(1, 32)},
		"Dynamic1.32": {
			properties: []string{dynamic},
			release:    version.MajorMinor(1, 32),
			want: problems{
				atRule(cidr, 0, "messageExpression", `costs too much in Kubernetes 1.32: simplify it, or set minKubernetes to 1.33: older releases take dyn() and == of optional values for very expensive; leave out dyn(), and compare what orValue() returns`),
			},
		},
		"Dynamic1.33":  {properties: []string{dynamic}, release: version.MajorMinor(1, 33)},
		"Function1.31": {properties: []string{function}, release: version.MajorMinor(1, 31)},
		"TwoEqualVersions": {
			properties: []string{dynamic},
			change:     func(crd *apiextensionsv1.CustomResourceDefinition) { addVersion(crd, "v2") },
			release:    version.MajorMinor(1, 32),
			want: problems{
				atRule(cidr, 0, "messageExpression", `costs too much in Kubernetes 1.32: simplify it, or set minKubernetes to 1.33: older releases take dyn() and == of optional values for very expensive; leave out dyn(), and compare what orValue() returns`),
				{Version: "v2", Path: cidr, Rule: 0, Field: "messageExpression", Reason: `costs too much in Kubernetes 1.32: simplify it, or set minKubernetes to 1.33: older releases take dyn() and == of optional values for very expensive; leave out dyn(), and compare what orValue() returns`},
			},
		},
		"RuleThatNeverCompiles": {
			properties: []string{broken}, release: version.MajorMinor(1, 31),
			want: problems{atRule(cidr, 0, "rule", `Invalid value: compilation failed: ERROR: <input>:1:8: undeclared reference to 'isCIDER' (in container '')`)},
		},
		"FunctionOfNewer": {
			properties: []string{semver},
			release:    version.MajorMinor(1, 33),
			want: problems{
				atRule(cidr, 0, "rule", `does not compile in Kubernetes 1.33: change it, or set minKubernetes to 1.34: compilation failed: ERROR: <input>:1:9: undeclared reference to 'isSemver' (in container '')`),
			},
		},
		"LaterThanTheNewest": {properties: []string{function}, release: version.MajorMinor(1, 99)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			crd := withProperties(t, test.properties...)
			if test.change != nil {
				test.change(crd)
			}
			same(t, validate(crd, test.release), test.want)
		})
	}
}

func TestValidateConcurrently(t *testing.T) {
	crd := withProperties(t, `cidr: {type: object, properties: {block: {type: string}}, x-kubernetes-validations: [{rule: "isSemver(self.block)"}]}`)
	want := validate(crd, version.MajorMinor(1, 31))
	expect.Must(t, len(want) == 1, "problems: %+v", want)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 5 {
				same(t, validate(crd, version.MajorMinor(1, 31)), want)
			}
		})
	}
	group.Wait()
}

func BenchmarkValidate(b *testing.B) {
	var properties []string
	for i := range 1000 {
		properties = append(properties, fmt.Sprintf(`p%03d: {type: string, description: "%s"}`, i, strings.Repeat("about the property ", 8)))
	}
	crd := withProperties(b, properties...)
	b.ReportAllocs()
	for b.Loop() {
		problems := validate(crd, version.MajorMinor(1, 31))
		expect.Must(b, len(problems) == 0, "%v", problems)
	}
}

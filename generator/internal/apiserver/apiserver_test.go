package apiserver

import (
	"context"
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
)

// definition is a valid definition whose only version has the properties of
// forProvider that a test is about.
const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: vpcs.ec2.example.org
spec:
  group: ec2.example.org
  names:
    categories: [crossplane, managed]
    kind: VPC
    plural: vpcs
    shortNames: [vpc]
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
    additionalPrinterColumns:
    - {name: AGE, type: date, jsonPath: .metadata.creationTimestamp}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          apiVersion: {type: string}
          kind: {type: string}
          metadata: {type: object}
          spec:
            type: object
            required: [forProvider]
            properties:
              managementPolicies:
                type: array
                default: ["*"]
                maxItems: 16
                items: {type: string, enum: ["*", Observe, Create, Update, Delete]}
              forProvider:
                type: object
                properties:
`

// parse returns the definition that a YAML document describes.
func parse(t testing.TB, document string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict([]byte(document), crd); err != nil {
		t.Fatalf("can't parse %s: %v", document, err)
	}
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

// same compares problems, and prints both sides one problem a line.
func same(t *testing.T, got, want []crdvalidation.ValidationError) {
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
	want       []crdvalidation.ValidationError
}{
	"Valid": {
		properties: []string{
			`cidrBlock: {type: string, maxLength: 32, pattern: "^[0-9./]+$", default: "10.0.0.0/8", x-kubernetes-validations: [{rule: "isCIDR(self)", messageExpression: "self + ' is no CIDR'", reason: FieldValueInvalid}]}`,
			`tags: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [key], items: {type: object, required: [key], properties: {key: {type: string}, value: {type: string}}}}`,
			`port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}`,
		},
	},
	"RuleNamesUnknownField": {
		properties: []string{`cidr: {type: object, properties: {block: {type: string}}, x-kubernetes-validations: [{rule: "true"}, {rule: "self.blok != ''"}]}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: 1, Field: "rule", Reason: `Invalid value: compilation failed: ERROR: <input>:1:5: undefined field 'blok'`},
		},
	},
	"RuleWithTwoErrors": {
		properties: []string{`cidr: {type: object, properties: {block: {type: string}}, x-kubernetes-validations: [{rule: "self.a && self.b"}]}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: 0, Field: "rule", Reason: `Invalid value: compilation failed: ERROR: <input>:1:5: undefined field 'a'; <input>:1:15: undefined field 'b'`},
		},
	},
	"RuleComparesTypes": {
		properties: []string{`cidr: {type: object, properties: {block: {type: object, properties: {a: {type: string}}}}, x-kubernetes-validations: [{rule: "self.block == 'a'"}]}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: 0, Field: "rule", Reason: `Invalid value: compilation failed: ERROR: <input>:1:12: found no matching overload for '_==_' applied to '(self.block, string)'`},
		},
	},
	"RuleIsNoCondition": {
		properties: []string{`cidr: {type: string, x-kubernetes-validations: [{rule: "self"}]}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: 0, Field: "rule", Reason: `Invalid value: cel expression must evaluate to a bool`},
		},
	},
	"MessageExpressionDoesNotCompile": {
		properties: []string{`cidr: {type: string, x-kubernetes-validations: [{rule: "self != ''", messageExpression: "1"}]}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: 0, Field: "messageExpression", Reason: `Invalid value: messageExpression must evaluate to a string`},
		},
	},
	"FieldPathLeadsNowhere": {
		properties: []string{`cidr: {type: object, properties: {block: {type: string}}, x-kubernetes-validations: [{rule: "true", fieldPath: ".blok"}]}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: 0, Field: "fieldPath", Reason: `Invalid value: ".blok": must be a valid path`},
		},
	},
	"UnknownReason": {
		properties: []string{`cidr: {type: string, x-kubernetes-validations: [{rule: "true", reason: Because}]}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: 0, Field: "reason", Reason: `Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`},
		},
	},
	"OldSelfInAtomicList": {
		properties: []string{`"cidr blocks": {type: array, maxItems: 4, items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: "self == oldSelf"}]}}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr blocks", "[]"), Rule: 0, Field: "rule", Reason: `Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within .spec.forProvider["cidr blocks"]`},
		},
	},
	"RuleOverBudget": {
		properties: []string{`rules: {type: array, items: {type: object, properties: {cidr: {type: string, x-kubernetes-validations: [{rule: "self.matches('^a+$')"}]}}}}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("rules", "[]", "cidr"), Rule: 0, Field: "rule", Reason: `Forbidden: estimated rule cost exceeds budget by factor of more than 100x ` + tooExpensive},
		},
	},
	"MapValueOverBudget": {
		properties: []string{`tags: {type: object, additionalProperties: {type: string, maxLength: 200, x-kubernetes-validations: [{rule: "self.matches('^a+$')"}]}}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("tags", "{}"), Rule: 0, Field: "rule", Reason: `Forbidden: estimated rule cost exceeds budget by factor of 8.6x ` + tooExpensive},
		},
	},
	"PropertyWithoutType": {
		properties: []string{`cidr: {description: a block}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: -1, Field: "type", Reason: `Required value: must not be empty for specified object fields`},
		},
	},
	"ArrayWithoutItems": {
		properties: []string{`cidr: {type: array}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: -1, Field: "items", Reason: `Required value: must be specified`},
		},
	},
	"ItemsWithoutType": {
		properties: []string{`cidr: {type: array, items: {}}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr", "[]"), Rule: -1, Field: "type", Reason: `Required value: must not be empty for specified array items`},
		},
	},
	"TypeInAnyOf": {
		properties: []string{`cidr: {type: object, properties: {a: {type: string}}, anyOf: [{}, {properties: {a: {type: string}}}]}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: -1, Field: "anyOf[1].properties[a].type", Reason: `Forbidden: must be empty to be structural`},
		},
	},
	"PropertiesAndAdditionalProperties": {
		properties: []string{`cidr: {type: object, properties: {a: {type: string}}, additionalProperties: {type: string}}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: -1, Field: "additionalProperties", Reason: `Forbidden: additionalProperties and properties are mutual exclusive`},
		},
	},
	"UnknownType": {
		properties: []string{`cidr: {type: strng}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: -1, Field: "type", Reason: `Unsupported value: "strng": supported values: "array", "boolean", "integer", "number", "object", "string"`},
		},
	},
	"UniqueItems": {
		properties: []string{`cidr: {type: array, uniqueItems: true, items: {type: string}}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: -1, Field: "uniqueItems", Reason: `Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`},
		},
	},
	"RecursiveReference": {
		properties: []string{`tree: {type: object, properties: {children: {type: array, items: {$ref: "#/definitions/Tree"}}}}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("tree", "children", "[]"), Rule: -1, Field: "$ref", Reason: `Forbidden: $ref is not supported`},
		},
	},
	"BadPattern": {
		properties: []string{`cidr: {type: string, pattern: "[a-z"}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: -1, Field: "pattern", Reason: "Invalid value: \"[a-z\": must be a valid regular expression, but isn't: error parsing regexp: missing closing ]: `[a-z`"},
		},
	},
	"DefaultOfWrongType": {
		properties: []string{`cidr: {type: string, default: 8}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: -1, Field: "default", Reason: `Invalid value: "integer":  in body must be of type string: "integer"`},
		},
	},
	"DefaultOutsideEnum": {
		properties: []string{`cidr: {type: string, enum: [a, b], default: c}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: -1, Field: "default", Reason: `Unsupported value: "c": supported values: "a", "b"`},
		},
	},
	"DefaultOfObject": {
		properties: []string{`cidr: {type: object, properties: {size: {type: integer}}, default: {size: many}}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: -1, Field: "default.size", Reason: `Invalid value: "string": size in body must be of type integer: "string"`},
		},
	},
	"DefaultWithUnknownField": {
		properties: []string{`cidr: {type: object, properties: {size: {type: integer}}, default: {sise: 1}}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: -1, Field: "default", Reason: `Invalid value: must not have unknown fields`},
		},
	},
	"DefaultBreaksRule": {
		properties: []string{`cidr: {type: string, default: b, x-kubernetes-validations: [{rule: "self == 'a'", message: "is a"}]}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("cidr"), Rule: -1, Field: "default", Reason: `Invalid value: "b": is a`},
		},
	},
	"ListMapKeyIsOptional": {
		properties: []string{`tags: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [key], items: {type: object, properties: {key: {type: string}}}}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("tags", "[]", "key"), Rule: -1, Field: "default", Reason: `Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`},
		},
	},
	"ListMapKeyIsMissing": {
		properties: []string{`tags: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, properties: {key: {type: string}}}}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("tags"), Rule: -1, Field: "x-kubernetes-list-map-keys", Reason: `Invalid value: entries must all be names of item properties`},
		},
	},
	"SetOfGranularObjects": {
		properties: []string{`tags: {type: array, x-kubernetes-list-type: set, items: {type: object, properties: {key: {type: string}}}}`},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider("tags", "[]"), Rule: -1, Field: "x-kubernetes-map-type", Reason: `Invalid value: must be atomic as item of a list with x-kubernetes-list-type=set`},
		},
	},
	"NamesThatLookLikePaths": {
		properties: []string{
			`a.b: {}`,
			`x]: {}`,
			`items: {type: array, items: {}}`,
			`properties: {type: object, properties: {items: {}}}`,
			`"a[0]": {}`,
			`additionalProperties: {type: object, additionalProperties: {}}`,
			`x-kubernetes-validations[0].rule: {}`,
			`"a].properties[b": {}`,
			`"": {}`,
		},
		want: []crdvalidation.ValidationError{
			{Version: "v1", Path: forProvider(""), Rule: -1, Field: "type", Reason: `Required value: must not be empty for specified object fields`},
			{Version: "v1", Path: forProvider("a.b"), Rule: -1, Field: "type", Reason: `Required value: must not be empty for specified object fields`},
			{Version: "v1", Path: forProvider("a[0]"), Rule: -1, Field: "type", Reason: `Required value: must not be empty for specified object fields`},
			{Version: "v1", Path: forProvider("a].properties[b"), Rule: -1, Field: "type", Reason: `Required value: must not be empty for specified object fields`},
			{Version: "v1", Path: forProvider("additionalProperties", "{}"), Rule: -1, Field: "type", Reason: `Required value: must not be empty for specified object fields`},
			{Version: "v1", Path: forProvider("items", "[]"), Rule: -1, Field: "type", Reason: `Required value: must not be empty for specified array items`},
			{Version: "v1", Path: forProvider("properties", "items"), Rule: -1, Field: "type", Reason: `Required value: must not be empty for specified object fields`},
			{Version: "v1", Path: forProvider("x-kubernetes-validations[0].rule"), Rule: -1, Field: "type", Reason: `Required value: must not be empty for specified object fields`},
			{Version: "v1", Path: forProvider("x]"), Rule: -1, Field: "type", Reason: `Required value: must not be empty for specified object fields`},
		},
	},
	"ServerCrashes": {
		properties: []string{`tags: {type: object, additionalProperties: true, x-kubernetes-validations: [{rule: "true", fieldPath: ".a.b"}]}`},
		want: []crdvalidation.ValidationError{
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
			if !reflect.DeepEqual(crd, before) {
				t.Error("the definition has changed")
			}
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

func TestValidateDefinition(t *testing.T) {
	const (
		label  = `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`
		noType = `Required value: must not be empty for specified object fields`
	)
	tests := map[string]struct {
		change func(*apiextensionsv1.CustomResourceDefinition)
		want   []crdvalidation.ValidationError
	}{
		"TwoStorageVersions": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) { addVersion(crd, "v2").Storage = true },
			want: []crdvalidation.ValidationError{
				{Rule: -1, Field: "versions", Reason: `Invalid value: must have exactly one version marked as storage version`},
			},
		},
		"NoStorageVersion": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) { crd.Spec.Versions[0].Storage = false },
			want: []crdvalidation.ValidationError{
				{Rule: -1, Field: "versions", Reason: `Invalid value: must have exactly one version marked as storage version`},
			},
		},
		"NoVersion": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) { crd.Spec.Versions = nil },
			want: []crdvalidation.ValidationError{
				{Rule: -1, Field: "versions", Reason: `Invalid value: must have exactly one version marked as storage version`},
			},
		},
		"SameVersionTwice": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) { addVersion(crd, "v1") },
			want: []crdvalidation.ValidationError{
				{Rule: -1, Field: "versions", Reason: `Invalid value: must contain unique version names`},
			},
		},
		"BadVersionName": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) { crd.Spec.Versions[0].Name = "V1" },
			want: []crdvalidation.ValidationError{
				{Version: "V1", Rule: -1, Field: "name", Reason: `Invalid value: "V1": ` + label},
			},
		},
		"BadNames": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) {
				crd.Name = "VPCs.ec2.example.org"
				crd.Spec.Names.Plural = "VPCs"
				crd.Spec.Names.ShortNames = []string{"vpc", "v.p.c"}
				crd.Spec.Names.Categories = []string{"Managed"}
			},
			want: []crdvalidation.ValidationError{
				{Rule: -1, Field: "metadata.name", Reason: `Invalid value: "VPCs.ec2.example.org": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`},
				{Rule: -1, Field: "names.categories[0]", Reason: `Invalid value: "Managed": ` + label},
				{Rule: -1, Field: "names.plural", Reason: `Invalid value: "VPCs": ` + label},
				{Rule: -1, Field: "names.shortNames[1]", Reason: `Invalid value: "v.p.c": ` + label},
			},
		},
		"NameIsNotPluralAndGroup": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) { crd.Name = "vpc.ec2.example.org" },
			want: []crdvalidation.ValidationError{
				{Rule: -1, Field: "metadata.name", Reason: `Invalid value: "vpc.ec2.example.org": must be spec.names.plural+"."+spec.group`},
			},
		},
		"NoScope": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) { crd.Spec.Scope = "" },
			want: []crdvalidation.ValidationError{
				{Rule: -1, Field: "scope", Reason: `Required value`},
			},
		},
		"ProtectedGroup": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) {
				crd.Name, crd.Spec.Group = "vpcs.ec2.k8s.io", "ec2.k8s.io"
			},
			want: []crdvalidation.ValidationError{
				{Rule: -1, Field: "metadata.annotations[api-approved.kubernetes.io]", Reason: `Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111`},
			},
		},
		"NoSchema": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) { crd.Spec.Versions[0].Schema = nil },
			want: []crdvalidation.ValidationError{
				{Version: "v1", Rule: -1, Field: "schema.openAPIV3Schema", Reason: `Required value`},
			},
		},
		"RootIsNoObject": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) {
				crd.Spec.Versions[0].Schema.OpenAPIV3Schema = &apiextensionsv1.JSONSchemaProps{Type: "string"}
			},
			want: []crdvalidation.ValidationError{
				{Version: "v1", Rule: -1, Field: "type", Reason: `Invalid value: "string": must be object at the root`},
				{Version: "v1", Rule: -1, Field: "type", Reason: `Invalid value: "string": only "object" is allowed as the type at the root of the schema if the status subresource is enabled`},
			},
		},
		"BadPrinterColumn": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) {
				crd.Spec.Versions[0].AdditionalPrinterColumns = append(crd.Spec.Versions[0].AdditionalPrinterColumns,
					apiextensionsv1.CustomResourceColumnDefinition{Name: "ID", Type: "text", JSONPath: "status.id"})
			},
			want: []crdvalidation.ValidationError{
				{Version: "v1", Rule: -1, Field: "additionalPrinterColumns[1].jsonPath", Reason: `Invalid value: "status.id": must be a simple json path starting with .`},
				{Version: "v1", Rule: -1, Field: "additionalPrinterColumns[1].type", Reason: `Invalid value: "text": must be one of boolean,date,integer,number,string`},
			},
		},
		"BadPrinterColumnOfOneVersion": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) {
				addVersion(crd, "v2").AdditionalPrinterColumns[0].JSONPath = ""
			},
			want: []crdvalidation.ValidationError{
				{Version: "v2", Rule: -1, Field: "additionalPrinterColumns[0].jsonPath", Reason: `Required value`},
			},
		},
		"BadSelectableField": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) {
				crd.Spec.Versions[0].SelectableFields = []apiextensionsv1.SelectableField{{JSONPath: ".spec.forProvider.cider"}}
			},
			want: []crdvalidation.ValidationError{
				{Version: "v1", Rule: -1, Field: "selectableFields[0].jsonPath", Reason: `Invalid value: ".spec.forProvider.cider": is an invalid path: does not refer to a valid field`},
			},
		},
		"BadScalePath": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) {
				crd.Spec.Versions[0].Subresources.Scale = &apiextensionsv1.CustomResourceSubresourceScale{SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".spec.replicas"}
			},
			want: []crdvalidation.ValidationError{
				{Version: "v1", Rule: -1, Field: "subresources.scale.statusReplicasPath", Reason: `Invalid value: ".spec.replicas": should be a json path under .status`},
			},
		},
		"DefaultIsNoJSON": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) {
				setForProvider(&crd.Spec.Versions[0], "cidr", apiextensionsv1.JSONSchemaProps{Type: "string", Default: &apiextensionsv1.JSON{Raw: []byte("a")}})
			},
			want: []crdvalidation.ValidationError{
				{Rule: -1, Reason: `can't be read by the API server: invalid character 'a' looking for beginning of value`},
			},
		},
		"SameProblemInTwoEqualVersions": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) {
				setForProvider(&crd.Spec.Versions[0], "cidr", apiextensionsv1.JSONSchemaProps{})
				addVersion(crd, "v1alpha1")
			},
			want: []crdvalidation.ValidationError{
				{Version: "v1", Path: forProvider("cidr"), Rule: -1, Field: "type", Reason: noType},
				{Version: "v1alpha1", Path: forProvider("cidr"), Rule: -1, Field: "type", Reason: noType},
			},
		},
		"ProblemsInTwoDifferentVersions": {
			change: func(crd *apiextensionsv1.CustomResourceDefinition) {
				second := addVersion(crd, "v1alpha1")
				setForProvider(second, "tags", apiextensionsv1.JSONSchemaProps{})
				setForProvider(second, "cidr", apiextensionsv1.JSONSchemaProps{})
				setForProvider(&crd.Spec.Versions[0], "cidr", apiextensionsv1.JSONSchemaProps{})
			},
			want: []crdvalidation.ValidationError{
				{Version: "v1", Path: forProvider("cidr"), Rule: -1, Field: "type", Reason: noType},
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
			if !reflect.DeepEqual(crd, before) {
				t.Error("the definition has changed")
			}
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
		same(t, validate(crd, nil), []crdvalidation.ValidationError{
			{Version: "v1", Rule: -1, Reason: `Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of 1.272601x ` + tooExpensive},
			{Version: "v1", Path: forProvider("p00"), Rule: 0, Field: "rule", Reason: `Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema (2020002 of 100000000)`},
			{Version: "v1", Path: forProvider("p01"), Rule: 0, Field: "rule", Reason: `Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema (2020002 of 100000000)`},
			{Version: "v1", Path: forProvider("p02"), Rule: 0, Field: "rule", Reason: `Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema (2020002 of 100000000)`},
			{Version: "v1", Path: forProvider("p50"), Rule: 0, Field: "rule", Reason: `Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema (8080002 of 100000000)`},
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
		want       []crdvalidation.ValidationError
	}{
		"Equality1.31": {
			properties: []string{equality},
			release:    version.MajorMinor(1, 31),
			want: []crdvalidation.ValidationError{
				{Version: "v1", Path: cidr, Rule: 0, Field: "rule", Reason: `costs too much in Kubernetes 1.31: simplify it, or set minKubernetes to 1.32: older releases take == of quantities, IP addresses, CIDRs, URLs and formats for very expensive; compare quantities with compareTo, and others as text`},
			},
		},
		"Equality1.32": {
			properties: []string{equality},
			release:    version.MajorMinor(1, 32),
		},
		"Dynamic1.32": {
			properties: []string{dynamic},
			release:    version.MajorMinor(1, 32),
			want: []crdvalidation.ValidationError{
				{Version: "v1", Path: cidr, Rule: 0, Field: "messageExpression", Reason: `costs too much in Kubernetes 1.32: simplify it, or set minKubernetes to 1.33: older releases take dyn() and == of optional values for very expensive; leave out dyn(), and compare what orValue() returns`},
			},
		},
		"Dynamic1.33": {
			properties: []string{dynamic},
			release:    version.MajorMinor(1, 33),
		},
		"Function1.31": {
			properties: []string{function},
			release:    version.MajorMinor(1, 31),
		},
		"TwoEqualVersions": {
			properties: []string{dynamic},
			change:     func(crd *apiextensionsv1.CustomResourceDefinition) { addVersion(crd, "v2") },
			release:    version.MajorMinor(1, 32),
			want: []crdvalidation.ValidationError{
				{Version: "v1", Path: cidr, Rule: 0, Field: "messageExpression", Reason: `costs too much in Kubernetes 1.32: simplify it, or set minKubernetes to 1.33: older releases take dyn() and == of optional values for very expensive; leave out dyn(), and compare what orValue() returns`},
				{Version: "v2", Path: cidr, Rule: 0, Field: "messageExpression", Reason: `costs too much in Kubernetes 1.32: simplify it, or set minKubernetes to 1.33: older releases take dyn() and == of optional values for very expensive; leave out dyn(), and compare what orValue() returns`},
			},
		},
		"RuleThatNeverCompiles": {
			properties: []string{broken},
			release:    version.MajorMinor(1, 31),
			want: []crdvalidation.ValidationError{
				{Version: "v1", Path: cidr, Rule: 0, Field: "rule", Reason: `Invalid value: compilation failed: ERROR: <input>:1:8: undeclared reference to 'isCIDER' (in container '')`},
			},
		},
		"FunctionOfNewer": {
			properties: []string{semver},
			release:    version.MajorMinor(1, 33),
			want: []crdvalidation.ValidationError{
				{Version: "v1", Path: cidr, Rule: 0, Field: "rule", Reason: `does not compile in Kubernetes 1.33: change it, or set minKubernetes to 1.34: compilation failed: ERROR: <input>:1:9: undeclared reference to 'isSemver' (in container '')`},
			},
		},
		"LaterThanTheNewest": {
			properties: []string{function},
			release:    version.MajorMinor(1, 99),
		},
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
	if len(want) != 1 {
		t.Fatalf("problems: %+v", want)
	}
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
		if problems := validate(crd, version.MajorMinor(1, 31)); len(problems) > 0 {
			b.Fatal(problems)
		}
	}
}

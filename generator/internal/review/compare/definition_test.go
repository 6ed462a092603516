package compare

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/utils/ptr"

	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// in returns findings in short.
func inShort(all []Finding) []string {
	var short []string
	for _, f := range all {
		proof := "may break"
		if f.Counterexample != nil {
			proof = f.Counterexample.Says
		}
		short = append(short, fmt.Sprintf("%s %s %s: %s: %s", f.Class, f.Version, f.Path, f.What, proof))
	}
	return short
}

// storedAlone returns the versions of a definition, of which the first is stored, and not served.
func storedAlone(d *Definition) []apiextensionsv1.CustomResourceDefinitionVersion {
	d.CRD.Spec.Versions[0].Served = false
	return d.CRD.Spec.Versions
}

// TestDefinitions holds what is found in what all versions share, and in the versions that
// there are.
func TestDefinitions(t *testing.T) {
	const schema = "properties: {a: {type: string}}"
	version := func(name, text string, change func(*apiextensionsv1.CustomResourceDefinitionVersion)) apiextensionsv1.CustomResourceDefinitionVersion {
		v := kind(t, text, "").CRD.Spec.Versions[0]
		v.Name, v.Storage = name, false
		if change != nil {
			change(&v)
		}
		return v
	}
	webhook := &apiextensionsv1.CustomResourceConversion{
		Strategy: apiextensionsv1.WebhookConverter,
		Webhook: &apiextensionsv1.WebhookConversion{
			ClientConfig:             &apiextensionsv1.WebhookClientConfig{Service: &apiextensionsv1.ServiceReference{Namespace: "a", Name: "b"}},
			ConversionReviewVersions: []string{"v1"},
		},
	}
	unserved := func(v *apiextensionsv1.CustomResourceDefinitionVersion) { v.Served = false }
	stored := func(v *apiextensionsv1.CustomResourceDefinitionVersion) { v.Storage = true }
	more := func(versions ...apiextensionsv1.CustomResourceDefinitionVersion) func(*Definition) {
		return func(d *Definition) { d.CRD.Spec.Versions = append(d.CRD.Spec.Versions, versions...) }
	}
	storing := func(another apiextensionsv1.CustomResourceDefinitionVersion) func(*Definition) {
		return func(d *Definition) {
			d.CRD.Spec.Versions[0].Storage = false
			more(another)(d)
		}
	}
	converted := func(change func(*Definition)) func(*Definition) {
		return func(d *Definition) {
			d.CRD.Spec.Conversion = webhook
			change(d)
		}
	}
	for name, test := range map[string]struct {
		old, new func(*Definition)
		want     []string
	}{
		"nothing": {},
		"categories and columns of a CRD": {
			new: func(d *Definition) {
				d.CRD.Spec.Names.Categories = []string{"all"}
				d.CRD.Spec.Versions[0].AdditionalPrinterColumns = []apiextensionsv1.CustomResourceColumnDefinition{{Name: "A", Type: "string", JSONPath: ".spec.a"}}
			},
		},
		"categories of an MRD": {
			old: func(d *Definition) { d.Managed = true }, new: func(d *Definition) { d.Managed = true; d.CRD.Spec.Names.Categories = []string{"all"} },
			want: []string{`install  : names of the MRD has changed: names: Value is immutable`},
		},
		"a CRD becomes an MRD": {new: func(d *Definition) { d.Managed = true; d.CRD.Spec.Names.Categories = []string{"all"} }},
		"an MRD is no longer active": {
			old: func(d *Definition) { d.Managed, d.State = true, "Active" }, new: func(d *Definition) { d.Managed = true },
			want: []string{`install  : state of the MRD has changed: state: state cannot be changed once it becomes Active`},
		},
		"an MRD becomes active": {
			old: func(d *Definition) { d.Managed = true }, new: func(d *Definition) { d.Managed, d.State = true, "Active" },
		},
		"connection details": {
			old: func(d *Definition) { d.Keys = []string{"endpoint", "password"} }, new: func(d *Definition) { d.Keys = []string{"endpoint", "port"} },
			want: []string{`client  : connection details are gone: password: the definition lists the connection details endpoint, port`},
		},
		"scope": {
			new:  func(d *Definition) { d.CRD.Spec.Scope = apiextensionsv1.NamespaceScoped },
			want: []string{`install  : scope of the CRD has changed: scope: Invalid value: "Namespaced": field is immutable`},
		},
		"the kind of a resource": {
			new:  func(d *Definition) { d.CRD.Spec.Names.Kind, d.CRD.Spec.Names.ListKind = "Other", "OtherList" },
			want: []string{`install  : names.kind of the CRD has changed: names.kind: Invalid value: "Other": field is immutable`},
		},
		"plural": {
			new:  func(d *Definition) { d.CRD.Spec.Names.Plural = "thingies" },
			want: []string{`stored v1 : the plural was things and is thingies: no matches for kind "Thing" in version "example.org/v1"`},
		},
		"a version is added": {new: more(version("v2", schema, nil))},
		"a version is not served": {
			old: more(version("v0", schema, nil)), new: more(version("v0", schema, unserved)),
			want: []string{`stored v0 : the version is not served: no matches for kind "Thing" in version "example.org/v0"`},
		},
		"a version is removed":                   {old: more(version("v0", schema, nil)), want: []string{`stored v0 : the version was removed: no matches for kind "Thing" in version "example.org/v0"`}},
		"a version changes that nobody reads":    {old: more(version("v0", schema, unserved)), new: more(version("v0", "properties: {a: {type: integer}}", unserved))},
		"a version is removed that nobody reads": {old: more(version("v0", schema, unserved))},
		"the stored version changes, which isn't served": {
			old: func(d *Definition) { d.CRD.Spec.Versions = append(storedAlone(d), version("v2", schema, nil)) },
			new: func(d *Definition) {
				d.CRD.Spec.Versions = append(storedAlone(d), version("v2", schema, nil))
				d.CRD.Spec.Versions[0].Schema = version("v1", "properties: {b: {type: string}}", nil).Schema
			},
			want: []string{`stored v1 spec.a: it was removed: spec.a is dropped`},
		},
		"the stored version is removed": {
			new:  func(d *Definition) { d.CRD.Spec.Versions[0].Name = "v2" },
			want: []string{`install  : status.storedVersions[0] of the CRD has changed: status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions`},
		},
		"another version is stored, which knows the same": {new: storing(version("v2", schema, stored))},
		"another version is stored, which knows less": {
			new:  storing(version("v2", "properties: {b: {type: string}}", stored)),
			want: []string{`stored v1 spec.a: the storage version was v1 and is v2, where it was removed: spec.a is dropped`},
		},
		"another version is stored, which knows less, and is converted to": {new: converted(storing(version("v2", "properties: {b: {type: string}}", stored)))},
		"another version is served, which differs, and is converted":       {new: converted(more(version("v2", "properties: {b: {type: string}}", nil)))},
		"no webhook converts any more": {
			old: converted(more(version("v2", "properties: {a: {type: integer}, b: {type: string}}", nil), version("v3", schema, nil))),
			new: more(version("v2", "properties: {a: {type: integer}, b: {type: string}}", nil), version("v3", schema, nil)),
			want: []string{
				`stored v1 spec.a: no webhook converts v1 to v2 any more, where its type was string and is integer: spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"`,
				`stored v2 : no webhook converts v2 to v1 any more, where 2 fields differ, such as spec.a: spec.a: Invalid value: "integer": spec.a in body must be of type string: "integer"`,
			},
		},
		"no webhook converts any more what is the same": {old: converted(more(version("v2", schema, nil))), new: more(version("v2", schema, nil))},
		"a webhook converts from now on":                {old: more(version("v2", "properties: {b: {type: string}}", nil)), new: converted(more(version("v2", "properties: {b: {type: string}}", nil)))},
		"names that commands use": {
			old: func(d *Definition) {
				d.CRD.Spec.Names.ShortNames, d.CRD.Spec.Names.Categories = []string{"thg", "th", "stuff"}, []string{"all", "managed"}
			},
			new: func(d *Definition) {
				d.CRD.Spec.Names.ShortNames, d.CRD.Spec.Names.Categories = []string{"th", "thing"}, []string{"managed"}
				d.CRD.Spec.Names.Singular, d.CRD.Spec.Names.ListKind = "stuff", "Things"
			},
			want: []string{
				`client  : the category all was removed: the kind is in the categories managed`,
				`client  : the kind of lists was ThingList and is Things: lists are of kind Things`,
				`client  : the short name thg was removed: the server doesn't have a resource type "thg"`,
			},
		},
		"the singular, and the last category": {
			old: func(d *Definition) { d.CRD.Spec.Names.Singular, d.CRD.Spec.Names.Categories = "", []string{"all"} },
			new: func(d *Definition) { d.CRD.Spec.Names.Singular = "stuff" },
			want: []string{
				`client  : the category all was removed: the kind is in no category`,
				`client  : the singular was thing, and is stuff: the server doesn't have a resource type "thing"`,
			},
		},
		"names of an MRD": {
			old: func(d *Definition) { d.Managed = true; d.CRD.Spec.Names.ShortNames = []string{"th"} }, new: func(d *Definition) { d.Managed = true },
			want: []string{`install  : names of the MRD has changed: names: Value is immutable`},
		},
		"a status subresource comes": {
			old: func(d *Definition) {
				*d = kind(t, schema, schema)
				d.CRD.Spec.Versions[0].Subresources = nil
			},
			new:  func(d *Definition) { *d = kind(t, schema, schema) },
			want: []string{`client v1 status: the status subresource was added: the status is dropped: only a write of /status changes it`},
		},
		"a status subresource comes, and the status is open": {
			old: func(d *Definition) {
				d.CRD.Spec.Versions[0].Schema.OpenAPIV3Schema.XPreserveUnknownFields = ptr.To(true)
				d.CRD.Spec.Versions[0].Subresources = nil
			},
			new: func(d *Definition) {
				d.CRD.Spec.Versions[0].Schema.OpenAPIV3Schema.XPreserveUnknownFields = ptr.To(true)
			},
			want: []string{`client v1 status: the status subresource was added: the status is dropped: only a write of /status changes it`},
		},
		"a status subresource comes with the status": {
			old: func(d *Definition) { d.CRD.Spec.Versions[0].Subresources = nil }, new: func(d *Definition) { *d = kind(t, schema, schema) },
		},
		"the status subresource goes": {
			new:  func(d *Definition) { d.CRD.Spec.Versions[0].Subresources = nil },
			want: []string{`client v1 status: the status subresource was removed: /status: the server could not find the requested resource`},
		},
		"a field can't be selected by any more": {
			old: func(d *Definition) {
				d.CRD.Spec.Versions[0].SelectableFields = []apiextensionsv1.SelectableField{{JSONPath: ".spec.a"}, {JSONPath: ".spec.b"}}
			},
			new: func(d *Definition) {
				d.CRD.Spec.Versions[0].SelectableFields = []apiextensionsv1.SelectableField{{JSONPath: ".spec.b"}, {JSONPath: ".spec.c"}}
			},
			want: []string{`client v1 spec.a: the field can't be selected by any more: field label not supported: spec.a`},
		},
		"a version that is converted knows less": {
			old: converted(more(version("v2", "properties: {a: {type: string}, b: {type: string}}", nil))), new: converted(more(version("v2", schema, nil))),
			want: []string{`manifest v2 spec.b: it was removed: spec.b is dropped`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			old, new := kind(t, schema, ""), kind(t, schema, "")
			for d, change := range map[*Definition]func(*Definition){&old: test.old, &new: test.new} {
				if change != nil {
					change(d)
				}
			}
			found := compare(t, old, new, usual)
			expect.Equal(t, test.want, inShort(found))
			for _, f := range found {
				expect.True(t, f.Advice != "", "there is no advice about this: %s", f.What)
				isReread := strings.Contains(f.What, " v1 and is v2, ") || strings.Contains(f.What, "no webhook ")
				expect.True(t, isReread == strings.Contains(f.Advice, "webhook"), "%s: the advice is to %s", f.What, f.Advice)
			}
		})
	}
}

// TestGone holds that a kind without a definition is found.
func TestGone(t *testing.T) {
	result := expect.Value(Compare(context.Background(), []Upgrade{{Old: kind(t, "properties: {a: {type: string}}", "")}}, usual))(t)
	want := []string{`stored v1 : the kind was removed: no matches for kind "Thing" in version "example.org/v1"`}
	expect.Equal(t, want, inShort(result))
}

// TestAdopted compares with a definition of controller-gen: a rule that mrgen decided on is about the tool, and one of the
// author's is about the API. Without the decisions, or that tool, both are about the API.
func TestAdopted(t *testing.T) {
	decided := func(at schema.Path) func(string) []provenance.Decision {
		return func(string) []provenance.Decision {
			return []provenance.Decision{{Field: at, Immutable: true, Rule: &provenance.Rule{Path: at}}}
		}
	}
	field := schema.Properties("spec", "a")
	for name, test := range map[string]struct {
		tool      string
		decisions func(string) []provenance.Decision
		isAdopted bool
	}{
		"decided":           {"v0.15.0", decided(field), true},
		"the author's":      {"v0.15.0", decided(schema.Properties("spec", "b")), false},
		"unknown decisions": {"v0.15.0", nil, false},
		"no controller-gen": {"", decided(field), false},
	} {
		old, new := kind(t, "properties: {a: {type: string}}", ""), kind(t, "properties: {a: {type: string, x-kubernetes-validations: [{rule: self == oldSelf}]}}", "")
		if test.tool != "" {
			old.CRD.Annotations = map[string]string{"controller-gen.kubebuilder.io/version": test.tool}
		}
		found, err := Compare(context.Background(), []Upgrade{{Old: old, New: &new, Declaration: Declaration{Decisions: test.decisions}}}, usual)
		expect.Must(t, err == nil && len(found) != 0, "%s: %v %v", name, found, err)
		for _, f := range found {
			if f.IsAdopted != test.isAdopted || strings.Contains(f.What, "+immutable, which controller-gen v0.15.0 ignored") != test.isAdopted {
				t.Errorf("%s: it is about the tool: %t: %s", name, f.IsAdopted, f.What)
			}
		}
	}
}

// TestSameCounterexample holds that the counterexample is the same at each run.
func TestSameCounterexample(t *testing.T) {
	const before, after = "properties: {a: {type: object, additionalProperties: {type: string}}, b: {type: string}, c: {type: integer}}",
		"properties: {a: {type: object, additionalProperties: {type: string, pattern: '^x'}}, c: {type: integer, minimum: 4}}\nx-kubernetes-validations: [{rule: '!has(self.a) || size(self.a) < 2'}]"
	first := ""
	for range 5 {
		got := describeAll(compare(t, kind(t, before, ""), kind(t, after, ""), usual))
		if first == "" {
			first = got
		}
		diff := cmp.Diff(first, got)
		expect.Must(t, diff == "", "(-first +now):\n%s", diff)
	}
	expect.True(t, strings.Count(first, "\n") >= 9, "found %s", first)
}

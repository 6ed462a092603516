package admission_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/admission"
)

// definition is a CRD with room for the properties of spec, one a line.
const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.org}
spec:
  group: example.org
  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {SUBRESOURCES}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          apiVersion: {type: string}
          kind: {type: string}
          metadata: {type: object}
          status: {type: object, properties: {size: {type: integer, minimum: 1}}}
          spec:
            type: object
            properties:
`

func parse(t *testing.T, subresources string, properties ...string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	text := strings.Replace(definition, "SUBRESOURCES", subresources, 1)
	for _, property := range properties {
		text += "              " + property + "\n"
	}
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict([]byte(text), &crd); err != nil {
		t.Fatal(err)
	}
	return &crd
}

func newServer(t *testing.T, subresources string, properties ...string) *admission.Server {
	t.Helper()
	server, err := admission.New(parse(t, subresources, properties...), "v1")
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func thing(spec map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "example.org/v1", "kind": "Thing",
		"metadata": map[string]any{"name": "test", "namespace": "default"},
		"spec":     spec,
	}
}

// TestCreate creates objects.
func TestCreate(t *testing.T) {
	server := newServer(t, "status: {}",
		`size: {type: integer, default: 3}`,
		`name: {type: string, maxLength: 3, x-kubernetes-validations: [{rule: "self != 'no'", message: not that}]}`,
		`set: {type: array, x-kubernetes-list-type: set, items: {type: string}}`,
		`pod: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`,
		`list: {type: array, maxItems: 1000, items: {type: string, maxLength: 10}, x-kubernetes-validations: [{rule: "self.all(x, self.all(y, x == y))"}]}`,
	)
	many := make([]any, 1000)
	for i := range many {
		many[i] = "yes"
	}
	for name, test := range map[string]struct {
		change  func(object map[string]any)
		spec    map[string]any // of what is admitted
		refused []string
	}{
		"default":          {spec: map[string]any{"size": int64(3)}},
		"null for default": {change: set("size", nil), spec: map[string]any{"size": int64(3)}},
		"null":             {change: set("name", nil), spec: map[string]any{"size": int64(3)}},
		"type":             {change: set("size", "three"), refused: []string{`spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"`, unchecked}},
		"rule":             {change: set("name", "no"), refused: []string{"spec.name: Invalid value: \"no\": not that"}},
		"no rule any more": {change: set("name", "long"), refused: []string{"spec.name: Too long: may not be more than 3 bytes", unchecked}},
		"set":              {change: set("set", []any{"a", "a"}), refused: []string{`spec.set[1]: Duplicate value: "a"`}},
		"unknown fields":   {change: func(o map[string]any) { set("sise", int64(1))(o); o["data"] = "a" }, refused: []string{`strict decoding error: unknown field "data", unknown field "spec.sise"`}},
		"metadata": {
			change:  func(o map[string]any) { o["metadata"].(map[string]any)["labels"] = "a" },
			refused: []string{"json: cannot unmarshal string into Go struct field ObjectMeta.labels of type map[string]string"},
		},
		"name":    {change: func(o map[string]any) { o["metadata"].(map[string]any)["name"] = "A b" }, refused: []string{badName}},
		"kind":    {change: func(o map[string]any) { o["kind"] = "Other" }, refused: []string{`kind: Invalid value: "Other": must be Thing`}},
		"status":  {change: func(o map[string]any) { o["status"] = map[string]any{"size": int64(0)} }, spec: map[string]any{"size": int64(3)}},
		"expense": {change: set("list", many), refused: []string{`spec.list: Invalid value: "array": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: self.all(x, self.all(y, x == y))`}},
		"embedded": {
			change:  set("pod", map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"labels": map[string]any{"a": "b c"}}}),
			refused: []string{`spec.pod.metadata.labels: Invalid value: "b c": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`},
		},
		"embedded, unknown field": {
			change:  set("pod", map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"lables": map[string]any{}}}),
			refused: []string{`strict decoding error: unknown field "spec.pod.metadata.lables"`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			object := thing(map[string]any{})
			if test.change != nil {
				test.change(object)
			}
			created, err := server.Create(context.Background(), object)
			if diff := cmp.Diff(test.refused, admission.Refusals(err), cmpopts.SortSlices(strings.Compare)); diff != "" {
				t.Errorf("refused for other reasons (-want +got):\n%s", diff)
			}
			if err == nil {
				if diff := cmp.Diff(any(test.spec), created["spec"]); diff != "" {
					t.Errorf("admitted in another form (-want +got):\n%s", diff)
				}
				if created["status"] != nil {
					t.Errorf("the status is %v", created["status"])
				}
			}
		})
	}
}

const badName = `metadata.name: Invalid value: "A b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`

func set(name string, value any) func(map[string]any) {
	return func(object map[string]any) { object["spec"].(map[string]any)[name] = value }
}

// TestUpdate updates objects, some of which should not be stored.
func TestUpdate(t *testing.T) {
	server := newServer(t, "status: {}",
		`size: {type: integer, minimum: 1}`,
		`note: {type: string}`,
	)
	violator := thing(map[string]any{"size": int64(0)})
	violator["status"] = map[string]any{"size": int64(0)}
	tooSmall := []string{"spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 1"}

	for _, test := range []struct {
		name    string
		spec    map[string]any
		refused []string
	}{
		{"unchanged", map[string]any{"size": int64(0), "note": "a"}, nil},
		{"changed", map[string]any{"size": int64(-1)}, tooSmall},
	} {
		updated, err := server.Update(context.Background(), thing(test.spec), violator)
		if diff := cmp.Diff(test.refused, admission.Refusals(err)); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", test.name, diff)
		}
		if err == nil && !cmp.Equal(updated["status"], violator["status"]) {
			t.Errorf("%s: the status is %v", test.name, updated["status"])
		}
	}

	object := thing(map[string]any{"size": int64(7)})
	object["status"] = map[string]any{"size": int64(1)}
	updated, err := server.UpdateStatus(context.Background(), object, violator)
	if err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(updated["status"], object["status"]) || !cmp.Equal(updated["spec"], violator["spec"]) {
		t.Errorf("spec is %v, status is %v", updated["spec"], updated["status"])
	}
	object["status"] = map[string]any{"size": int64(-1)}
	_, err = server.UpdateStatus(context.Background(), object, violator)
	if diff := cmp.Diff([]string{"status.size: Invalid value: -1: size in body should be greater than or equal to 1"}, admission.Refusals(err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNoStatus updates the status of a kind that has no subresource for it.
func TestNoStatus(t *testing.T) {
	server := newServer(t, "")
	object := thing(map[string]any{})
	object["status"] = map[string]any{"size": int64(1)}
	created, err := server.Create(context.Background(), object)
	if err != nil || !cmp.Equal(created["status"], object["status"]) {
		t.Errorf("the status is %v: %v", created["status"], err)
	}
	if _, err := server.UpdateStatus(context.Background(), object, created); err == nil {
		t.Error("the status is updated")
	}
}

// TestNew refuses CRDs as the API server does.
func TestNew(t *testing.T) {
	const rule = `name: {type: string, x-kubernetes-validations: [{rule: "self != 1"}]}`
	if _, err := admission.New(parse(t, "", rule), "v1"); err == nil || !strings.Contains(err.Error(), "no matching overload for '_!=_'") {
		t.Errorf("a rule that does not compile: %v", err)
	}
	if _, err := admission.New(parse(t, ""), "v2"); err == nil || err.Error() != `things.example.org has no version "v2"` {
		t.Errorf("a version that does not exist: %v", err)
	}
}

// TestRefusals takes any error.
func TestRefusals(t *testing.T) {
	for _, test := range []struct {
		err  error
		want []string
	}{
		{nil, nil},
		{errors.New("no connection"), []string{"no connection"}},
		{fmt.Errorf("cannot: %w", errors.New("no connection")), []string{"cannot: no connection"}},
	} {
		if diff := cmp.Diff(test.want, admission.Refusals(test.err)); diff != "" {
			t.Errorf("%v: (-want +got):\n%s", test.err, diff)
		}
	}
}

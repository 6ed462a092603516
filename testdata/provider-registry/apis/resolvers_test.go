package apis_test

import (
	"context"
	"os"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/yaml"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	"github.com/mrgen-io/provider-registry/apis"
	app "github.com/mrgen-io/provider-registry/apis/app/v1alpha1"
	database "github.com/mrgen-io/provider-registry/apis/database/v1alpha1"
	dns "github.com/mrgen-io/provider-registry/apis/dns/v1alpha1"
	network "github.com/mrgen-io/provider-registry/apis/network/v1alpha1"
	project "github.com/mrgen-io/provider-registry/apis/project/v1alpha1"
	queue "github.com/mrgen-io/provider-registry/apis/queue/v1alpha1"
	"github.com/mrgen-io/provider-registry/internal/registry"
)

var scheme = runtime.NewScheme()

// TestMain adds the scheme before it has any kinds, as the order should not matter.
func TestMain(m *testing.M) {
	registry.AddScheme(scheme)
	if err := apis.AddToScheme(scheme); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// newClient returns a client of an API server that has two objects of each kind, a
// and b, with the external names 1 and 2 and the label group: x. Those in namespaces
// are in team, and a third, a with the external name 3, is in other.
func newClient() client.Client {
	var objects []client.Object
	add := func(o client.Object, namespace, name, externalName string) {
		o.SetNamespace(namespace)
		o.SetName(name)
		o.SetLabels(map[string]string{"group": "x"})
		meta.SetExternalName(o, externalName)
		objects = append(objects, o)
	}
	for _, o := range []func() client.Object{
		func() client.Object { return &dns.Zone{} }, func() client.Object { return &network.Network{} }, func() client.Object { return &project.Project{} },
	} {
		add(o(), "", "a", "1")
		add(o(), "", "b", "2")
	}
	for _, o := range []func() client.Object{
		func() client.Object { return &app.Service{} }, func() client.Object { return &database.Database{} }, func() client.Object { return &queue.Queue{} },
	} {
		add(o(), "team", "a", "1")
		add(o(), "team", "b", "2")
		add(o(), "other", "a", "3")
	}
	return fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).Build()
}

// A resolver is a kind with a generated method.
type resolver interface {
	client.Object
	ResolveReferences(context.Context, client.Reader) error
}

// TestResolve resolves the references between groups.
func TestResolve(t *testing.T) {
	for name, test := range map[string]struct {
		object resolver
		// spec.forProvider, before and after.
		before, after string
		// wantErr begins the text of the error, if there is to be one.
		wantErr string
	}{
		"reference to the other of two": {
			object: &network.Network{},
			before: `{zoneIdRef: {name: b}}`,
			after:  `{zoneId: "2", zoneIdRef: {name: b}}`,
		},
		"selector of the other of two": {
			object: &network.Network{},
			before: `{zoneIdSelector: {matchLabels: {group: x}}}`,
			after:  `{zoneId: "1", zoneIdRef: {name: a}, zoneIdSelector: {matchLabels: {group: x}}}`,
		},
		"references to the one of two": {
			object: &dns.Zone{},
			before: `{networkIdsRefs: [{name: b}, {name: a}]}`,
			after:  `{networkIds: ["2", "1"], networkIdsRefs: [{name: b}, {name: a}]}`,
		},
		"selector of several": {
			object: &dns.Zone{},
			before: `{networkIdsSelector: {matchLabels: {group: x}}}`,
			after:  `{networkIds: ["1", "2"], networkIdsRefs: [{name: a}, {name: b}], networkIdsSelector: {matchLabels: {group: x}}}`,
		},
		"reference within the group": {
			object: &network.Network{},
			before: `{peerIdsRefs: [{name: b}]}`,
			after:  `{peerIds: ["2"], peerIdsRefs: [{name: b}]}`,
		},
		"first of three": {
			object: &app.Service{},
			before: `{databaseIdRef: {name: b}}`,
			after:  `{databaseId: "2", databaseIdRef: {name: b}}`,
		},
		"out of the ring": {
			object: &dns.Zone{},
			before: `{projectIdRef: {name: b}}`,
			after:  `{projectId: "2", projectIdRef: {name: b}}`,
		},
		"numbers, second of three": {
			object: &database.Database{},
			before: `{queueNumbersSelector: {matchLabels: {group: x}}}`,
			after:  `{queueNumbers: [1, 2], queueNumbersRefs: [{name: a, namespace: team}, {name: b, namespace: team}], queueNumbersSelector: {matchLabels: {group: x}}}`,
		},
		"third of three, in another namespace": {
			object: &queue.Queue{},
			before: `{serviceIdRef: {name: a, namespace: other}}`,
			after:  `{serviceId: "3", serviceIdRef: {name: a, namespace: other}}`,
		},
		"set": {
			object: &queue.Queue{},
			before: `{serviceId: "9", serviceIdRef: {name: a}}`,
			after:  `{serviceId: "9", serviceIdRef: {name: a}}`,
		},
		"set, and always resolved": {
			object: &queue.Queue{},
			before: `{serviceId: "9", serviceIdRef: {name: a, policy: {resolve: Always}}}`,
			after:  `{serviceId: "1", serviceIdRef: {name: a, policy: {resolve: Always}}}`,
		},
		"missing": {
			object:  &queue.Queue{},
			before:  `{serviceIdRef: {name: none}}`,
			wantErr: `spec.forProvider.serviceId: cannot resolve reference to Service "none": cannot get referenced resource: `,
		},
		"one of several missing": {
			object:  &dns.Zone{},
			before:  `{networkIdsRefs: [{name: a}, {name: none}]}`,
			wantErr: `spec.forProvider.networkIds[1]: cannot resolve reference to Network "none": cannot get referenced resource: `,
		},
	} {
		t.Run(name, func(t *testing.T) {
			spec := func(parameters string) string { return "{spec: {forProvider: " + parameters + "}}" }
			if err := yaml.UnmarshalStrict([]byte(spec(test.before)), test.object); err != nil {
				t.Fatal(err)
			}
			test.object.SetName("subject")
			switch test.object.(type) {
			case *app.Service, *database.Database, *queue.Queue:
				test.object.SetNamespace("team")
			}
			err := test.object.ResolveReferences(context.Background(), newClient())
			if test.wantErr != "" {
				if err == nil || !strings.HasPrefix(err.Error(), test.wantErr) {
					t.Fatalf("got the error %v, want %s...", err, test.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got, want := parameters(t, test.object), parametersOf(t, test.after); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// TestDeleted looks nothing up for an object that is being deleted.
func TestDeleted(t *testing.T) {
	now := metav1.Now()
	n := &network.Network{}
	n.SetDeletionTimestamp(&now)
	if err := yaml.Unmarshal([]byte("{spec: {forProvider: {zoneIdRef: {name: none}}}}"), n); err != nil {
		t.Fatal(err)
	}
	if err := n.ResolveReferences(context.Background(), newClient()); err != nil {
		t.Error(err)
	}
}

// parameters returns spec.forProvider of an object as YAML.
func parameters(t *testing.T, object client.Object) string {
	t.Helper()
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Marshal(content["spec"].(map[string]any)["forProvider"])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// parametersOf returns spec.forProvider that is written as YAML in the same form.
func parametersOf(t *testing.T, written string) string {
	t.Helper()
	var content any
	if err := yaml.Unmarshal([]byte(written), &content); err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

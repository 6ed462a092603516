package e2e_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/mrgen-io/provider-references/apis"
	cluster "github.com/mrgen-io/provider-references/apis/cluster/v1alpha1"
	namespaced "github.com/mrgen-io/provider-references/apis/namespaced/v1alpha1"
)

// TestClusterScopedTarget guards references of a namespaced kind to a cluster scoped one:
// by name and by selector, with the client that reads from the API server and the cache
// that controllers read from. What was selected is found by its name afterwards.
func TestClusterScopedTarget(t *testing.T) {
	s := newScenario(t)
	crds, err := filepath.Glob("../provider-references/package/crds/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := plane.InstallCRDs(crds...); err != nil {
		t.Fatal(err)
	}
	scheme := runtime.NewScheme()
	if err := apis.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	direct, err := client.New(plane.Config(), client.Options{Scheme: scheme, FieldValidation: metav1.FieldValidationStrict})
	if err != nil {
		t.Fatal(err)
	}
	cached, err := cache.New(plane.Config(), cache.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = cached.Start(plane.Context()) }() // ends with the control plane

	for name, id := range map[string]string{"a": "1", "b": "2"} {
		network := &cluster.Network{ObjectMeta: metav1.ObjectMeta{
			Name: name, Labels: map[string]string{"shared": "true", "name": name}, Annotations: map[string]string{"crossplane.io/external-name": id},
		}}
		if err := direct.Create(plane.Context(), network); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := cached.GetInformer(plane.Context(), &cluster.Network{}); err != nil { // waits until it has them
		t.Fatal(err)
	}
	selector := &xpv2.NamespacedSelector{MatchLabels: map[string]string{"name": "a"}}
	selectors := &xpv2.NamespacedSelector{MatchLabels: map[string]string{"shared": "true"}}
	reference := func(name, namespace string) xpv2.NamespacedReference {
		return xpv2.NamespacedReference{Name: name, Namespace: namespace}
	}
	a, b := reference("a", ""), reference("b", "")
	selected := reference("a", s.namespace)
	one, two := "1", "2"
	for name, test := range map[string]struct{ given, want namespaced.ServerParameters }{
		"by-name": {
			given: namespaced.ServerParameters{SharedIDRef: &b, SharedIDsRefs: []xpv2.NamespacedReference{a, b}},
			want: namespaced.ServerParameters{
				SharedID: &two, SharedIDRef: &b, SharedIDs: []string{"1", "2"}, SharedIDsRefs: []xpv2.NamespacedReference{a, b},
			},
		},
		"by-selector": {
			given: namespaced.ServerParameters{SharedIDSelector: selector, SharedIDsSelector: selectors},
			want: namespaced.ServerParameters{
				SharedID: &one, SharedIDRef: &selected, SharedIDSelector: selector,
				SharedIDs: []string{"1", "2"}, SharedIDsRefs: []xpv2.NamespacedReference{selected, reference("b", s.namespace)}, SharedIDsSelector: selectors,
			},
		},
	} {
		for kind, reader := range map[string]client.Reader{"direct": direct, "cached": cached} {
			server := &namespaced.Server{ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace, Name: name + "-" + kind}}
			test.given.DeepCopyInto(&server.Spec.ForProvider)
			if err := direct.Create(plane.Context(), server); err != nil {
				t.Fatal(err)
			}
			resolve := func() error {
				if err := server.ResolveReferences(plane.Context(), reader); err != nil {
					return err
				}
				// Other values have no references: their slices are empty in place of nil.
				got := server.Spec.ForProvider
				got.Values = namespaced.Values{}
				if diff := cmp.Diff(test.want, got); diff != "" {
					return errors.New(diff)
				}
				return nil
			}
			if err := resolve(); err != nil {
				t.Errorf("%s: %v", server.Name, err)
				continue
			}
			if err := direct.Update(plane.Context(), server); err != nil {
				t.Errorf("%s: %v", server.Name, err)
			}
			server.Spec.ForProvider.SharedID, server.Spec.ForProvider.SharedIDs = nil, nil
			if err := resolve(); err != nil {
				t.Errorf("%s, once more: %v", server.Name, err)
			}
		}
	}
}

package v1alpha1_test

import (
	"context"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	dns "github.com/mrgen-io/provider-registry/apis/dns/v1alpha1"
	"github.com/mrgen-io/provider-registry/apis/network/v1alpha1"
	"github.com/mrgen-io/provider-registry/internal/registry"
)

// TestUnregistered resolves references while the registry has no kinds: those that
// are looked up are errors if there is something to resolve, and only then. Once the
// kinds are registered, nothing is amiss.
func TestUnregistered(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := dns.SchemeBuilder.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	if err := v1alpha1.SchemeBuilder.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	zone, peer := &dns.Zone{}, &v1alpha1.Network{}
	zone.SetName("a")
	meta.SetExternalName(zone, "1")
	peer.SetName("peer")
	meta.SetExternalName(peer, "2")
	kube := fake.NewClientBuilder().WithScheme(scheme).WithObjects(zone, peer).Build()
	resolve := func(parameters v1alpha1.NetworkParameters, change ...func(*v1alpha1.Network)) (*v1alpha1.Network, error) {
		n := &v1alpha1.Network{Spec: v1alpha1.NetworkSpec{ForProvider: parameters}}
		for _, f := range change {
			f(n)
		}
		return n, n.ResolveReferences(context.Background(), kube)
	}
	byReference := v1alpha1.NetworkParameters{ZoneIDRef: &xpv2.Reference{Name: "a"}}
	bySelector := v1alpha1.NetworkParameters{ZoneIDSelector: &xpv2.Selector{}}

	const notRegistered = "dns.registry.example.org/v1alpha1, Kind=Zone is not registered: " +
		"call AddScheme of github.com/mrgen-io/provider-registry/internal/registry with a scheme that has it"
	// docs/guide/references.md shows this error.
	const whole = `spec.forProvider.zoneId: cannot resolve reference to Zone "a": dns.registry.example.org/v1alpha1, Kind=Zone is not registered: call AddScheme of github.com/mrgen-io/provider-registry/internal/registry with a scheme that has it`
	if _, err := resolve(byReference); err == nil || err.Error() != whole {
		t.Errorf("reference: got the error %v", err)
	}
	if _, err := resolve(bySelector); err == nil || err.Error() != "spec.forProvider.zoneId: cannot resolve reference to Zone by selector: "+notRegistered {
		t.Errorf("selector: got the error %v", err)
	}
	z := &dns.Zone{Spec: dns.ZoneSpec{ForProvider: dns.ZoneParameters{NetworkIDsRefs: []xpv2.Reference{{Name: "peer"}}}}}
	const several = "spec.forProvider.networkIds: cannot resolve references to Network: network.registry.example.org/v1alpha1, Kind=Network is not registered: " +
		"call AddScheme of github.com/mrgen-io/provider-registry/internal/registry with a scheme that has it"
	if err := z.ResolveReferences(context.Background(), kube); err == nil || err.Error() != several {
		t.Errorf("several references: got the error %v", err)
	}
	set := "9"
	if _, err := resolve(v1alpha1.NetworkParameters{ZoneID: &set, ZoneIDRef: byReference.ZoneIDRef}); err != nil {
		t.Errorf("set value: %v", err)
	}
	if _, err := resolve(byReference, func(n *v1alpha1.Network) { now := metav1.Now(); n.SetDeletionTimestamp(&now) }); err != nil {
		t.Errorf("deleted object: %v", err)
	}
	n, err := resolve(v1alpha1.NetworkParameters{PeerIDsRefs: []xpv2.Reference{{Name: "peer"}}})
	if err != nil || len(n.Spec.ForProvider.PeerIDs) != 1 || n.Spec.ForProvider.PeerIDs[0] != "2" {
		t.Errorf("reference within the package: got %v and the error %v", n.Spec.ForProvider.PeerIDs, err)
	}

	registry.AddScheme(scheme)
	n, err = resolve(byReference)
	if err != nil || n.Spec.ForProvider.ZoneID == nil || *n.Spec.ForProvider.ZoneID != "1" {
		t.Errorf("registered: got %v and the error %v", n.Spec.ForProvider.ZoneID, err)
	}
}

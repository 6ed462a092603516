package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// The types must conform to the interfaces of crossplane-runtime.
var (
	_ resource.LegacyManaged = &Network{}
	_ resource.ManagedList   = &NetworkList{}
)

// NetworkParameters are the desired state of a network.
type NetworkParameters struct {
	// ID of the zone for the names in the network.
	// +optional
	// +crossplane:generate:reference:type=github.com/mrgen-io/provider-registry/apis/dns/v1alpha1.Zone
	ZoneID *string `json:"zoneId,omitempty"`

	// ZoneIDRef references a Zone.
	// +optional
	ZoneIDRef *xpv2.Reference `json:"zoneIdRef,omitempty"`

	// ZoneIDSelector selects a Zone.
	// +optional
	ZoneIDSelector *xpv2.Selector `json:"zoneIdSelector,omitempty"`

	// IDs of the networks that this one is connected to.
	// +optional
	// +crossplane:generate:reference:type=Network
	PeerIDs []string `json:"peerIds,omitempty"`

	// PeerIDsRefs reference Networks.
	// +optional
	PeerIDsRefs []xpv2.Reference `json:"peerIdsRefs,omitempty"`

	// PeerIDsSelector selects Networks.
	// +optional
	PeerIDsSelector *xpv2.Selector `json:"peerIdsSelector,omitempty"`
}

// A NetworkSpec defines the desired state of a Network.
type NetworkSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider NetworkParameters `json:"forProvider"`
}

// A NetworkStatus represents the observed state of a Network.
type NetworkStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`
}

// +kubebuilder:object:root=true

// A Network is a managed resource that others refer to, and that refers to others.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,registry}
type Network struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   NetworkSpec   `json:"spec"`
	Status NetworkStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// NetworkList contains a list of Network.
type NetworkList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Network `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Network{}, &NetworkList{})
}

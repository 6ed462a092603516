package v1alpha1

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// The types must conform to the interfaces of crossplane-runtime.
var (
	_ resource.LegacyManaged = &Subnetwork{}
	_ resource.ManagedList   = &SubnetworkList{}
)

// A GCPSubnetworkSecondaryRange is a secondary IP range of a subnetwork.
type GCPSubnetworkSecondaryRange struct {
	// IPCIDRRange: The range of IP addresses belonging to this subnetwork
	// secondary range. Ranges must be unique and non-overlapping with all
	// primary and secondary IP ranges within a network.
	IPCIDRRange string `json:"ipCidrRange"`

	// RangeName: The name associated with this subnetwork secondary range,
	// used when adding an alias IP range to a VM instance. The name must be
	// unique within the subnetwork.
	RangeName string `json:"rangeName"`
}

// SubnetworkParameters define the desired state of a Google Compute Engine VPC
// subnetwork.
type SubnetworkParameters struct {
	// Name: The name of the resource, provided by the client when initially
	// creating the resource.
	// +immutable
	// +mrgen:identifier
	Name string `json:"name"`

	// Network: The URL of the network to which this subnetwork belongs,
	// provided by the client when initially creating the subnetwork. Only
	// networks that are in the distributed mode can have subnetworks. This
	// field can be set only at resource creation time.
	// +immutable
	// +kubebuilder:validation:Required
	Network *string `json:"network,omitempty"`

	// Region: URL of the region where the Subnetwork resides. This field
	// can be set only at resource creation time.
	// +optional
	// +immutable
	Region string `json:"region,omitempty"`

	// SecondaryIPRanges: An array of configurations for secondary IP ranges
	// for VM instances contained in this subnetwork. The primary IP of such
	// VM must belong to the primary ipCidrRange of the subnetwork. The
	// alias IPs may belong to either primary or secondary ranges. This
	// field can be updated with a patch request.
	// +optional
	SecondaryIPRanges []*GCPSubnetworkSecondaryRange `json:"secondaryIpRanges,omitempty"`
}

// A SubnetworkSpec defines the desired state of a Subnetwork.
type SubnetworkSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider SubnetworkParameters `json:"forProvider"`
}

// SubnetworkObservation is the observed state of a Subnetwork.
type SubnetworkObservation struct {
	ObservedSubnetworkParameters `json:",inline"`

	// CreationTimestamp: Creation timestamp in RFC3339 text format.
	CreationTimestamp string `json:"creationTimestamp,omitempty"`

	// GatewayAddress: The gateway address for default routes to reach
	// destination addresses outside this subnetwork.
	GatewayAddress string `json:"gatewayAddress,omitempty"`

	// ID: The unique identifier for the resource. This identifier is defined
	// by the server.
	ID uint64 `json:"id,omitempty"`

	// SelfLink: Server-defined URL for the resource.
	SelfLink string `json:"selfLink,omitempty"`
}

// A SubnetworkStatus represents the observed state of a Subnetwork.
type SubnetworkStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider SubnetworkObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A Subnetwork is a managed resource that represents a Google Compute Engine VPC
// subnetwork.
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:subresource:status
// +kubebuilder:deprecatedversion:warning="compute.gcp.crossplane.io/v1alpha1 Subnetwork is deprecated; use v1beta1"
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,gcp}
type Subnetwork struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   SubnetworkSpec   `json:"spec"`
	Status SubnetworkStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// SubnetworkList contains a list of Subnetwork.
type SubnetworkList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Subnetwork `json:"items"`
}

// Subnetwork type metadata.
var (
	SubnetworkKind             = reflect.TypeOf(Subnetwork{}).Name()
	SubnetworkGroupKind        = schema.GroupKind{Group: Group, Kind: SubnetworkKind}.String()
	SubnetworkKindAPIVersion   = SubnetworkKind + "." + SchemeGroupVersion.String()
	SubnetworkGroupVersionKind = SchemeGroupVersion.WithKind(SubnetworkKind)
)

func init() {
	SchemeBuilder.Register(&Subnetwork{}, &SubnetworkList{})
}

package v1alpha1

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	xpv1 "github.com/crossplane/crossplane-runtime/apis/common/v1"
	"github.com/crossplane/crossplane-runtime/pkg/resource"
)

// The types must conform to the interfaces of crossplane-runtime.
var (
	_ resource.Managed     = &Network{}
	_ resource.ManagedList = &NetworkList{}
)

// NetworkRoutingConfig is the routing configuration of a network.
type NetworkRoutingConfig struct {
	// RoutingMode: The network-wide routing mode to use. If set to REGIONAL,
	// this network's Cloud Routers will only advertise routes with subnets of
	// this network in the same region as the router. If set to GLOBAL, they
	// will advertise routes with all subnets of this network, across regions.
	//
	// Possible values:
	//   "GLOBAL"
	//   "REGIONAL"
	// +kubebuilder:validation:Enum=GLOBAL;REGIONAL
	RoutingMode string `json:"routingMode"`
}

// NetworkParameters define the desired state of a Google Compute Engine VPC
// network.
type NetworkParameters struct {
	// Name: The name of the resource, provided by the client when initially
	// creating the resource.
	// +immutable
	// +mrgen:identifier
	Name string `json:"name"`

	// AutoCreateSubnetworks: When set to true, the VPC network is created in
	// auto mode: a subnet is created in each region. When set to false, it is
	// created in custom mode.
	// +optional
	// +immutable
	AutoCreateSubnetworks *bool `json:"autoCreateSubnetworks,omitempty"`

	// RoutingConfig: The network-level routing configuration for this network.
	// Used by Cloud Router to determine what type of network-wide routing
	// behavior to enforce.
	// +optional
	RoutingConfig *NetworkRoutingConfig `json:"routingConfig,omitempty"`
}

// A NetworkSpec defines the desired state of a Network.
type NetworkSpec struct {
	xpv1.ResourceSpec `json:",inline"`

	ForProvider NetworkParameters `json:"forProvider"`
}

// NetworkObservation is the observed state of a Network.
type NetworkObservation struct {
	// IPv4Range: Deprecated in favor of subnet mode networks. The range of
	// internal addresses that are legal on this network.
	IPv4Range string `json:"IPv4Range,omitempty"`

	// CreationTimestamp: Creation timestamp in RFC3339 text format.
	CreationTimestamp string `json:"creationTimestamp,omitempty"`

	// GatewayIPv4: The gateway address for default routing out of the network,
	// selected by GCP.
	// +mrgen:connectionDetail:name=endpoint
	GatewayIPv4 string `json:"gatewayIPv4,omitempty"`

	// ID: The unique identifier for the resource. This identifier is defined
	// by the server.
	ID uint64 `json:"id,omitempty"`

	// Kind: Type of the resource. Always compute#network for networks.
	Kind string `json:"kind,omitempty"`

	// Name: The name of the resource.
	Name string `json:"name,omitempty"`

	// RoutingConfig: The network-level routing configuration for this network.
	RoutingConfig *NetworkRoutingConfig `json:"routingConfig,omitempty"`

	// SelfLink: Server-defined URL for the resource.
	SelfLink string `json:"selfLink,omitempty"`
}

// A NetworkStatus represents the observed state of a Network.
type NetworkStatus struct {
	xpv1.ResourceStatus `json:",inline"`

	AtProvider NetworkObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A Network is a managed resource that represents a Google Compute Engine VPC
// network.
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,gcp}
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

// Network type metadata.
var (
	NetworkKind             = reflect.TypeOf(Network{}).Name()
	NetworkGroupKind        = schema.GroupKind{Group: Group, Kind: NetworkKind}.String()
	NetworkKindAPIVersion   = NetworkKind + "." + SchemeGroupVersion.String()
	NetworkGroupVersionKind = SchemeGroupVersion.WithKind(NetworkKind)
)

func init() {
	SchemeBuilder.Register(&Network{}, &NetworkList{})
}

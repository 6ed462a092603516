package v1beta1

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// The types must conform to the interfaces of crossplane-runtime.
var (
	_ resource.LegacyManaged = &GlobalAddress{}
	_ resource.ManagedList   = &GlobalAddressList{}
)

// GlobalAddressParameters define the desired state of a Google Compute Engine
// global address.
type GlobalAddressParameters struct {
	// IPVersion: The IP version that will be used by this address. Valid
	// options are IPV4 or IPV6.
	//
	// Possible values:
	//   "IPV4"
	//   "IPV6"
	//   "UNSPECIFIED_VERSION"
	// +optional
	IPVersion *string `json:"ipVersion,omitempty"`

	// Name of the resource. The name must be 1-63 characters long, and comply
	// with RFC1035. Specifically, the name must be 1-63 characters long and
	// match the regular expression `[a-z]([-a-z0-9]*[a-z0-9])?`. The first
	// character must be a lowercase letter, and all following characters
	// (except for the last character) must be a dash, lowercase letter, or
	// digit. The last character must be a lowercase letter or digit.
	// +immutable
	// +mrgen:identifier
	Name string `json:"name"`

	// Network: The URL of the network in which to reserve the address. This
	// field can only be used with INTERNAL type with the VPC_PEERING
	// purpose.
	// +optional
	Network *string `json:"network,omitempty"`
}

// A GlobalAddressSpec defines the desired state of a GlobalAddress.
type GlobalAddressSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider GlobalAddressParameters `json:"forProvider"`
}

// GlobalAddressObservation is the observed state of a GlobalAddress.
type GlobalAddressObservation struct {
	ObservedGlobalAddressParameters `json:",inline"`

	// Address: The static IP address represented by this resource.
	Address string `json:"address,omitempty"`

	// CreationTimestamp: Creation timestamp in RFC3339 text format.
	CreationTimestamp string `json:"creationTimestamp,omitempty"`

	// ID: The unique identifier for the resource. This identifier is defined
	// by the server.
	ID uint64 `json:"id,omitempty"`

	// SelfLink: Server-defined URL for the resource.
	SelfLink string `json:"selfLink,omitempty"`

	// Status: The status of the address.
	//
	// Possible values:
	//   "IN_USE"
	//   "RESERVED"
	//   "RESERVING"
	Status string `json:"status,omitempty"`

	// Users: The URLs of the resources that are using this address.
	Users []string `json:"users,omitempty"`
}

// A GlobalAddressStatus represents the observed state of a GlobalAddress.
type GlobalAddressStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider GlobalAddressObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A GlobalAddress is a managed resource that represents a Google Compute Engine
// global address.
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,gcp}
type GlobalAddress struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GlobalAddressSpec   `json:"spec"`
	Status GlobalAddressStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// GlobalAddressList contains a list of GlobalAddress.
type GlobalAddressList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []GlobalAddress `json:"items"`
}

// GlobalAddress type metadata.
var (
	GlobalAddressKind             = reflect.TypeOf(GlobalAddress{}).Name()
	GlobalAddressGroupKind        = schema.GroupKind{Group: Group, Kind: GlobalAddressKind}.String()
	GlobalAddressKindAPIVersion   = GlobalAddressKind + "." + SchemeGroupVersion.String()
	GlobalAddressGroupVersionKind = SchemeGroupVersion.WithKind(GlobalAddressKind)
)

func init() {
	SchemeBuilder.Register(&GlobalAddress{}, &GlobalAddressList{})
}

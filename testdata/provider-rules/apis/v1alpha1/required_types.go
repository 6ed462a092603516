package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// Network is a struct with a required field.
type Network struct {
	// CIDR is required wherever there is a Network.
	// +kubebuilder:validation:Required
	CIDR *string `json:"cidr,omitempty"`
}

// Rule is the item of a list, with a required field.
type Rule struct {
	// Port is required in every Rule.
	Port int64 `json:"port"`
}

// RequiredParameters are the desired state of a Required.
type RequiredParameters struct {
	// Region is needed to find the external resource.
	// +mrgen:identifier
	Region string `json:"region"`

	// Size is a string.
	// +kubebuilder:validation:Required
	Size *string `json:"size,omitempty"`

	// Count is a number.
	// +kubebuilder:validation:Required
	Count *int64 `json:"count,omitempty"`

	// Zones is a list.
	// +kubebuilder:validation:Required
	Zones []string `json:"zones,omitempty"`

	// Labels is a map.
	// +kubebuilder:validation:Required
	Labels map[string]string `json:"labels,omitempty"`

	// Network is a struct with a required field.
	// +kubebuilder:validation:Required
	Network *Network `json:"network,omitempty"`

	// Extra is anything.
	// +kubebuilder:validation:Required
	// +kubebuilder:pruning:PreserveUnknownFields
	Extra *runtime.RawExtension `json:"extra,omitempty"`

	// Tier has a default, and is never missing.
	// +kubebuilder:validation:Required
	// +kubebuilder:default=standard
	Tier *string `json:"tier,omitempty"`

	// Rules is a list of structs with a required field.
	// +optional
	Rules []Rule `json:"rules,omitempty"`

	// Peers is a map of structs with a required field.
	// +optional
	Peers map[string]Network `json:"peers,omitempty"`
}

// A RequiredSpec defines the desired state of a Required.
type RequiredSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider RequiredParameters `json:"forProvider"`
}

// A RequiredStatus represents the observed state of a Required.
type RequiredStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider RequiredObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A Required has required fields of all types, and nothing that could take their place.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,rules}
type Required struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   RequiredSpec   `json:"spec"`
	Status RequiredStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// RequiredList contains a list of Required.
type RequiredList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Required `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Required{}, &RequiredList{})
}

package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// Labels have at least two fields, where they are given.
// +kubebuilder:validation:MinProperties=2
type Labels struct {
	// Team is one.
	// +optional
	Team *string `json:"team,omitempty"`

	// Stage is another one.
	// +optional
	Stage *string `json:"stage,omitempty"`
}

// SoleParameters are the desired state of a Sole.
// +kubebuilder:validation:ExactlyOneOf=cidrBlock;mask
// +kubebuilder:validation:MinProperties=3
type SoleParameters struct {
	// Region is needed to find the external resource.
	// +mrgen:identifier
	Region string `json:"region"`

	// CIDRBlock is given, or Mask.
	// +optional
	// +mrgen:example="10.0.0.0/16"
	CIDRBlock *string `json:"cidrBlock,omitempty"`

	// Mask is given, or CIDRBlock.
	// +optional
	Mask *int64 `json:"mask,omitempty"`

	// Zones are optional.
	// +optional
	// +mrgen:example=["a"]
	Zones []string `json:"zones,omitempty"`

	// Labels have at least two fields, where they are given.
	// +optional
	Labels *Labels `json:"labels,omitempty"`
}

// A SoleSpec defines the desired state of a Sole.
type SoleSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider SoleParameters `json:"forProvider"`
}

// A SoleStatus represents the observed state of a Sole.
type SoleStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider SoleObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A Sole demands some of its fields, and nothing could take their place.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,rules}
type Sole struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   SoleSpec   `json:"spec"`
	Status SoleStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// SoleList contains a list of Sole.
type SoleList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Sole `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Sole{}, &SoleList{})
}

package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// FrozenParameters are the desired state of a Frozen, none of which can change.
// +immutable
type FrozenParameters struct {
	// Region is needed to find the external resource.
	// +mrgen:identifier
	Region string `json:"region"`

	// Size is a string.
	// +optional
	Size *string `json:"size,omitempty"`

	// Labels is a map.
	// +optional
	Labels map[string]string `json:"labels,omitempty"`
}

// A FrozenSpec defines the desired state of a Frozen.
type FrozenSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider FrozenParameters `json:"forProvider"`
}

// A FrozenStatus represents the observed state of a Frozen.
type FrozenStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider FrozenObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A Frozen is immutable as a whole.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,rules}
type Frozen struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   FrozenSpec   `json:"spec"`
	Status FrozenStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// FrozenList contains a list of Frozen.
type FrozenList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Frozen `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Frozen{}, &FrozenList{})
}

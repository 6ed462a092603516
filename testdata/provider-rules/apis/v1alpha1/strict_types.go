package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// StrictParameters are the desired state of a Strict.
type StrictParameters struct {
	// Region is needed to find the external resource.
	// +mrgen:identifier
	Region string `json:"region"`

	// Size is a string.
	// +kubebuilder:validation:Required
	Size *string `json:"size,omitempty"`
}

// A StrictSpec defines the desired state of a Strict.
type StrictSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider StrictParameters `json:"forProvider"`
}

// A StrictStatus represents the observed state of a Strict.
type StrictStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider StrictObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A Strict keeps its required fields required.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,rules}
// +mrgen:relax=false
type Strict struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   StrictSpec   `json:"spec"`
	Status StrictStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// StrictList contains a list of Strict.
type StrictList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Strict `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Strict{}, &StrictList{})
}

package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// UnidentifiedParameters are the desired state of an Unidentified.
type UnidentifiedParameters struct {
	// Size is a string.
	// +kubebuilder:validation:Required
	Size *string `json:"size,omitempty"`

	// Note is optional.
	// +optional
	Note *string `json:"note,omitempty"`
}

// A UnidentifiedSpec defines the desired state of an Unidentified.
type UnidentifiedSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider UnidentifiedParameters `json:"forProvider"`
}

// A UnidentifiedStatus represents the observed state of an Unidentified.
type UnidentifiedStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider UnidentifiedObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// An Unidentified has no field that is needed to find the external resource.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,rules}
type Unidentified struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   UnidentifiedSpec   `json:"spec"`
	Status UnidentifiedStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// UnidentifiedList contains a list of Unidentified.
type UnidentifiedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Unidentified `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Unidentified{}, &UnidentifiedList{})
}

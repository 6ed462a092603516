package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// UnpolicedParameters are the desired state of an Unpoliced.
type UnpolicedParameters struct {
	// Region is needed to find the external resource.
	// +mrgen:identifier
	Region string `json:"region"`

	// Size is a string.
	// +kubebuilder:validation:Required
	// +immutable
	Size *string `json:"size,omitempty"`
}

// An UnpolicedSpec defines the desired state of an Unpoliced. It has no management policies.
type UnpolicedSpec struct {
	// ProviderConfigReference says how to connect to the provider.
	// +kubebuilder:default={"name": "default"}
	ProviderConfigReference *xpv2.Reference `json:"providerConfigRef,omitempty"`

	ForProvider UnpolicedParameters `json:"forProvider"`
}

// An UnpolicedStatus represents the observed state of an Unpoliced.
type UnpolicedStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider UnpolicedObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// An Unpoliced has no management policies.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,rules}
// +crossplane:generate:methods=false
type Unpoliced struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   UnpolicedSpec   `json:"spec"`
	Status UnpolicedStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// UnpolicedList contains a list of Unpoliced.
type UnpolicedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Unpoliced `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Unpoliced{}, &UnpolicedList{})
}

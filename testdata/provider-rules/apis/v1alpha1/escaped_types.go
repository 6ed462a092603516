package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// EscapedParameters are the desired state of an Escaped.
type EscapedParameters struct {
	// Region is needed to find the external resource.
	// +mrgen:identifier
	Region string `json:"region"`

	// Namespace has a name that rules have to escape.
	// +kubebuilder:validation:Required
	// +immutable
	Namespace *string `json:"namespace,omitempty"`

	// In has a name that rules have to escape.
	// +kubebuilder:validation:Required
	// +immutable
	In *string `json:"in,omitempty"`

	// Default has a name that rules have to escape.
	// +kubebuilder:validation:Required
	// +immutable
	Default *string `json:"default,omitempty"`

	// MyName has a name that rules have to escape.
	// +kubebuilder:validation:Required
	// +immutable
	MyName *string `json:"my-name,omitempty"`

	// Dotted has a name that rules have to escape.
	// +kubebuilder:validation:Required
	// +immutable
	Dotted *string `json:"a.b,omitempty"`

	// Underscored has a name that rules have to escape.
	// +kubebuilder:validation:Required
	// +immutable
	Underscored *string `json:"__x__,omitempty"`
}

// A EscapedSpec defines the desired state of an Escaped.
type EscapedSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider EscapedParameters `json:"forProvider"`
}

// A EscapedStatus represents the observed state of an Escaped.
type EscapedStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider EscapedObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// An Escaped has fields whose names rules have to escape, or whose paths.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,rules}
type Escaped struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   EscapedSpec   `json:"spec"`
	Status EscapedStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// EscapedList contains a list of Escaped.
type EscapedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Escaped `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Escaped{}, &EscapedList{})
}

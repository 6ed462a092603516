package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// LegacyParameters are the desired state of a Legacy.
type LegacyParameters struct {
	// Region is needed to find the external resource.
	// +mrgen:identifier
	Region string `json:"region"`

	// Size is a string.
	// +kubebuilder:validation:Required
	// +immutable
	Size *string `json:"size,omitempty"`
}

// ManagementPolicy is what Crossplane does with the external resource.
// +kubebuilder:validation:Enum=FullControl;ObserveOnly;OrphanOnDelete
type ManagementPolicy string

// Management policies.
const (
	ManagementFullControl    ManagementPolicy = "FullControl"
	ManagementObserveOnly    ManagementPolicy = "ObserveOnly"
	ManagementOrphanOnDelete ManagementPolicy = "OrphanOnDelete"
)

// A LegacySpec defines the desired state of a Legacy. It has the fields of
// crossplane-runtime v0.19, which has no management policies but one.
type LegacySpec struct {
	// ProviderConfigReference says how to connect to the provider.
	// +kubebuilder:default={"name": "default"}
	ProviderConfigReference *xpv2.Reference `json:"providerConfigRef,omitempty"`

	// ManagementPolicy is what Crossplane does with the external resource.
	// +optional
	// +kubebuilder:default=FullControl
	ManagementPolicy ManagementPolicy `json:"managementPolicy,omitempty"`

	ForProvider LegacyParameters `json:"forProvider"`
}

// A LegacyStatus represents the observed state of a Legacy.
type LegacyStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider LegacyObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A Legacy has the management policy that preceded the list of them.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,rules}
// +crossplane:generate:methods=false
type Legacy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   LegacySpec   `json:"spec"`
	Status LegacyStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// LegacyList contains a list of Legacy.
type LegacyList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Legacy `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Legacy{}, &LegacyList{})
}

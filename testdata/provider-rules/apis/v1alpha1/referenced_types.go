package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// ReferencedParameters are the desired state of a Referenced.
type ReferencedParameters struct {
	// Region is needed to find the external resource.
	// +mrgen:identifier
	Region string `json:"region"`

	// NetworkID is the ID of a network.
	// +kubebuilder:validation:Required
	// +crossplane:generate:reference:type=Required
	NetworkID *string `json:"networkId,omitempty"`

	// NetworkIDRef references a Required to retrieve NetworkID.
	// +optional
	NetworkIDRef *xpv2.Reference `json:"networkIdRef,omitempty"`

	// NetworkIDSelector selects a reference to retrieve NetworkID.
	// +optional
	NetworkIDSelector *xpv2.Selector `json:"networkIdSelector,omitempty"`

	// SubnetIDs are the IDs of subnets.
	// +kubebuilder:validation:Required
	// +crossplane:generate:reference:type=Required
	// +crossplane:generate:reference:refFieldName=SubnetRefs
	// +crossplane:generate:reference:selectorFieldName=SubnetSelector
	SubnetIDs []string `json:"subnetIds,omitempty"`

	// SubnetRefs references Requireds to retrieve SubnetIDs.
	// +optional
	SubnetRefs []xpv2.Reference `json:"subnetRefs,omitempty"`

	// SubnetSelector selects references to retrieve SubnetIDs.
	// +optional
	SubnetSelector *xpv2.Selector `json:"subnetSelector,omitempty"`
}

// A ReferencedSpec defines the desired state of a Referenced.
type ReferencedSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider ReferencedParameters `json:"forProvider"`
}

// A ReferencedStatus represents the observed state of a Referenced.
type ReferencedStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider ReferencedObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A Referenced has required values that references can give.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,rules}
type Referenced struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ReferencedSpec   `json:"spec"`
	Status ReferencedStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// ReferencedList contains a list of Referenced.
type ReferencedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Referenced `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Referenced{}, &ReferencedList{})
}

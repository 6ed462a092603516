package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// An Origin is one of two.
// +kubebuilder:validation:ExactlyOneOf=image;snapshot
type Origin struct {
	// Image is one of them.
	// +optional
	Image *string `json:"image,omitempty"`

	// Snapshot is the other one.
	// +optional
	Snapshot *string `json:"snapshot,omitempty"`

	// Audience goes with either.
	// +optional
	Audience *string `json:"audience,omitempty"`
}

// AlternativeParameters are the desired state of an Alternative.
// +kubebuilder:validation:ExactlyOneOf=cidrBlock;networkId
// +kubebuilder:validation:AtLeastOneOf=ipv4;subnetIds
// +kubebuilder:validation:AtMostOneOf=public;private
type AlternativeParameters struct {
	// Region is needed to find the external resource.
	// +mrgen:identifier
	Region string `json:"region"`

	// CIDRBlock is given, or a network.
	// +optional
	// +immutable
	// +mrgen:example="10.0.0.0/16"
	CIDRBlock *string `json:"cidrBlock,omitempty"`

	// NetworkID is the ID of a network.
	// +optional
	// +crossplane:generate:reference:type=Required
	NetworkID *string `json:"networkId,omitempty"`

	// NetworkIDRef references a Required to retrieve NetworkID.
	// +optional
	NetworkIDRef *xpv2.Reference `json:"networkIdRef,omitempty"`

	// NetworkIDSelector selects a reference to retrieve NetworkID.
	// +optional
	NetworkIDSelector *xpv2.Selector `json:"networkIdSelector,omitempty"`

	// IPv4 is given, or subnets, or both.
	// +kubebuilder:validation:Format=ipv4
	// +optional
	// +mrgen:example="10.0.0.1"
	IPv4 *string `json:"ipv4,omitempty"`

	// SubnetIDs are the IDs of subnets.
	// +optional
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

	// Public excludes Private.
	// +optional
	Public *bool `json:"public,omitempty"`

	// Private excludes Public.
	// +optional
	Private *bool `json:"private,omitempty"`

	// Origin is one of two.
	// +optional
	Origin *Origin `json:"origin,omitempty"`

	// Others are origins in a list, which rules can't relax.
	// +optional
	Others []Origin `json:"others,omitempty"`
}

// An AlternativeSpec defines the desired state of an Alternative.
type AlternativeSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider AlternativeParameters `json:"forProvider"`

	// InitProvider is merged into ForProvider when the resource is created.
	// +optional
	InitProvider AlternativeInitParameters `json:"initProvider,omitempty"`
}

// An AlternativeStatus represents the observed state of an Alternative.
type AlternativeStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider AlternativeObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// An Alternative demands one of several fields, which references and
// spec.initProvider can give.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,rules}
type Alternative struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   AlternativeSpec   `json:"spec"`
	Status AlternativeStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// AlternativeList contains a list of Alternative.
type AlternativeList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Alternative `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Alternative{}, &AlternativeList{})
}

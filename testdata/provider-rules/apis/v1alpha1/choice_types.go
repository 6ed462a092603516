package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// A Source is one of two.
// +mrgen:requiredOneOf:fields=image;snapshots,exactly=true
type Source struct {
	// Image is one of them.
	// +optional
	Image *string `json:"image,omitempty"`

	// Snapshots are the other one.
	// +optional
	Snapshots []string `json:"snapshots,omitempty"`

	// Audience goes with either.
	// +optional
	Audience *string `json:"audience,omitempty"`
}

// A Limit has a bound.
// +mrgen:requiredOneOf:fields=lower;upper
type Limit struct {
	// Lower is the lower bound.
	// +optional
	Lower *int64 `json:"lower,omitempty"`

	// Upper is the upper bound.
	// +optional
	Upper *int64 `json:"upper,omitempty"`
}

// ChoiceParameters are the desired state of a Choice.
// +mrgen:requiredOneOf:fields=cidrBlock;networkId,exactly=true
// +mrgen:requiredOneOf:fields=ipv4;subnetRefs
type ChoiceParameters struct {
	// Region is needed to find the external resource.
	// +mrgen:identifier
	Region string `json:"region"`

	// CIDRBlock is given, or a network.
	// +optional
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
	// +optional
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

	// Source is one of two.
	// +optional
	Source *Source `json:"source,omitempty"`

	// Sources are in a list, where rules know nothing of management policies.
	// +optional
	Sources []Source `json:"sources,omitempty"`

	// Limits are in a map.
	// +optional
	Limits map[string]Limit `json:"limits,omitempty"`

	// Scope is a limit that spec.initProvider lacks.
	// +optional
	// +mrgen:identifier
	Scope *Limit `json:"scope,omitempty"`
}

// A ChoiceSpec defines the desired state of a Choice.
type ChoiceSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider ChoiceParameters `json:"forProvider"`

	// InitProvider is merged into ForProvider when the resource is created.
	// +optional
	InitProvider ChoiceInitParameters `json:"initProvider,omitempty"`
}

// A ChoiceStatus represents the observed state of a Choice.
type ChoiceStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider ChoiceObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A Choice demands one of several fields by markers of its own, which count references,
// selectors and spec.initProvider.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,rules}
type Choice struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ChoiceSpec   `json:"spec"`
	Status ChoiceStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// ChoiceList contains a list of Choice.
type ChoiceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Choice `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Choice{}, &ChoiceList{})
}

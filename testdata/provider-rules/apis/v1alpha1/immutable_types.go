package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// Point is a struct without markers of its own.
type Point struct {
	// X is a number.
	// +optional
	X *int64 `json:"x,omitempty"`

	// Y is a number.
	// +optional
	Y *int64 `json:"y,omitempty"`
}

// Nested is a struct with fields that are immutable and others.
type Nested struct {
	// Fixed is immutable.
	// +optional
	// +immutable
	Fixed *string `json:"fixed,omitempty"`

	// Free is not.
	// +optional
	Free *string `json:"free,omitempty"`

	// Deeper is a struct in a struct.
	// +optional
	Deeper *Deeper `json:"deeper,omitempty"`
}

// Deeper is a struct in a struct.
type Deeper struct {
	// Fixed is immutable.
	// +optional
	// +immutable
	Fixed []string `json:"fixed,omitempty"`
}

// Item is the item of a list, known by its name.
type Item struct {
	// Name is the key.
	Name string `json:"name"`

	// Fixed is immutable.
	// +optional
	// +immutable
	// +kubebuilder:validation:MaxLength=63
	Fixed *string `json:"fixed,omitempty"`

	// Free is not.
	// +optional
	Free *string `json:"free,omitempty"`
}

// Atomic is the item of a list without keys.
type Atomic struct {
	// A is immutable.
	// +optional
	// +immutable
	A *string `json:"a,omitempty"`

	// B is immutable.
	// +optional
	// +immutable
	B *string `json:"b,omitempty"`
}

// ImmutableParameters are the desired state of an Immutable.
type ImmutableParameters struct {
	// Region is needed to find the external resource.
	// +mrgen:identifier
	// +immutable
	Region string `json:"region"`

	// Text is a string.
	// +optional
	// +immutable
	Text *string `json:"text,omitempty"`

	// Number is a number.
	// +optional
	// +immutable
	Number *int64 `json:"number,omitempty"`

	// Flag is a boolean.
	// +optional
	// +immutable
	Flag *bool `json:"flag,omitempty"`

	// Time is a time, which can be written in several ways.
	// +optional
	// +immutable
	Time *metav1.Time `json:"time,omitempty"`

	// List is a list without a list type, that is atomic.
	// +optional
	// +immutable
	List []string `json:"list,omitempty"`

	// Set is a list whose order is of no meaning.
	// +optional
	// +immutable
	// +listType=set
	Set []string `json:"set,omitempty"`

	// Labels is a map.
	// +optional
	// +immutable
	Labels map[string]string `json:"labels,omitempty"`

	// Object is a struct that is immutable as a whole.
	// +optional
	// +immutable
	Object *Point `json:"object,omitempty"`

	// Nested is a struct with immutable fields.
	// +optional
	Nested *Nested `json:"nested,omitempty"`

	// Items is a list of structs with keys, and with immutable fields.
	// +optional
	// +listType=map
	// +listMapKey=name
	Items []Item `json:"items,omitempty"`

	// Atomics is a list of structs without keys, all of whose fields are immutable.
	// +optional
	Atomics []Atomic `json:"atomics,omitempty"`

	// NetworkID is the ID of a network.
	// +optional
	// +immutable
	// +crossplane:generate:reference:type=Required
	NetworkID *string `json:"networkId,omitempty"`

	// NetworkIDRef references a Required to retrieve NetworkID.
	// +optional
	// +immutable
	NetworkIDRef *xpv2.Reference `json:"networkIdRef,omitempty"`

	// NetworkIDSelector selects a reference to retrieve NetworkID.
	// +optional
	NetworkIDSelector *xpv2.Selector `json:"networkIdSelector,omitempty"`

	// PeerIDs are the IDs of peers.
	// +optional
	// +immutable
	// +crossplane:generate:reference:type=Required
	// +crossplane:generate:reference:refFieldName=PeerIDRefs
	// +crossplane:generate:reference:selectorFieldName=PeerIDSelector
	PeerIDs []string `json:"peerIds,omitempty"`

	// PeerIDRefs reference Requireds to retrieve PeerIDs.
	// +optional
	// +immutable
	// +kubebuilder:validation:MaxItems=8
	PeerIDRefs []xpv2.Reference `json:"peerIdRefs,omitempty"`

	// PeerIDSelector selects references to retrieve PeerIDs.
	// +optional
	PeerIDSelector *xpv2.Selector `json:"peerIdSelector,omitempty"`

	// Note is free.
	// +optional
	Note *string `json:"note,omitempty"`
}

// A ImmutableSpec defines the desired state of an Immutable.
type ImmutableSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider ImmutableParameters `json:"forProvider"`

	// InitProvider is merged into ForProvider when the resource is created.
	// +optional
	InitProvider ImmutableInitParameters `json:"initProvider,omitempty"`
}

// A ImmutableStatus represents the observed state of an Immutable.
type ImmutableStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider ImmutableObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// An Immutable has immutable fields of all types.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,rules}
type Immutable struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ImmutableSpec   `json:"spec"`
	Status ImmutableStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// ImmutableList contains a list of Immutable.
type ImmutableList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Immutable `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Immutable{}, &ImmutableList{})
}

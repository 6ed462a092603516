package v1alpha1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// Route is the item of a list.
type Route struct {
	// Name is omitted if it is empty.
	// +optional
	Name string `json:"name,omitempty"`

	// Ports are omitted if there are none.
	// +optional
	Ports []int64 `json:"ports,omitempty"`

	// Priority is sent in any case.
	// +optional
	Priority int64 `json:"priority"`
}

// Disk is a struct.
type Disk struct {
	// Size is written in another form.
	// +optional
	Size *resource.Quantity `json:"size,omitempty"`

	// Kind is omitted if it is empty.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Kind string `json:"kind,omitempty"`

	// Encrypted is omitted if it is false.
	// +optional
	Encrypted bool `json:"encrypted,omitempty"`
}

// EncodedParameters are the desired state of an Encoded.
type EncodedParameters struct {
	// Region is needed to find the external resource.
	// +mrgen:identifier
	Region string `json:"region"`

	// SubnetIDs are omitted if there are none.
	// +optional
	// +immutable
	SubnetIDs []string `json:"subnetIds,omitempty"`

	// Zones are required, and omitted if there are none.
	// +kubebuilder:validation:Required
	Zones []string `json:"zones,omitempty"`

	// Labels are omitted if there are none.
	// +optional
	// +immutable
	Labels map[string]string `json:"labels,omitempty"`

	// Mode is omitted if it is empty.
	// +optional
	// +immutable
	Mode string `json:"mode,omitempty"`

	// HA is omitted if it is false.
	// +optional
	// +immutable
	HA bool `json:"ha,omitempty"`

	// Size is omitted if it is 0.
	// +optional
	// +immutable
	Size int64 `json:"size,omitempty"`

	// Count is sent in any case.
	// +optional
	// +immutable
	Count int64 `json:"count"`

	// Memory is written in another form.
	// +optional
	// +immutable
	Memory *resource.Quantity `json:"memory,omitempty"`

	// Timeout is written in another form.
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('0s')"
	// +optional
	// +immutable
	Timeout *metav1.Duration `json:"timeout,omitempty"`

	// Start loses its fraction of a second.
	// +optional
	// +immutable
	Start *metav1.Time `json:"start,omitempty"`

	// Disk is a struct.
	// +optional
	// +immutable
	Disk *Disk `json:"disk,omitempty"`

	// Disks are structs by name.
	// +optional
	// +immutable
	// +kubebuilder:validation:MaxProperties=2
	Disks map[string]Disk `json:"disks,omitempty"`

	// Routes is a list of structs.
	// +optional
	// +immutable
	// +kubebuilder:validation:MaxItems=16
	Routes []Route `json:"routes,omitempty"`

	// NetworkIDRef is a reference with a field that is omitted if it is empty.
	// +optional
	// +immutable
	NetworkIDRef *xpv2.NamespacedReference `json:"networkIdRef,omitempty"`

	// PeerIDRefs is a list of such references.
	// +optional
	// +immutable
	// +kubebuilder:validation:MaxItems=4
	PeerIDRefs []xpv2.NamespacedReference `json:"peerIdRefs,omitempty"`

	// RouteIDRefs is a list of such references, of any length.
	// +optional
	// +immutable
	RouteIDRefs []xpv2.NamespacedReference `json:"routeIdRefs,omitempty"`
}

// A EncodedSpec defines the desired state of an Encoded.
type EncodedSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider EncodedParameters `json:"forProvider"`
}

// A EncodedStatus represents the observed state of an Encoded.
type EncodedStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider EncodedObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// An Encoded has fields with values that controllers send back in another form.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,rules}
type Encoded struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   EncodedSpec   `json:"spec"`
	Status EncodedStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// EncodedList contains a list of Encoded.
type EncodedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Encoded `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Encoded{}, &EncodedList{})
}

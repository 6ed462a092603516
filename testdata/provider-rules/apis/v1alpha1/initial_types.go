package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// Scaling is a struct with required fields, one of them deeper.
type Scaling struct {
	// Desired is required where there is a Scaling.
	// +kubebuilder:validation:Required
	Desired *int64 `json:"desired,omitempty"`

	// Max is optional.
	// +optional
	Max *int64 `json:"max,omitempty"`

	// Policy is a struct in a struct.
	// +optional
	Policy *ScalingPolicy `json:"policy,omitempty"`
}

// ScalingPolicy is a struct with a required field.
type ScalingPolicy struct {
	// Cooldown is required where there is a ScalingPolicy.
	// +kubebuilder:validation:Required
	Cooldown *string `json:"cooldown,omitempty"`
}

// InitialParameters are the desired state of an Initial.
type InitialParameters struct {
	// Region is needed to find the external resource.
	// +mrgen:identifier
	Region string `json:"region"`

	// Size is a string.
	// +kubebuilder:validation:Required
	Size *string `json:"size,omitempty"`

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

	// Scaling is a struct with required fields.
	// +optional
	Scaling *Scaling `json:"scaling,omitempty"`

	// Rules is a list of structs with a required field.
	// +optional
	Rules []Rule `json:"rules,omitempty"`
}

// A InitialSpec defines the desired state of an Initial.
type InitialSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider InitialParameters `json:"forProvider"`

	// InitProvider is merged into ForProvider when the resource is created.
	// +optional
	InitProvider InitialInitParameters `json:"initProvider,omitempty"`
}

// A InitialStatus represents the observed state of an Initial.
type InitialStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider InitialObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// An Initial has required fields that spec.initProvider can set.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,rules}
type Initial struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   InitialSpec   `json:"spec"`
	Status InitialStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// InitialList contains a list of Initial.
type InitialList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Initial `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Initial{}, &InitialList{})
}

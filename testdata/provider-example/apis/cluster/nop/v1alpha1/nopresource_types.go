package v1alpha1

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// The types must conform to the interfaces of crossplane-runtime.
var (
	_ resource.LegacyManaged = &NopResource{}
	_ resource.ManagedList   = &NopResourceList{}
)

// ResourceConditionAfter specifies a condition of a NopResource that should be
// set after a certain duration.
type ResourceConditionAfter struct {
	// Time is the duration after which the condition should be set.
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('0s')"
	Time metav1.Duration `json:"time"`

	// ConditionType to set - e.g. Ready.
	ConditionType xpv2.ConditionType `json:"conditionType"`

	// ConditionStatus to set - e.g. True.
	ConditionStatus corev1.ConditionStatus `json:"conditionStatus"`

	// ConditionReason to set - e.g. Available.
	// +optional
	ConditionReason *xpv2.ConditionReason `json:"conditionReason,omitempty"`
}

// ResourceConnectionDetail specifies a connection detail a NopResource should
// emit.
type ResourceConnectionDetail struct {
	// Name of the connection detail.
	Name string `json:"name"`

	// Value of the connection detail.
	Value string `json:"value"`
}

// NopResourceParameters are the configurable fields of a NopResource.
type NopResourceParameters struct {
	// ConditionAfter can be used to set status conditions after a specified
	// time. By default a NopResource will only have a status condition of Type:
	// Synced. It will never have a status condition of Type: Ready unless one
	// is configured here.
	// +optional
	ConditionAfter []ResourceConditionAfter `json:"conditionAfter,omitempty"`

	// ConnectionDetails that this NopResource should emit on each reconcile.
	// +optional
	// +mrgen:sensitive
	ConnectionDetails []ResourceConnectionDetail `json:"connectionDetails,omitempty"`

	// Fields is an arbitrary object you can patch to and from. It has no
	// schema, is not validated, and is not used by the NopResource controller.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	Fields runtime.RawExtension `json:"fields,omitempty"`
}

// A NopResourceSpec defines the desired state of a NopResource.
type NopResourceSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider NopResourceParameters `json:"forProvider"`
}

// A NopResourceStatus represents the observed state of a NopResource.
type NopResourceStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider NopResourceObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A NopResource is a managed resource that does nothing.
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={nop}
// +mrgen:connectionDetail:name=password,description="Definitely real password for this resource that does nothing"
// +mrgen:state=Active
type NopResource struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   NopResourceSpec   `json:"spec"`
	Status NopResourceStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// NopResourceList contains a list of NopResource.
type NopResourceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []NopResource `json:"items"`
}

// NopResource type metadata.
var (
	NopResourceKind             = reflect.TypeOf(NopResource{}).Name()
	NopResourceGroupKind        = schema.GroupKind{Group: Group, Kind: NopResourceKind}.String()
	NopResourceKindAPIVersion   = NopResourceKind + "." + SchemeGroupVersion.String()
	NopResourceGroupVersionKind = SchemeGroupVersion.WithKind(NopResourceKind)
)

func init() {
	SchemeBuilder.Register(&NopResource{}, &NopResourceList{})
}

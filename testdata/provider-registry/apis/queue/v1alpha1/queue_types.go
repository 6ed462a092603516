package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// The types must conform to the interfaces of crossplane-runtime.
var (
	_ resource.ModernManaged = &Queue{}
	_ resource.ManagedList   = &QueueList{}
)

// QueueParameters are the desired state of a queue.
type QueueParameters struct {
	// ID of the service that reads the queue.
	// +optional
	// +crossplane:generate:reference:type=github.com/mrgen-io/provider-registry/apis/app/v1alpha1.Service
	ServiceID *string `json:"serviceId,omitempty"`

	// ServiceIDRef references a Service.
	// +optional
	ServiceIDRef *xpv2.NamespacedReference `json:"serviceIdRef,omitempty"`

	// ServiceIDSelector selects a Service.
	// +optional
	ServiceIDSelector *xpv2.NamespacedSelector `json:"serviceIdSelector,omitempty"`
}

// A QueueSpec defines the desired state of a Queue.
type QueueSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`

	ForProvider QueueParameters `json:"forProvider"`
}

// A QueueStatus represents the observed state of a Queue.
type QueueStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`
}

// +kubebuilder:object:root=true

// A Queue is a managed resource that others refer to, and that refers to others.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,managed,registry}
type Queue struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   QueueSpec   `json:"spec"`
	Status QueueStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// QueueList contains a list of Queue.
type QueueList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Queue `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Queue{}, &QueueList{})
}

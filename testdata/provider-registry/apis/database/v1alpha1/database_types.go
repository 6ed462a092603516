package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// The types must conform to the interfaces of crossplane-runtime.
var (
	_ resource.ModernManaged = &Database{}
	_ resource.ManagedList   = &DatabaseList{}
)

// DatabaseParameters are the desired state of a database.
type DatabaseParameters struct {
	// Numbers of the queues that the database listens to.
	// +optional
	// +crossplane:generate:reference:type=github.com/mrgen-io/provider-registry/apis/queue/v1alpha1.Queue
	QueueNumbers []*int64 `json:"queueNumbers,omitempty"`

	// QueueNumbersRefs reference Queues.
	// +optional
	QueueNumbersRefs []xpv2.NamespacedReference `json:"queueNumbersRefs,omitempty"`

	// QueueNumbersSelector selects Queues.
	// +optional
	QueueNumbersSelector *xpv2.NamespacedSelector `json:"queueNumbersSelector,omitempty"`
}

// A DatabaseSpec defines the desired state of a Database.
type DatabaseSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`

	ForProvider DatabaseParameters `json:"forProvider"`
}

// A DatabaseStatus represents the observed state of a Database.
type DatabaseStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`
}

// +kubebuilder:object:root=true

// A Database is a managed resource that others refer to, and that refers to others.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,managed,registry}
type Database struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   DatabaseSpec   `json:"spec"`
	Status DatabaseStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// DatabaseList contains a list of Database.
type DatabaseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Database `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Database{}, &DatabaseList{})
}

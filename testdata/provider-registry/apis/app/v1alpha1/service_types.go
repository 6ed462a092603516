package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// The types must conform to the interfaces of crossplane-runtime.
var (
	_ resource.ModernManaged = &Service{}
	_ resource.ManagedList   = &ServiceList{}
)

// ServiceParameters are the desired state of a service.
type ServiceParameters struct {
	// ID of the database of the service.
	// +optional
	// +crossplane:generate:reference:type=github.com/mrgen-io/provider-registry/apis/database/v1alpha1.Database
	DatabaseID *string `json:"databaseId,omitempty"`

	// DatabaseIDRef references a Database.
	// +optional
	DatabaseIDRef *xpv2.NamespacedReference `json:"databaseIdRef,omitempty"`

	// DatabaseIDSelector selects a Database.
	// +optional
	DatabaseIDSelector *xpv2.NamespacedSelector `json:"databaseIdSelector,omitempty"`
}

// A ServiceSpec defines the desired state of a Service.
type ServiceSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`

	ForProvider ServiceParameters `json:"forProvider"`
}

// A ServiceStatus represents the observed state of a Service.
type ServiceStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`
}

// +kubebuilder:object:root=true

// A Service is a managed resource that others refer to, and that refers to others.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,managed,registry}
type Service struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ServiceSpec   `json:"spec"`
	Status ServiceStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// ServiceList contains a list of Service.
type ServiceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Service `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Service{}, &ServiceList{})
}

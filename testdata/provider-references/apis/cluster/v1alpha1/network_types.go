package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crossplane/crossplane-runtime/v2/pkg/reference"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// The types must conform to the interfaces of crossplane-runtime.
var (
	_ resource.LegacyManaged = &Network{}
	_ resource.ManagedList   = &NetworkList{}
)

// NetworkParameters are the desired state of a network.
type NetworkParameters struct {
	// Project that the network is in.
	// +optional
	Project *string `json:"project,omitempty"`
}

// A NetworkSpec defines the desired state of a Network.
type NetworkSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider NetworkParameters `json:"forProvider"`
}

// NetworkObservation is the observed state of a network.
type NetworkObservation struct {
	// Name of the network within its project.
	// +optional
	Name *string `json:"name,omitempty"`
}

// A NetworkStatus represents the observed state of a Network.
type NetworkStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider NetworkObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A Network is a managed resource that others refer to.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,references}
type Network struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   NetworkSpec   `json:"spec"`
	Status NetworkStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// NetworkList contains a list of Network.
type NetworkList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Network `json:"items"`
}

// NetworkPath returns a function that takes the path of a network, which is made
// of its project and its name, and is empty until both are known.
func NetworkPath() reference.ExtractValueFn {
	return func(mg resource.Managed) string {
		network, ok := mg.(*Network)
		if !ok || network.Spec.ForProvider.Project == nil || network.Status.AtProvider.Name == nil {
			return ""
		}
		return "/projects/" + *network.Spec.ForProvider.Project + "/global/networks/" + *network.Status.AtProvider.Name
	}
}

// Annotation returns a function that takes the value of an annotation.
func Annotation(name string) reference.ExtractValueFn {
	return func(mg resource.Managed) string { return mg.GetAnnotations()[name] }
}

func init() {
	SchemeBuilder.Register(&Network{}, &NetworkList{})
}

package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// The types must conform to the interfaces of crossplane-runtime.
var (
	_ resource.LegacyManaged = &Zone{}
	_ resource.ManagedList   = &ZoneList{}
)

// ZoneParameters are the desired state of a zone.
type ZoneParameters struct {
	// IDs of the networks that the zone is visible in.
	// +optional
	// +crossplane:generate:reference:type=github.com/mrgen-io/provider-registry/apis/network/v1alpha1.Network
	NetworkIDs []string `json:"networkIds,omitempty"`

	// NetworkIDsRefs reference Networks.
	// +optional
	NetworkIDsRefs []xpv2.Reference `json:"networkIdsRefs,omitempty"`

	// NetworkIDsSelector selects Networks.
	// +optional
	NetworkIDsSelector *xpv2.Selector `json:"networkIdsSelector,omitempty"`

	// ID of the project that the zone belongs to.
	// +optional
	// +crossplane:generate:reference:type=github.com/mrgen-io/provider-registry/apis/project/v1alpha1.Project
	ProjectID *string `json:"projectId,omitempty"`

	// ProjectIDRef references a Project.
	// +optional
	ProjectIDRef *xpv2.Reference `json:"projectIdRef,omitempty"`

	// ProjectIDSelector selects a Project.
	// +optional
	ProjectIDSelector *xpv2.Selector `json:"projectIdSelector,omitempty"`
}

// A ZoneSpec defines the desired state of a Zone.
type ZoneSpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`

	ForProvider ZoneParameters `json:"forProvider"`
}

// A ZoneStatus represents the observed state of a Zone.
type ZoneStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`
}

// +kubebuilder:object:root=true

// A Zone is a managed resource that others refer to, and that refers to others.
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,registry}
type Zone struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ZoneSpec   `json:"spec"`
	Status ZoneStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// ZoneList contains a list of Zone.
type ZoneList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Zone `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Zone{}, &ZoneList{})
}

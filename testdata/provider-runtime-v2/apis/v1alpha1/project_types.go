package v1alpha1

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	xpv1 "github.com/crossplane/crossplane-runtime/v2/apis/common/v1"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
)

// The types must conform to the interfaces of crossplane-runtime.
var (
	_ resource.LegacyManaged = &Project{}
	_ resource.ManagedList   = &ProjectList{}
)

// ProjectParameters define the desired state of a project.
type ProjectParameters struct {
	// DisplayName is the name that the console shows for the project.
	// +optional
	DisplayName *string `json:"displayName,omitempty"`

	// ParentID is the ID of the project that this project belongs to.
	// +optional
	// +immutable
	// +crossplane:generate:reference:type=Project
	ParentID *string `json:"parentId,omitempty"`

	// ParentIDRef references a Project to retrieve its ID.
	// +optional
	// +immutable
	ParentIDRef *xpv1.Reference `json:"parentIdRef,omitempty"`

	// ParentIDSelector selects a reference to a Project to retrieve its ID.
	// +optional
	ParentIDSelector *xpv1.Selector `json:"parentIdSelector,omitempty"`
}

// A ProjectSpec defines the desired state of a Project.
type ProjectSpec struct {
	xpv1.ResourceSpec `json:",inline"`

	ForProvider ProjectParameters `json:"forProvider"`
}

// ProjectObservation is the observed state of a Project.
type ProjectObservation struct {
	// The number that the provider gave the project.
	Number *int64 `json:"number,omitempty"`
}

// A ProjectStatus represents the observed state of a Project.
type ProjectStatus struct {
	xpv1.ResourceStatus `json:",inline"`

	AtProvider ProjectObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A Project is a managed resource that represents a project, which owns buckets.
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,storage}
type Project struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ProjectSpec   `json:"spec"`
	Status ProjectStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// ProjectList contains a list of Project.
type ProjectList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Project `json:"items"`
}

// Project type metadata.
var (
	ProjectKind             = reflect.TypeOf(Project{}).Name()
	ProjectGroupKind        = schema.GroupKind{Group: Group, Kind: ProjectKind}.String()
	ProjectKindAPIVersion   = ProjectKind + "." + SchemeGroupVersion.String()
	ProjectGroupVersionKind = SchemeGroupVersion.WithKind(ProjectKind)
)

func init() {
	SchemeBuilder.Register(&Project{}, &ProjectList{})
}

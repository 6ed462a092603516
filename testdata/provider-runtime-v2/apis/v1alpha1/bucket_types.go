package v1alpha1

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	xpv1 "github.com/crossplane/crossplane-runtime/v2/apis/common/v1"
	xpv2 "github.com/crossplane/crossplane-runtime/v2/apis/common/v2"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
)

// The types must conform to the interfaces of crossplane-runtime.
var (
	_ resource.ModernManaged = &Bucket{}
	_ resource.ManagedList   = &BucketList{}
)

// BucketLogging says where the access logs of a bucket are written to.
type BucketLogging struct {
	// TargetBucket is the name of the bucket that receives the logs.
	// +optional
	// +crossplane:generate:reference:type=Bucket
	TargetBucket *string `json:"targetBucket,omitempty"`

	// TargetBucketRef references a Bucket to retrieve its name.
	// +optional
	TargetBucketRef *xpv1.NamespacedReference `json:"targetBucketRef,omitempty"`

	// TargetBucketSelector selects a reference to a Bucket to retrieve its name.
	// +optional
	TargetBucketSelector *xpv1.NamespacedSelector `json:"targetBucketSelector,omitempty"`

	// TargetPrefix is prepended to the name of each log.
	// +optional
	TargetPrefix *string `json:"targetPrefix,omitempty"`
}

// BucketParameters define the desired state of a bucket.
type BucketParameters struct {
	// Location of the bucket.
	// +kubebuilder:validation:Required
	// +immutable
	Location *string `json:"location,omitempty"`

	// Logging of accesses to the bucket.
	// +optional
	Logging *BucketLogging `json:"logging,omitempty"`

	// ProjectID is the ID of the project that owns the bucket.
	// +mrgen:identifier
	ProjectID string `json:"projectId"`
}

// A BucketSpec defines the desired state of a Bucket.
type BucketSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`

	ForProvider BucketParameters `json:"forProvider"`
}

// BucketObservation is the observed state of a Bucket.
type BucketObservation struct {
	// The time at which the bucket was created.
	CreatedAt *metav1.Time `json:"createdAt,omitempty"`

	// The URL of the bucket.
	// +mrgen:connectionDetail:name=endpoint
	URL *string `json:"url,omitempty"`
}

// A BucketStatus represents the observed state of a Bucket.
type BucketStatus struct {
	xpv1.ResourceStatus `json:",inline"`

	AtProvider BucketObservation `json:"atProvider,omitempty"`
}

// +kubebuilder:object:root=true

// A Bucket is a managed resource that represents a bucket of objects.
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,managed,storage}
// +mrgen:connectionDetail:pattern=accessKey.*,description="The secret of each access key that the bucket has, by the ID of the key"
type Bucket struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BucketSpec   `json:"spec"`
	Status BucketStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// BucketList contains a list of Bucket.
type BucketList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Bucket `json:"items"`
}

// Bucket type metadata.
var (
	BucketKind             = reflect.TypeOf(Bucket{}).Name()
	BucketGroupKind        = schema.GroupKind{Group: Group, Kind: BucketKind}.String()
	BucketKindAPIVersion   = BucketKind + "." + SchemeGroupVersion.String()
	BucketGroupVersionKind = SchemeGroupVersion.WithKind(BucketKind)
)

func init() {
	SchemeBuilder.Register(&Bucket{}, &BucketList{})
}

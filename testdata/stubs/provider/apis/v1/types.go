// Package v1 has a kind for tests that change its types in memory.
// +kubebuilder:object:generate=true
// +groupName=example.org
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// A Bucket is a managed resource.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Bucket struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BucketSpec   `json:"spec"`
	Status BucketStatus `json:"status,omitempty"`
}

// A BucketSpec is what a user wants.
type BucketSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`
	ForProvider              BucketParameters `json:"forProvider"`
}

// A BucketStatus is what was observed.
type BucketStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`
}

// A BucketList is a list of buckets.
// +kubebuilder:object:root=true
type BucketList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Bucket `json:"items"`
}

// Package v1 stands in for the API types of crossplane-runtime v2.
package v1

import "github.com/crossplane/crossplane-runtime/v2/apis/common"

// ResourceSpec selects runtime v2.
type ResourceSpec struct {
	ProviderConfigReference *string `json:"providerConfigRef,omitempty"`
	DeletionPolicy          string  `json:"deletionPolicy,omitempty"`
}

// DeepCopyInto copies the receiver.
func (in *ResourceSpec) DeepCopyInto(out *ResourceSpec) { *out = *in }

// ResourceStatus is the status of managed resources.
type ResourceStatus struct{}

// ProviderConfigStatus selects runtime v2.
type ProviderConfigStatus struct {
	Users int64 `json:"users,omitempty"`
}

// ProviderConfigUsage selects runtime v2.
type ProviderConfigUsage struct{}

// Reference refers to a managed resource. It is an alias, as in the original.
type Reference = common.Reference

// Selector selects a managed resource.
type Selector = common.Selector

// NamespacedReference refers to a managed resource in a namespace.
type NamespacedReference = common.NamespacedReference

// NamespacedSelector selects a managed resource in a namespace.
type NamespacedSelector = common.NamespacedSelector

// TypedReference refers to any resource.
type TypedReference struct {
	Name string `json:"name"`
}

// SecretReference refers to a Secret.
type SecretReference struct {
	Name string `json:"name"`
}

// SecretKeySelector selects a key of a Secret.
type SecretKeySelector struct {
	SecretReference `json:",inline"`
	Key             string `json:"key"`
}

// Package v1 stands in for the API types of crossplane-runtime v2.
package v1

import "github.com/crossplane/crossplane-runtime/v2/apis/common"

// ResourceSpec selects runtime v2.
type ResourceSpec struct {
	WriteConnectionSecretToReference *SecretReference `json:"writeConnectionSecretToRef,omitempty"`
	ProviderConfigReference          *Reference       `json:"providerConfigRef,omitempty"`
	DeletionPolicy                   DeletionPolicy   `json:"deletionPolicy,omitempty"`
}

// DeepCopyInto copies the receiver.
func (in *ResourceSpec) DeepCopyInto(out *ResourceSpec) { *out = *in }

// ResourceStatus is the status of managed resources.
type ResourceStatus struct {
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []Condition `json:"conditions,omitempty"`
}

// DeepCopyInto copies the receiver.
func (in *ResourceStatus) DeepCopyInto(out *ResourceStatus) { *out = *in }

// SetConditions sets conditions.
func (*ResourceStatus) SetConditions(...Condition) {}

// GetCondition returns a condition.
func (*ResourceStatus) GetCondition(ConditionType) Condition { return Condition{} }

// ConditionType is the type of a condition.
type ConditionType string

// Condition is a condition of a managed resource.
type Condition struct {
	Type   ConditionType `json:"type"`
	Status string        `json:"status"`
}

// ProviderConfigStatus selects runtime v2.
type ProviderConfigStatus struct {
	Users int64 `json:"users,omitempty"`
}

// SetConditions sets conditions.
func (*ProviderConfigStatus) SetConditions(...Condition) {}

// GetCondition returns a condition.
func (*ProviderConfigStatus) GetCondition(ConditionType) Condition { return Condition{} }

// ProviderConfigUsage selects runtime v2.
type ProviderConfigUsage struct {
	ProviderConfigReference Reference      `json:"providerConfigRef"`
	ResourceReference       TypedReference `json:"resourceRef"`
}

// Reference refers to a managed resource. It is an alias, as in the original.
type Reference = common.Reference

// Selector selects a managed resource.
type Selector = common.Selector

// NamespacedReference refers to a managed resource in a namespace.
type NamespacedReference = common.NamespacedReference

// NamespacedSelector selects a managed resource in a namespace.
type NamespacedSelector = common.NamespacedSelector

// ProviderConfigReference refers to a ProviderConfig.
type ProviderConfigReference = common.ProviderConfigReference

// ManagementPolicies say what a controller may do.
type ManagementPolicies = common.ManagementPolicies

// DeletionPolicy says what becomes of the external resource.
type DeletionPolicy = common.DeletionPolicy

// TypedReference refers to any resource.
type TypedReference = common.TypedReference

// LocalSecretReference refers to a Secret of the same namespace.
type LocalSecretReference = common.LocalSecretReference

// SecretReference refers to a Secret.
type SecretReference = common.SecretReference

// SecretKeySelector selects a key of a Secret.
type SecretKeySelector struct {
	SecretReference `json:",inline"`
	Key             string `json:"key"`
}

// The keys of connection secrets.
const (
	ResourceCredentialsSecretEndpointKey = "endpoint"
	ResourceCredentialsSecretPasswordKey = "password"
)

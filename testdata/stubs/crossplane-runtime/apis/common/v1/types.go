// Package v1 stands in for the API types of crossplane-runtime v1.
package v1

// ResourceSpec selects runtime v1.
type ResourceSpec struct {
	ProviderConfigReference *string `json:"providerConfigRef,omitempty"`
	DeletionPolicy          string  `json:"deletionPolicy,omitempty"`
}

// DeepCopyInto copies the receiver.
func (in *ResourceSpec) DeepCopyInto(out *ResourceSpec) { *out = *in }

// ResourceStatus is the status of managed resources.
type ResourceStatus struct{}

// ProviderConfigStatus selects runtime v1.
type ProviderConfigStatus struct {
	Users int64 `json:"users,omitempty"`
}

// ProviderConfigUsage selects runtime v1.
type ProviderConfigUsage struct{}

// Policy says when and whether to resolve a reference.
type Policy struct {
	Resolve string `json:"resolve,omitempty"`
}

// IsResolvePolicyAlways reports whether references are resolved again and again.
func (p *Policy) IsResolvePolicyAlways() bool { return p != nil && p.Resolve == "Always" }

// Reference refers to a managed resource.
type Reference struct {
	Name   string  `json:"name"`
	Policy *Policy `json:"policy,omitempty"`
}

// DeepCopyInto copies the receiver.
func (in *Reference) DeepCopyInto(out *Reference) { *out = *in }

// DeepCopy returns a copy of the receiver.
func (in *Reference) DeepCopy() *Reference { out := *in; return &out }

// Selector selects a managed resource.
type Selector struct {
	MatchLabels map[string]string `json:"matchLabels,omitempty"`
	Policy      *Policy           `json:"policy,omitempty"`
}

// DeepCopyInto copies the receiver.
func (in *Selector) DeepCopyInto(out *Selector) { *out = *in }

// DeepCopy returns a copy of the receiver.
func (in *Selector) DeepCopy() *Selector { out := *in; return &out }

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

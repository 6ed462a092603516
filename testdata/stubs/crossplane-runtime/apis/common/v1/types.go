// Package v1 stands in for the API types of crossplane-runtime v1.
package v1

// ResourceSpec selects runtime v1.
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

// ProviderConfigStatus selects runtime v1.
type ProviderConfigStatus struct {
	Users int64 `json:"users,omitempty"`
}

// SetConditions sets conditions.
func (*ProviderConfigStatus) SetConditions(...Condition) {}

// GetCondition returns a condition.
func (*ProviderConfigStatus) GetCondition(ConditionType) Condition { return Condition{} }

// ProviderConfigUsage selects runtime v1.
type ProviderConfigUsage struct {
	ProviderConfigReference Reference      `json:"providerConfigRef"`
	ResourceReference       TypedReference `json:"resourceRef"`
}

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
	Kind string `json:"kind,omitempty"`
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

// ManagementPolicies say what a controller may do.
type ManagementPolicies []string

// DeletionPolicy says what becomes of the external resource.
type DeletionPolicy string

// DeepCopyInto copies the receiver.
func (in *ProviderConfigUsage) DeepCopyInto(out *ProviderConfigUsage) { *out = *in }

// The keys of connection secrets.
const (
	ResourceCredentialsSecretEndpointKey = "endpoint"
	ResourceCredentialsSecretPasswordKey = "password"
)

// CredentialsSource says where credentials are.
type CredentialsSource string

// CommonCredentialSelectors select credentials.
type CommonCredentialSelectors struct {
	SecretRef *SecretReference `json:"secretRef,omitempty"`
}

// DeepCopyInto copies the receiver.
func (in *CommonCredentialSelectors) DeepCopyInto(out *CommonCredentialSelectors) { *out = *in }

// Package v2 stands in for the core API types of Crossplane v2.
package v2

// ManagedResourceSpec selects core v2, namespaced.
type ManagedResourceSpec struct {
	WriteConnectionSecretToReference *LocalSecretReference    `json:"writeConnectionSecretToRef,omitempty"`
	ProviderConfigReference          *ProviderConfigReference `json:"providerConfigRef,omitempty"`

	// +optional
	// +kubebuilder:default={"*"}
	ManagementPolicies ManagementPolicies `json:"managementPolicies,omitempty"`
}

// ClusterManagedResourceSpec selects core v2, cluster.
type ClusterManagedResourceSpec struct {
	WriteConnectionSecretToReference *SecretReference `json:"writeConnectionSecretToRef,omitempty"`
	ProviderConfigReference          *Reference       `json:"providerConfigRef,omitempty"`
	DeletionPolicy                   DeletionPolicy   `json:"deletionPolicy,omitempty"`

	// +optional
	// +kubebuilder:default={"*"}
	ManagementPolicies ManagementPolicies `json:"managementPolicies,omitempty"`
}

// ManagedResourceStatus is the status of managed resources.
type ManagedResourceStatus struct {
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []Condition `json:"conditions,omitempty"`
}

// DeepCopyInto copies the receiver.
func (in *ManagedResourceStatus) DeepCopyInto(out *ManagedResourceStatus) { *out = *in }

// SetConditions sets conditions.
func (*ManagedResourceStatus) SetConditions(...Condition) {}

// GetCondition returns a condition.
func (*ManagedResourceStatus) GetCondition(ConditionType) Condition { return Condition{} }

// ConditionType is the type of a condition.
type ConditionType string

// Condition is a condition of a managed resource.
type Condition struct {
	Type   ConditionType `json:"type"`
	Status string        `json:"status"`
}

// ProviderConfigStatus selects core v2.
type ProviderConfigStatus struct {
	Users int64 `json:"users,omitempty"`
}

// SetConditions sets conditions.
func (*ProviderConfigStatus) SetConditions(...Condition) {}

// GetCondition returns a condition.
func (*ProviderConfigStatus) GetCondition(ConditionType) Condition { return Condition{} }

// ProviderConfigUsage selects core v2.
type ProviderConfigUsage struct {
	ProviderConfigReference Reference      `json:"providerConfigRef"`
	ResourceReference       TypedReference `json:"resourceRef"`
}

// TypedProviderConfigUsage selects core v2, typed.
type TypedProviderConfigUsage struct {
	ProviderConfigReference ProviderConfigReference `json:"providerConfigRef"`
	ResourceReference       TypedReference          `json:"resourceRef"`
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

// Selector selects a managed resource.
type Selector struct {
	MatchLabels map[string]string `json:"matchLabels,omitempty"`
	Policy      *Policy           `json:"policy,omitempty"`
}

// TypedReference refers to any resource.
type TypedReference struct {
	Kind string `json:"kind,omitempty"`
	Name string `json:"name"`
}

// SecretReference refers to a Secret.
type SecretReference struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

// SecretKeySelector selects a key of a Secret.
type SecretKeySelector struct {
	SecretReference `json:",inline"`
	Key             string `json:"key"`
}

// NamespacedReference refers to a managed resource.
type NamespacedReference struct {
	Name   string  `json:"name"`
	Policy *Policy `json:"policy,omitempty"`
}

// NamespacedSelector selects a managed resource.
type NamespacedSelector struct {
	MatchLabels map[string]string `json:"matchLabels,omitempty"`
	Policy      *Policy           `json:"policy,omitempty"`
}

// LocalSecretReference refers to a Secret of the same namespace.
type LocalSecretReference struct {
	Name string `json:"name"`
}

// LocalSecretKeySelector selects a key of a Secret of the same namespace.
type LocalSecretKeySelector struct {
	LocalSecretReference `json:",inline"`
	Key                  string `json:"key"`
}

// CredentialsSource is where a provider finds credentials.
type CredentialsSource string

// CommonCredentialSelectors select credentials.
type CommonCredentialSelectors struct {
	SecretRef *SecretKeySelector `json:"secretRef,omitempty"`
}

// DeepCopyInto copies the receiver.
func (in *CommonCredentialSelectors) DeepCopyInto(out *CommonCredentialSelectors) { *out = *in }

// ManagementAction is something that a controller may do.
//
// +kubebuilder:validation:Enum=Observe;Create;Update;Delete;LateInitialize;*
type ManagementAction string

// ManagementPolicies say what a controller may do.
type ManagementPolicies []ManagementAction

// Keys of connection details.
const (
	CredentialsSecretUserKey       = "username"
	CredentialsSecretPasswordKey   = "password"
	CredentialsSecretCAKey         = "clusterCA"
	CredentialsSecretClientCertKey = "clientCert"
	CredentialsSecretClientKeyKey  = "clientKey"
	CredentialsSecretTokenKey      = "token"
	CredentialsSecretEndpointKey   = "endpoint"
	CredentialsSecretPortKey       = "port"
	CredentialsSecretKubeconfigKey = "kubeconfig"
)

// DeletionPolicy says what becomes of the external resource.
type DeletionPolicy string

// ProviderConfigReference refers to a ProviderConfig.
type ProviderConfigReference struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// DeepCopyInto copies the receiver.
func (in *ManagedResourceSpec) DeepCopyInto(out *ManagedResourceSpec) { *out = *in }

// DeepCopyInto copies the receiver.
func (in *ClusterManagedResourceSpec) DeepCopyInto(out *ClusterManagedResourceSpec) { *out = *in }

// DeepCopyInto copies the receiver.
func (in *ProviderConfigUsage) DeepCopyInto(out *ProviderConfigUsage) { *out = *in }

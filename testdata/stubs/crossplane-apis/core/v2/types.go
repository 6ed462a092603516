// Package v2 stands in for the core API types of Crossplane v2.
package v2

// ManagedResourceSpec selects core v2, namespaced.
type ManagedResourceSpec struct{}

// ClusterManagedResourceSpec selects core v2, cluster.
type ClusterManagedResourceSpec struct{}

// ManagedResourceStatus is the status of managed resources.
type ManagedResourceStatus struct{}

// ProviderConfigStatus selects core v2.
type ProviderConfigStatus struct{}

// ProviderConfigUsage selects core v2.
type ProviderConfigUsage struct{}

// TypedProviderConfigUsage selects core v2, typed.
type TypedProviderConfigUsage struct{}

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

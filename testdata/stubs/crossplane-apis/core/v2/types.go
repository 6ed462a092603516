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

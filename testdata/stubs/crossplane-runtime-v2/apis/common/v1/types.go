// Package v1 stands in for the API types of crossplane-runtime v2.
package v1

// ResourceSpec selects runtime v2.
type ResourceSpec struct {
	ProviderConfigReference *string `json:"providerConfigRef,omitempty"`
	DeletionPolicy          string  `json:"deletionPolicy,omitempty"`
}

// ResourceStatus is the status of managed resources.
type ResourceStatus struct{}

// ProviderConfigStatus selects runtime v2.
type ProviderConfigStatus struct {
	Users int64 `json:"users,omitempty"`
}

// ProviderConfigUsage selects runtime v2.
type ProviderConfigUsage struct{}

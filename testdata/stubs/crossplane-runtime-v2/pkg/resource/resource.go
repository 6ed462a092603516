// Package resource stands in for the package of that name in crossplane-runtime.
package resource

// Managed is a managed resource.
type Managed interface {
	GetName() string
	GetNamespace() string
}

// ManagedList is a list of managed resources.
type ManagedList interface {
	GetContinue() string
}

// ModernManaged is a namespaced managed resource.
type ModernManaged interface{ Managed }

// LegacyManaged is a cluster scoped managed resource.
type LegacyManaged interface{ Managed }

// ProviderConfigUsage notes that a managed resource uses a ProviderConfig.
type ProviderConfigUsage interface{ GetName() string }

// ProviderConfig configures a provider.
type ProviderConfig interface{ GetName() string }

// TypedProviderConfigUsage notes that a managed resource uses a ProviderConfig of one of several kinds.
type TypedProviderConfigUsage interface{ GetName() string }

// ProviderConfigUsageList is a list of ProviderConfigUsages.
type ProviderConfigUsageList interface{ GetContinue() string }

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

// ProviderConfig is the configuration of a provider.
type ProviderConfig interface{ GetName() string }

// ProviderConfigUsage notes the use of a ProviderConfig.
type ProviderConfigUsage interface{ GetName() string }

// ProviderConfigUsageList is a list of them.
type ProviderConfigUsageList interface{ GetContinue() string }

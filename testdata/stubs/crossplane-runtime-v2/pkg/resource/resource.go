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

// Package managed stands in for the package of that name in crossplane-runtime v2.
package managed

// ConnectionDetails are what one needs to connect to an external resource.
type ConnectionDetails map[string][]byte

// ExternalObservation is what Observe returns.
type ExternalObservation struct {
	ResourceExists, ResourceUpToDate, ResourceLateInitialized bool
	ConnectionDetails                                         ConnectionDetails
}

// ExternalCreation is what Create returns.
type ExternalCreation struct{ ConnectionDetails ConnectionDetails }

// ExternalUpdate is what Update returns.
type ExternalUpdate struct{ ConnectionDetails ConnectionDetails }

// ExternalDelete is what Delete returns.
type ExternalDelete struct{}

// Initializer prepares a resource before it is observed.
type Initializer interface{ Initialize() error }

// ReconcilerOption is an option for reconcilers.
type ReconcilerOption func()

// WithInitializers has a reconciler call initializers.
func WithInitializers(...Initializer) ReconcilerOption { return nil }

// WithReferenceResolver has a reconciler resolve references.
func WithReferenceResolver(any) ReconcilerOption { return nil }

// NewReconciler makes a reconciler.
func NewReconciler(...ReconcilerOption) any { return nil }

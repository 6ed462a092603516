// Package reconcile stands in for the package of that name in controller-runtime.
package reconcile

// Reconciler reconciles objects.
type Reconciler interface{ Reconcile() }

// Package controllerruntime stands in for the package of that name in controller-runtime.
package controllerruntime

// Manager runs controllers.
type Manager interface{ GetName() string }

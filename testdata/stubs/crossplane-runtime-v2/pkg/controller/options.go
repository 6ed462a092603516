// Package controller stands in for the package of that name in crossplane-runtime.
package controller

// Options are those of controllers.
type Options struct{}

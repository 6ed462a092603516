// Package controllers sets up controllers.
package controllers

import (
	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.org/provider-test/internal/controllers/bucket"
)

// Setups set up controllers.
var Setups = []func(ctrl.Manager, controller.Options) error{
	bucket.Setup,
}

// Package controllers sets up controllers.
package controllers

import (
	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.org/provider-test/pkg/controllers/config"
)

// Setup sets up all controllers.
func Setup(mgr ctrl.Manager, o controller.Options) error {
	if err := config.Setup(mgr, o); err != nil {
		return err
	}
	return nil
}

// SetupGated sets up all controllers as soon as there are CRDs.
func SetupGated(mgr ctrl.Manager, o controller.Options) error {
	if err := config.Setup(mgr, o); err != nil {
		return err
	}
	return nil
}

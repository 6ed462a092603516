// Package config has the controller of ProviderConfigs.
package config

import (
	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.org/provider-test/apis/v1alpha1"
)

// Setup sets up the controller.
func Setup(mgr ctrl.Manager, _ controller.Options) error {
	return ctrl.NewControllerManagedBy(mgr).For(&v1alpha1.ProviderConfig{}).Complete(nil)
}

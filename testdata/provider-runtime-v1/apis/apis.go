// Package apis contains the Kubernetes API of a provider on crossplane-runtime
// v1.
package apis

import (
	"k8s.io/apimachinery/pkg/runtime"

	computev1alpha1 "github.com/mrgen-io/provider-runtime-v1/apis/compute/v1alpha1"
	gcpv1alpha1 "github.com/mrgen-io/provider-runtime-v1/apis/v1alpha1"
)

// AddToScheme adds all types of the provider to a scheme, so that clients can
// map objects to GroupVersionKinds and back.
func AddToScheme(s *runtime.Scheme) error {
	builder := runtime.NewSchemeBuilder(
		gcpv1alpha1.SchemeBuilder.AddToScheme,
		computev1alpha1.SchemeBuilder.AddToScheme,
	)
	return builder.AddToScheme(s)
}

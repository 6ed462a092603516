// Package apis contains the Kubernetes API of a provider on crossplane-runtime
// v2, before its API types moved to github.com/crossplane/crossplane/apis.
package apis

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mrgen-io/provider-runtime-v2/apis/v1alpha1"
)

// AddToScheme adds all types of the provider to a scheme, so that clients can
// map objects to GroupVersionKinds and back.
func AddToScheme(s *runtime.Scheme) error {
	return v1alpha1.SchemeBuilder.AddToScheme(s)
}

// Package apis contains the Kubernetes API of a provider whose kinds have required
// and immutable fields of every sort.
package apis

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mrgen-io/provider-rules/apis/v1alpha1"
)

// AddToScheme adds all types of the provider to a scheme, so that clients can
// map objects to GroupVersionKinds and back.
func AddToScheme(s *runtime.Scheme) error {
	return v1alpha1.SchemeBuilder.AddToScheme(s)
}

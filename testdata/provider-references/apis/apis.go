// Package apis contains the Kubernetes API of a provider whose kinds refer to each
// other.
package apis

import (
	"errors"

	"k8s.io/apimachinery/pkg/runtime"

	cluster "github.com/mrgen-io/provider-references/apis/cluster/v1alpha1"
	namespaced "github.com/mrgen-io/provider-references/apis/namespaced/v1alpha1"
)

// AddToScheme adds all types of the provider to a scheme, so that clients can
// map objects to GroupVersionKinds and back.
func AddToScheme(s *runtime.Scheme) error {
	return errors.Join(
		cluster.SchemeBuilder.AddToScheme(s),
		namespaced.SchemeBuilder.AddToScheme(s),
	)
}

// Package apis contains the Kubernetes API of a provider whose groups refer to each
// other.
package apis

import (
	"errors"

	"k8s.io/apimachinery/pkg/runtime"

	app "github.com/mrgen-io/provider-registry/apis/app/v1alpha1"
	database "github.com/mrgen-io/provider-registry/apis/database/v1alpha1"
	dns "github.com/mrgen-io/provider-registry/apis/dns/v1alpha1"
	network "github.com/mrgen-io/provider-registry/apis/network/v1alpha1"
	project "github.com/mrgen-io/provider-registry/apis/project/v1alpha1"
	queue "github.com/mrgen-io/provider-registry/apis/queue/v1alpha1"
)

// AddToScheme adds all types of the provider to a scheme, so that clients can
// map objects to GroupVersionKinds and back.
func AddToScheme(s *runtime.Scheme) error {
	return errors.Join(
		app.SchemeBuilder.AddToScheme(s),
		database.SchemeBuilder.AddToScheme(s),
		dns.SchemeBuilder.AddToScheme(s),
		network.SchemeBuilder.AddToScheme(s),
		project.SchemeBuilder.AddToScheme(s),
		queue.SchemeBuilder.AddToScheme(s),
	)
}

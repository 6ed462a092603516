// Package apis contains the Kubernetes API of the example provider.
package apis

import (
	"k8s.io/apimachinery/pkg/runtime"

	computev1alpha1 "github.com/mrgen-io/provider-example/apis/cluster/compute/v1alpha1"
	computev1beta1 "github.com/mrgen-io/provider-example/apis/cluster/compute/v1beta1"
	ec2v1beta1 "github.com/mrgen-io/provider-example/apis/cluster/ec2/v1beta1"
	eksv1beta1 "github.com/mrgen-io/provider-example/apis/cluster/eks/v1beta1"
	nopv1alpha1 "github.com/mrgen-io/provider-example/apis/cluster/nop/v1alpha1"
	sqlv1beta1 "github.com/mrgen-io/provider-example/apis/cluster/sql/v1beta1"
	namespacedec2v1beta1 "github.com/mrgen-io/provider-example/apis/namespaced/ec2/v1beta1"
	namespacedsqlv1beta1 "github.com/mrgen-io/provider-example/apis/namespaced/sql/v1beta1"
	examplev1alpha1 "github.com/mrgen-io/provider-example/apis/v1alpha1"
)

// AddToScheme adds all types of the provider to a scheme, so that clients can
// map objects to GroupVersionKinds and back.
func AddToScheme(s *runtime.Scheme) error {
	builder := runtime.NewSchemeBuilder(
		examplev1alpha1.SchemeBuilder.AddToScheme,
		computev1alpha1.SchemeBuilder.AddToScheme,
		computev1beta1.SchemeBuilder.AddToScheme,
		ec2v1beta1.SchemeBuilder.AddToScheme,
		eksv1beta1.SchemeBuilder.AddToScheme,
		nopv1alpha1.SchemeBuilder.AddToScheme,
		sqlv1beta1.SchemeBuilder.AddToScheme,
		namespacedec2v1beta1.SchemeBuilder.AddToScheme,
		namespacedsqlv1beta1.SchemeBuilder.AddToScheme,
	)
	return builder.AddToScheme(s)
}

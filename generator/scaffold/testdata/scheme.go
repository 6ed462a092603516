// Package apis has kinds.
package apis

import (
	"k8s.io/apimachinery/pkg/runtime"

	"example.org/provider-test/apis/storage/v1alpha1"
)

// All adds all kinds to a scheme.
var All = runtime.NewSchemeBuilder(
	v1alpha1.SchemeBuilder.AddToScheme,
)

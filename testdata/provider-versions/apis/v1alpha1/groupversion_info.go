// Package v1alpha1 contains the v1alpha1 API of the group storage.crossplane.io.
//
// +kubebuilder:object:generate=true
// +groupName=storage.crossplane.io
package v1alpha1

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

var (
	// SchemeGroupVersion is the group and version of this package.
	SchemeGroupVersion = schema.GroupVersion{Group: "storage.crossplane.io", Version: "v1alpha1"}

	// SchemeBuilder adds the kinds of this package to a scheme.
	SchemeBuilder = &scheme.Builder{GroupVersion: SchemeGroupVersion}
)

func init() {
	SchemeBuilder.Register(&Database{}, &DatabaseList{})
}

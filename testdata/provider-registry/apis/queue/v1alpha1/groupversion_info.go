// Package v1alpha1 contains the managed resources of the group queue.
// +kubebuilder:object:generate=true
// +groupName=queue.registry.example.org
// +versionName=v1alpha1
package v1alpha1

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

// Package type metadata.
const (
	Group   = "queue.registry.example.org"
	Version = "v1alpha1"
)

var (
	// SchemeGroupVersion is the group version of the objects in this package.
	SchemeGroupVersion = schema.GroupVersion{Group: Group, Version: Version}

	// SchemeBuilder adds the types of this package to a scheme.
	SchemeBuilder = &scheme.Builder{GroupVersion: SchemeGroupVersion}
)

// Package v1alpha1 contains kinds that refer to each other in the ways that angryjet
// knows.
// +kubebuilder:object:generate=true
// +groupName=compare.m.example.org
package v1alpha1

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

// SchemeBuilder adds the kinds to a scheme.
var SchemeBuilder = &scheme.Builder{GroupVersion: schema.GroupVersion{Group: "compare.m.example.org", Version: "v1alpha1"}}

func init() {
	SchemeBuilder.Register(&Network{}, &NetworkList{}, &Server{}, &ServerList{})
}

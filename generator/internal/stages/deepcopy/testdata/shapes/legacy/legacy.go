// Package legacy has the markers of deepcopy-gen.
//
// +k8s:deepcopy-gen=package,register
package legacy

// Object is an object.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Object struct{ Values []string }

// Other implements something else.
// +k8s:deepcopy-gen:interfaces=example.org/other.Object
type Other struct{ Values []string }

// Enabled is enabled.
// +k8s:deepcopy-gen=true
type Enabled struct{ Values []string }

// Disabled is not.
// +k8s:deepcopy-gen=false
type Disabled struct{ Values []string }

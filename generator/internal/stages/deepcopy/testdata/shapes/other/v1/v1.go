// Package v1 has types that others refer to.
package v1

// Other needs a copy.
// +kubebuilder:object:generate=true
type Other struct{ Values []string }

// List is a list.
type List []*Other

// Wanted is the only type that has methods.
// +kubebuilder:object:generate=true
type Wanted struct {
	// List is a list.
	List List
}

// Root has methods since it is an object.
// +kubebuilder:object:root=true
type Root struct{ Others []Other }

// Package conversion stands in for controller-runtime's package of that name.
package conversion

import "k8s.io/apimachinery/pkg/runtime"

// Convertible is a version that is converted to another one and from it.
type Convertible interface {
	runtime.Object
	ConvertTo(dst Hub) error
	ConvertFrom(src Hub) error
}

// Hub is the version that others are converted to.
type Hub interface {
	runtime.Object
	Hub()
}

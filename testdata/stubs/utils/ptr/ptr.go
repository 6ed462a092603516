// Package ptr stands in for the package of that name in k8s.io/utils.
package ptr

// To returns a pointer to a value.
func To[T any](value T) *T { return &value }

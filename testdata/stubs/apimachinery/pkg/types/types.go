// Package types stands in for the package of that name in k8s.io/apimachinery.
package types

// NamespacedName names an object.
type NamespacedName struct{ Namespace, Name string }

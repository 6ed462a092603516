// Package schema stands in for the package of that name in k8s.io/apimachinery.
package schema

// GroupVersion names a version of an API group.
type GroupVersion struct{ Group, Version string }

// WithKind adds a kind.
func (gv GroupVersion) WithKind(kind string) GroupVersionKind {
	return GroupVersionKind{gv.Group, gv.Version, kind}
}

// GroupVersionKind names a kind.
type GroupVersionKind struct{ Group, Version, Kind string }

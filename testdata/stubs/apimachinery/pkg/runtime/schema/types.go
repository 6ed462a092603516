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

// GroupKind names a kind without its version.
func (gvk GroupVersionKind) GroupKind() GroupKind { return GroupKind{gvk.Group, gvk.Kind} }

// GroupKind names a kind of any version.
type GroupKind struct{ Group, Kind string }

// String returns the kind and its group.
func (gk GroupKind) String() string { return gk.Kind + "." + gk.Group }

// Package v1 stands in for the package of that name in k8s.io/apimachinery: it
// declares as much as decides what a Kubernetes object is.
package v1

import _ "k8s.io/apimachinery/pkg/runtime" // as the package of that name does

// TypeMeta marks objects and lists.
type TypeMeta struct {
	Kind       string `json:"kind,omitempty"`
	APIVersion string `json:"apiVersion,omitempty"`
}

// ObjectMeta marks objects.
type ObjectMeta struct {
	Name      string `json:"name,omitempty"`
	Namespace string `json:"namespace,omitempty"`
}

// GetName returns the name.
func (m *ObjectMeta) GetName() string { return m.Name }

// GetNamespace returns the namespace.
func (m *ObjectMeta) GetNamespace() string { return m.Namespace }

// GetDeletionTimestamp returns when the object was deleted.
func (m *ObjectMeta) GetDeletionTimestamp() *Time { return nil }

// GetAnnotations returns the annotations.
func (m *ObjectMeta) GetAnnotations() map[string]string { return nil }

// SetAnnotations sets the annotations.
func (m *ObjectMeta) SetAnnotations(map[string]string) {}

// Object is what all objects are, as far as their metadata is concerned.
type Object interface {
	GetName() string
	GetNamespace() string
	GetAnnotations() map[string]string
	SetAnnotations(map[string]string)
}

// ListMeta marks lists.
type ListMeta struct {
	Continue string `json:"continue,omitempty"`
}

// GetContinue returns where the list goes on.
func (m *ListMeta) GetContinue() string { return m.Continue }

// Time encodes itself.
type Time struct{ seconds int64 }

// MarshalJSON returns a string.
func (Time) MarshalJSON() ([]byte, error) { return []byte(`""`), nil }

// MicroTime encodes itself.
type MicroTime struct{ microseconds int64 }

// MarshalJSON returns a string.
func (MicroTime) MarshalJSON() ([]byte, error) { return []byte(`""`), nil }

// Duration encodes itself.
type Duration struct {
	Duration int64 `json:"-"`
}

// MarshalJSON returns a string.
func (Duration) MarshalJSON() ([]byte, error) { return []byte(`""`), nil }

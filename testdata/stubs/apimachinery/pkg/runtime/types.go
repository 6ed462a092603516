// Package runtime stands in for the package of that name in k8s.io/apimachinery.
package runtime

import "k8s.io/apimachinery/pkg/runtime/schema"

// Object is an object of any kind.
type Object interface{}

// Scheme knows kinds.
type Scheme struct{}

// SchemeBuilder are functions that add kinds to schemes.
type SchemeBuilder []func(*Scheme) error

// AddToScheme adds the kinds to a scheme.
func (SchemeBuilder) AddToScheme(*Scheme) error { return nil }

// Recognizes reports whether the scheme knows a kind.
func (*Scheme) Recognizes(schema.GroupVersionKind) bool { return false }

// New returns an object.
func (*Scheme) New(schema.GroupVersionKind) (Object, error) { return nil, nil }

// RawExtension is any object.
type RawExtension struct {
	Raw []byte `json:"-"`
}

// MarshalJSON returns the object.
func (r RawExtension) MarshalJSON() ([]byte, error) { return r.Raw, nil }

// DeepCopyInto copies the receiver.
func (in *RawExtension) DeepCopyInto(out *RawExtension) { *out = *in }

// DeepCopy returns a copy of the receiver.
func (in *RawExtension) DeepCopy() *RawExtension { out := *in; return &out }

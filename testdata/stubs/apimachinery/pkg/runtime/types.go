// Package runtime stands in for the package of that name in k8s.io/apimachinery.
package runtime

// RawExtension is any object.
type RawExtension struct {
	Raw []byte `json:"-"`
}

// MarshalJSON returns the object.
func (r RawExtension) MarshalJSON() ([]byte, error) { return r.Raw, nil }

// DeepCopyInto copies the receiver.
func (in *RawExtension) DeepCopyInto(out *RawExtension) { *out = *in }

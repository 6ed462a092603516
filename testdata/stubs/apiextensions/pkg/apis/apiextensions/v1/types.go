// Package v1 stands in for the package of that name in k8s.io/apiextensions-apiserver.
package v1

// JSON is any value.
type JSON struct {
	Raw []byte `json:"-"`
}

// MarshalJSON returns the value.
func (j JSON) MarshalJSON() ([]byte, error) { return j.Raw, nil }

// UnmarshalJSON keeps a value.
func (j *JSON) UnmarshalJSON(text []byte) error {
	j.Raw = text
	return nil
}

// DeepCopyInto copies the receiver.
func (in *JSON) DeepCopyInto(out *JSON) { *out = *in }

// DeepCopy returns a copy of the receiver.
func (in *JSON) DeepCopy() *JSON { out := *in; return &out }

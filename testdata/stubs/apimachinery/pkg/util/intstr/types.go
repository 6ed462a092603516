// Package intstr stands in for the package of that name in k8s.io/apimachinery.
package intstr

// IntOrString is a number or text.
type IntOrString struct {
	IntVal int32
	StrVal string
}

// MarshalJSON returns a string.
func (IntOrString) MarshalJSON() ([]byte, error) { return []byte(`""`), nil }

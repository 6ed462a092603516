// Package resource stands in for the package of that name in k8s.io/apimachinery.
package resource

// Quantity is a number with a unit.
type Quantity struct{ value int64 }

// MarshalJSON returns a string.
func (Quantity) MarshalJSON() ([]byte, error) { return []byte(`""`), nil }

// Cmp returns 0 if two quantities are the same amount.
func (q *Quantity) Cmp(other Quantity) int { return int(q.value - other.value) }

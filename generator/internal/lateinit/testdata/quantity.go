// Package resource stands in for the package of that name in k8s.io/apimachinery.
package resource

import (
	"encoding/json"
	"fmt"
)

// Quantity is an amount, in one of several forms.
type Quantity struct {
	Value int64
	Form  string
}

// MarshalJSON returns a string.
func (q Quantity) MarshalJSON() ([]byte, error) {
	return json.Marshal(fmt.Sprintf("%d %s", q.Value, q.Form))
}

// UnmarshalJSON reads one.
func (q *Quantity) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	*q = Quantity{}
	_, _ = fmt.Sscanf(text, "%d %s", &q.Value, &q.Form)
	return nil
}

// Cmp returns 0 if two quantities are the same amount.
func (q *Quantity) Cmp(other Quantity) int { return int(q.Value - other.Value) }

// DeepCopyInto copies the receiver.
func (q *Quantity) DeepCopyInto(out *Quantity) { *out = *q }

// DeepCopy returns a copy.
func (q *Quantity) DeepCopy() *Quantity { return &Quantity{q.Value, q.Form} }

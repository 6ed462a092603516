// Package other is of another module.
package other

import (
	"encoding/json"
	"maps"
	"slices"
)

// Shared shares memory, unless it is copied deeply.
type Shared struct {
	Text   string            `json:"text,omitempty"`
	Names  []string          `json:"names,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
	Number *int64            `json:"number,omitempty"`
}

// DeepCopyInto copies the receiver.
func (in *Shared) DeepCopyInto(out *Shared) {
	*out = Shared{Text: in.Text, Names: slices.Clone(in.Names), Labels: maps.Clone(in.Labels)}
	if in.Number != nil {
		n := *in.Number
		out.Number = &n
	}
}

// DeepCopy returns a copy.
func (in *Shared) DeepCopy() *Shared {
	out := &Shared{}
	in.DeepCopyInto(out)
	return out
}

// Stamp encodes itself.
type Stamp struct {
	Seconds int64
	Note    *string
}

// A form is what a Stamp is in JSON.
type form Stamp

// MarshalJSON returns a form.
func (s Stamp) MarshalJSON() ([]byte, error) { return json.Marshal(form(s)) }

// UnmarshalJSON reads one.
func (s *Stamp) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, (*form)(s)) }

// DeepCopyInto copies the receiver.
func (s *Stamp) DeepCopyInto(out *Stamp) {
	*out = *s
	if s.Note != nil {
		note := *s.Note
		out.Note = &note
	}
}

// DeepCopy returns a copy.
func (s *Stamp) DeepCopy() *Stamp {
	out := &Stamp{}
	s.DeepCopyInto(out)
	return out
}

// Pair shares no memory.
type Pair struct {
	A string `json:"a,omitempty"`
	B int64  `json:"b,omitempty"`
}

// Names and Labels are declared as what they are.
type (
	Names  []string
	Labels map[string]string
)

package validobject

import (
	"github.com/mrgen-io/mrgen/generator/internal/review/bounds"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// tightened returns a schema with the bounds of all schemas in its allOf, which controller-tools writes if a field and
// its type have the same marker.
func tightened(s *schema.Props) *schema.Props {
	if len(s.AllOf) == 0 {
		return s
	}
	tight := *s
	// controller-tools never writes oneOf and not, and writes anyOf only for integers or strings.
	for i := range s.AllOf {
		one := tightened(&s.AllOf[i])
		bounds.Tighten(&tight, one)
		tight.MultipleOf = common(tight.MultipleOf, one.MultipleOf)
		if len(tight.Enum) == 0 {
			tight.Enum = one.Enum
		}
	}
	return &tight
}

// common returns the least common multiple of two whole numbers, or else the larger number.
func common(a, b *float64) *float64 {
	larger := a
	if a == nil || b != nil && *b > *a {
		larger = b
	}
	isWhole := func(f *float64) bool { return f != nil && *f > 0 && *f == float64(int64(*f)) }
	if !isWhole(a) || !isWhole(b) {
		return larger
	}
	x, y := int64(*a), int64(*b)
	for y != 0 {
		x, y = y, x%y
	}
	multiple := *a / float64(x) * *b
	return &multiple
}

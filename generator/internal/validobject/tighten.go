package validobject

import (
	"cmp"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// tightened returns a schema with the bounds of all schemas in its allOf, which controller-tools writes if a field and
// its type have the same marker.
func tightened(schema *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
	if len(schema.AllOf) == 0 {
		return schema
	}
	tight := *schema
	// controller-tools never writes oneOf and not, and writes anyOf only for integers or strings.
	for i := range schema.AllOf {
		one := tightened(&schema.AllOf[i])
		tight.MinLength = stricter(tight.MinLength, one.MinLength, 1)
		tight.MinItems = stricter(tight.MinItems, one.MinItems, 1)
		tight.MaxItems = stricter(tight.MaxItems, one.MaxItems, -1)
		tight.MinProperties = stricter(tight.MinProperties, one.MinProperties, 1)
		tight.Minimum = stricter(tight.Minimum, one.Minimum, 1)
		tight.Maximum = stricter(tight.Maximum, one.Maximum, -1)
		tight.MultipleOf = common(tight.MultipleOf, one.MultipleOf)
		if len(tight.Enum) == 0 {
			tight.Enum = one.Enum
		}
	}
	return &tight
}

// stricter returns the larger of two bounds, or the smaller one if the sign is negative. Nil
// stands for no bound.
func stricter[T int64 | float64](a, b *T, sign int) *T {
	if a == nil || b != nil && cmp.Compare(*b, *a) == sign {
		return b
	}
	return a
}

// common returns the least common multiple of two whole numbers, or else the larger number.
func common(a, b *float64) *float64 {
	larger := stricter(a, b, 1)
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

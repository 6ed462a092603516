package admission_test

// A goShape is a Go type that fields of real APIs have, with two values.
type goShape struct {
	// goType is that of fields that can be missing. valueType is that of fields for
	// which Go always sends a value; "" if there is none, or if the value is null,
	// which is no value to the API server.
	goType, valueType string
	a, b              any
}

// goShapes are the types that spec.forProvider of real providers consists of.

var goShapes = []goShape{
	{"*string", "string", "a", "b"},
	{"*int", "int", int64(1), int64(2)},
	{"*int32", "int32", int64(1), int64(2)},
	{"*int64", "int64", int64(1), int64(2)},
	{"*float64", "float64", 1.5, 2.5},
	{"*bool", "bool", false, true},
	{"*Enum", "Enum", "left", "right"},
	{"[]string", "", []any{"a"}, []any{"b"}},
	{"[]*string", "", []any{"a"}, []any{"b"}},
	{"[]Enum", "", []any{"left"}, []any{"right"}},
	{"List", "", []any{"a"}, []any{"b"}},
	{"*[]string", "", []any{"a"}, []any{"b"}},
	{"[][]string", "", []any{[]any{"a"}}, []any{[]any{"b"}}},
	{"map[string]string", "", map[string]any{"k": "a"}, map[string]any{"k": "b"}},
	{"map[string]*string", "", map[string]any{"k": "a"}, map[string]any{"k": "b"}},
	{"map[Enum]int64", "", map[string]any{"left": int64(1)}, map[string]any{"left": int64(2)}},
	{"map[string][]string", "", map[string]any{"k": []any{"a"}}, map[string]any{"k": []any{"b"}}},
	{"*map[string]string", "", map[string]any{"k": "a"}, map[string]any{"k": "b"}},
	{"*Point", "Point", map[string]any{"x": int64(1)}, map[string]any{"x": int64(2)}},
	{"[]Point", "", []any{map[string]any{"x": int64(1)}}, []any{map[string]any{"x": int64(2)}}},
	{"[]*Point", "", []any{map[string]any{"x": int64(1)}}, []any{map[string]any{"x": int64(2)}}},
	{"map[string]Point", "", map[string]any{"k": map[string]any{"x": int64(1)}}, map[string]any{"k": map[string]any{"x": int64(2)}}},
	{"*Derived", "Derived", map[string]any{"x": int64(1), "y": int64(1)}, map[string]any{"x": int64(1), "y": int64(2)}},
	{"*metav1.Time", "", "2023-02-22T07:16:51Z", "2023-02-22T07:16:52Z"},
	{"*metav1.Duration", "metav1.Duration", "1s", "2s"},
	{"*intstr.IntOrString", "intstr.IntOrString", "50%", int64(2)},
	{"*resource.Quantity", "resource.Quantity", "1Gi", int64(2)},
	{"*runtime.RawExtension", "", map[string]any{"k": "a"}, map[string]any{"k": "b"}},
	{"*corev1.Toleration", "corev1.Toleration", map[string]any{"key": "a"}, map[string]any{"key": "b"}},
	{"[]corev1.EnvVar", "", []any{map[string]any{"name": "a"}}, []any{map[string]any{"name": "b"}}},
	{"*xpv2.SecretKeySelector", "", map[string]any{"name": "a", "namespace": "a", "key": "a"}, map[string]any{"name": "b", "namespace": "a", "key": "a"}},
}

const goShapeTypes = `
// Enum is a named string.
// +kubebuilder:validation:Enum=left;right
type Enum string

// List is a named slice.
type List []string

// Point is a struct.
type Point struct {
	X *int64 ` + "`json:\"x,omitempty\"`" + `
}

// Derived embeds a struct.
type Derived struct {
	Point ` + "`json:\",inline\"`" + `
	Y *int64 ` + "`json:\"y,omitempty\"`" + `
}
`

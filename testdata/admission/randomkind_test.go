package admission_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A presence says whether a field of a random kind has to be set.
type presence int

const (
	optional presence = iota
	// required fields can be missing in what Go sends.
	required
	// always is required, and Go sends a zero value if it is not set.
	always
	// defaulted is required and has a default.
	defaulted
	// identifier is required, also of resources that are only observed.
	identifier
)

// A shape is a type of fields, with values for them as JSON has them.
type shape struct {
	// goType is that of fields that can be missing, and valueType that of fields
	// that are always sent; "" if there is none. %s stands for the struct.
	goType, valueType string
	// omitEmpty tells that fields need omitempty to be missing: null is no value of
	// their type that Go would send for them.
	omitEmpty bool
	valid     func(r *random, f *field) any
	// empty is a value without content; nil if there is none.
	empty any
	// isStruct tells that values have the fields of a struct, not in a list or map.
	isStruct bool
	// untyped tells that rules can't see whether there is a value.
	untyped bool
}

func constant(value any) func(*random, *field) any {
	return func(*random, *field) any { return value }
}

// shapes are the types of fields. The first of them is a string.
var shapes = []*shape{
	{goType: "*string", valueType: "string", valid: constant("a"), empty: ""},
	{goType: "*int64", valueType: "int64", valid: constant(int64(1)), empty: int64(0)},
	{goType: "*bool", valueType: "bool", valid: constant(true), empty: false},
	{goType: "*Choice", valueType: "Choice", valid: constant("left"), empty: ""},
	{goType: "[]string", omitEmpty: true, valid: constant([]any{"a"}), empty: []any{}},
	{goType: "[]*string", omitEmpty: true, valid: constant([]any{"a"}), empty: []any{}},
	{goType: "map[string]string", omitEmpty: true, valid: constant(map[string]any{"k": "v"}), empty: map[string]any{}},
	{goType: "map[string]*string", omitEmpty: true, valid: constant(map[string]any{"k": "v"}), empty: map[string]any{}},
	{goType: "*metav1.Time", valid: constant("2023-02-22T07:16:51Z"), empty: ""},
	{goType: "*intstr.IntOrString", valid: constant("50%"), empty: ""},
	{goType: "*resource.Quantity", valid: constant("1Gi"), empty: int64(0)},
	{goType: "*runtime.RawExtension", valid: constant(map[string]any{"k": "v"}), empty: map[string]any{}},
	{goType: "*apiextensionsv1.JSON", valid: constant("anything"), empty: map[string]any{}, untyped: true},
	{goType: "*%s", valueType: "%s", valid: (*random).structValue, empty: map[string]any{}, isStruct: true},
	{goType: "[]%s", omitEmpty: true, valid: (*random).listValue, empty: []any{}},
	{goType: "map[string]%s", omitEmpty: true, valid: (*random).mapValue, empty: map[string]any{}},
}

// A field of a random kind, or of a struct in it.
type field struct {
	// name is that of the Go field, and json that of the property.
	name, json string
	*shape
	presence
	// omitEmpty is whether the tag says omitempty.
	omitEmpty bool
	// hasReference tells that there are fields for a reference and a selector.
	hasReference bool
	// structName is that of the struct that the type has, with fields.
	structName string
	fields     []*field
}

// A kind is random.
type kind struct {
	name         string
	initProvider bool
	// relax is false if the kind has the marker that keeps its fields required.
	relax  bool
	fields []*field
	// oneOf are fields of which at least one must be set.
	oneOf []*field
}

// random makes kinds and objects.
type random struct{ *rand.Rand }

func (r *random) oneIn(n int) bool { return r.IntN(n) == 0 }

// kind returns a kind with up to eight fields, structs in up to three depths.
func (r *random) kind(name string) *kind {
	k := &kind{name: name, initProvider: r.oneIn(2), relax: !r.oneIn(10)}
	k.fields = r.fields(name, 8, 0)
	for _, f := range k.fields {
		isString := f.shape == shapes[0]
		switch {
		case isString && r.oneIn(4):
			f.presence = identifier
		case isString && (f.presence == optional || f.presence == required) && r.oneIn(2):
			f.hasReference = true
		}
		isElements := f.structName != "" && !f.isStruct // of which no sample is known
		if f.presence == optional && !f.untyped && !isElements && len(k.oneOf) < 3 {
			k.oneOf = append(k.oneOf, f)
		}
	}
	if len(k.oneOf) < 2 {
		k.oneOf = nil
	}
	return k
}

func (r *random) fields(owner string, most, depth int) []*field {
	var fields []*field
	for i := range r.IntN(most + 1) {
		f := &field{name: fmt.Sprintf("F%d", i), json: fmt.Sprintf("f%d", i), shape: shapes[0]}
		if !r.oneIn(4) { // many are strings, which can be identifiers and have references
			f.shape = shapes[r.IntN(len(shapes))]
		}
		f.presence = []presence{optional, required, required, always}[r.IntN(4)]
		if f.presence == always && f.valueType == "" {
			f.presence = required
		}
		if f.shape == shapes[0] && f.presence == required && r.oneIn(5) {
			f.presence = defaulted
		}
		f.omitEmpty = f.presence != always && (f.shape.omitEmpty || !r.oneIn(4))
		if strings.Contains(f.goType, "%s") {
			f.structName = owner + f.name
			if depth < 2 {
				f.fields = r.fields(f.structName, 4, depth+1)
			}
		}
		fields = append(fields, f)
	}
	return fields
}

// source returns the declarations of the kind.
func (k *kind) source() string {
	var b strings.Builder
	var names []string
	for _, f := range k.oneOf {
		names = append(names, f.json)
	}
	if len(names) > 0 {
		fmt.Fprintf(&b, "\n// +mrgen:requiredOneOf:fields=%s", strings.Join(names, ";"))
	}
	writeStruct(&b, k.name+"Parameters", k.fields)
	var markers []string
	if !k.relax {
		markers = append(markers, "+mrgen:relax=false")
	}
	return kindSource(k.name, k.initProvider, markers...) + b.String()
}

func writeStruct(b *strings.Builder, name string, fields []*field) {
	fmt.Fprintf(b, "\n// %s is a struct.\ntype %s struct {\n", name, name)
	for _, f := range fields {
		f.write(b)
	}
	b.WriteString("}\n")
	for _, f := range fields {
		if f.structName != "" {
			writeStruct(b, f.structName, f.fields)
		}
	}
}

func (f *field) write(b *strings.Builder) {
	markers := map[presence][]string{
		optional:   {"+optional"},
		required:   {"+kubebuilder:validation:Required"},
		always:     {"+kubebuilder:validation:Required"},
		defaulted:  {"+kubebuilder:validation:Required", "+kubebuilder:default=a"},
		identifier: {"+kubebuilder:validation:Required", "+mrgen:identifier"},
	}[f.presence]
	if f.hasReference {
		markers = append(markers, "+crossplane:generate:reference:type=Kind0")
	}
	fmt.Fprintf(b, "\t// %s is a field.\n", f.name)
	for _, marker := range markers {
		fmt.Fprintf(b, "\t// %s\n", marker)
	}
	goType := f.goType
	if f.presence == always {
		goType = f.valueType
	}
	tag := f.json
	if f.omitEmpty {
		tag += ",omitempty"
	}
	fmt.Fprintf(b, "\t%s %s `json:%q`\n", f.name, strings.ReplaceAll(goType, "%s", f.structName), tag)
	if f.hasReference {
		fmt.Fprintf(b, "\t%sRef *xpv2.Reference `json:\"%sRef,omitempty\"`\n", f.name, f.json)
		fmt.Fprintf(b, "\t%sSelector *xpv2.Selector `json:\"%sSelector,omitempty\"`\n", f.name, f.json)
	}
}

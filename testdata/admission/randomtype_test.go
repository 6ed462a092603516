package admission_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// An encodedType is a random Go type: as source, and as a type that decodes and encodes.
type encodedType struct {
	// source is how fields name the type.
	source string
	goType reflect.Type
	// value returns a random value, often one that Go would write in another form, and
	// mostly one that the type's schema accepts.
	value func() any
	// markers are those that a field of the type may bear; one begins with the value that
	// is its default, and others constrain.
	defaults, constraints []string
	// isList, isMap and isStruct say what the schema is, of structs with fields that mrgen
	// reads.
	isList, isMap, isStruct bool
	// untyped is set if the schema has no type.
	untyped bool
}

// An encodedStruct is a random struct.
type encodedStruct struct {
	name    string
	markers []string
	fields  []encodedField
	goType  reflect.Type
}

type encodedField struct {
	json string
	encodedType
	required bool
	// omits is set if the tag has omitempty or omitzero.
	omits bool
	// immutable is set if it is marked so.
	immutable bool
	// counts is set if rules can tell whether there is a value.
	counts bool
	// inline are the fields of a struct that is embedded.
	inline *encodedStruct
}

func (f encodedField) isTime() bool { return strings.HasSuffix(f.source, "metav1.Time") }

// types makes random Go types. Fields have names of their own throughout, so that what
// mrgen says of a field can be told from what it says of others.
type types struct {
	*random
	// mirrors is set if the status of kinds has a mirror.
	mirrors  bool
	declared strings.Builder
	count    int
}

func (r *types) name(prefix string) string {
	r.count++
	return fmt.Sprintf("%s%d", prefix, r.count)
}

// typ returns a random type. Structs are in up to three depths.
func (r *types) typ(depth int) encodedType {
	n := 26
	if depth > 2 {
		n = 19
	}
	switch r.IntN(n) {
	case 0, 1:
		return encodedType{
			source: "string", goType: reflect.TypeFor[string](), value: func() any { return pick(r.random, "", "a", "b") },
			defaults: []string{`""`, "a"}, constraints: []string{"MinLength=1", "Enum=a;b", `Enum="";a;b`, "Pattern=`^[ab]+$`", "MaxLength=5"},
		}
	case 2:
		return r.named()
	case 3:
		return encodedType{
			source: "int64", goType: reflect.TypeFor[int64](), value: func() any { return pick(r.random, int64(0), 1, 2, 9007199254740993) },
			defaults: []string{"0", "1"}, constraints: []string{"Minimum=1", "Enum=0;1;2", "Maximum=5"},
		}
	case 4:
		return encodedType{source: "int32", goType: reflect.TypeFor[int32](), value: func() any { return pick(r.random, int64(0), 1) }, defaults: []string{"0", "2"}}
	case 5, 6:
		return encodedType{source: "bool", goType: reflect.TypeFor[bool](), value: func() any { return r.oneIn(2) }, defaults: []string{"false", "true", "true"}}
	case 7:
		return encodedType{
			source: "float64", goType: reflect.TypeFor[float64](), value: func() any { return pick[any](r.random, int64(0), 0.0, 1.5, 0.1, int64(9007199254740993), int64(3)) },
			defaults: []string{"0", "1.5"}, constraints: []string{"Minimum=1"},
		}
	case 8:
		return encodedType{source: "float32", goType: reflect.TypeFor[float32](), value: func() any { return pick[any](r.random, int64(0), 0.1, 0.123456789, int64(16777217)) }}
	case 9:
		return encodedType{source: "[]byte", goType: reflect.TypeFor[[]byte](), value: func() any {
			return pick(r.random, "YQ==", "YR==", base64.StdEncoding.EncodeToString([]byte("text")))
		}}
	case 10:
		return encodedType{source: "metav1.Time", goType: reflect.TypeFor[metav1.Time](), value: func() any {
			return pick(r.random, "2023-02-22T07:16:51Z", "2023-02-22T07:16:51.5Z", "2023-02-22T08:16:51+01:00", "2023-02-22T07:16:51.123456789-01:00", "1969-12-31T23:59:59.5Z", "0001-01-01T00:00:00Z")
		}}
	case 11:
		return encodedType{source: "metav1.MicroTime", goType: reflect.TypeFor[metav1.MicroTime](), value: func() any {
			return pick(r.random, "2023-02-22T07:16:51.000000Z", "2023-02-22T07:16:51.500001Z", "2023-02-22T08:16:51.123456+01:00")
		}}
	case 12, 13:
		return encodedType{source: "metav1.Duration", goType: reflect.TypeFor[metav1.Duration](), value: func() any {
			return pick(r.random, "60m", "1h", "1h0m0s", "0", "0s", "1.5h", "-5m", "+5m", "1µs", "1000us", ".5s", "1h1h")
		}, defaults: []string{`"1h"`, `"0s"`}, constraints: []string{`Enum="1h";"0s"`, "MaxLength=4", "Pattern=`^[0-9]+[hms]?$`"}}
	case 14, 15:
		return encodedType{source: "resource.Quantity", goType: reflect.TypeFor[resource.Quantity](), value: func() any {
			return pick[any](r.random, "1024Mi", "1Gi", "0", int64(0), int64(5), "5", "100m", "0.1", "1e3", "1.1Ki", "+5", "0.5n", "1E", int64(1024))
		}, defaults: []string{`"1Gi"`, `"0"`}}
	case 16:
		return encodedType{source: "intstr.IntOrString", goType: reflect.TypeFor[intstr.IntOrString](), value: func() any {
			return pick[any](r.random, int64(0), int64(5), "", "5", "50%")
		}, defaults: []string{`0`, `"50%"`}}
	case 17:
		return encodedType{source: "runtime.RawExtension", goType: reflect.TypeFor[runtime.RawExtension](), value: func() any {
			return pick(r.random, map[string]any{}, map[string]any{"k": "v", "l": int64(0)})
		}, constraints: []string{"PreserveUnknownFields"}}
	case 18:
		return encodedType{source: "apiextensionsv1.JSON", goType: reflect.TypeFor[apiextensionsv1.JSON](), untyped: true, value: func() any {
			return pick[any](r.random, "", int64(0), false, map[string]any{"k": []any{}}, []any{})
		}}
	case 19:
		return r.external()
	case 20, 21:
		elem := r.element(depth)
		return encodedType{
			source: "[]" + elem.source, goType: reflect.SliceOf(elem.goType), isList: true, value: r.list(elem),
			defaults: r.listDefaults(elem), constraints: []string{"MinItems=1", "MaxItems=4", "MaxItems=4"},
		}
	case 22:
		elem := r.element(depth)
		return encodedType{
			source: "map[string]" + elem.source, goType: reflect.MapOf(reflect.TypeFor[string](), elem.goType), isMap: true,
			value: func() any {
				m := map[string]any{}
				for i := range r.IntN(3) {
					m[fmt.Sprintf("k%d", i)] = elem.value()
				}
				return m
			},
			defaults: []string{"{}"}, constraints: []string{"MinProperties=1", "MaxProperties=4", "MaxProperties=4"},
		}
	default:
		s := r.structType(depth+1, 5)
		return encodedType{source: s.name, goType: s.goType, isStruct: true, value: func() any { return r.object(s) }}
	}
}

// named returns a named type: with an enum, of any kind and form, with another constraint, or one that encodes itself.
func (r *types) named() encodedType {
	texts := func() any { return pick(r.random, "", "a", "b") }
	name := r.name("Named")
	declare := func(marker, of, more string) {
		fmt.Fprintf(&r.declared, "\n// %[1]s has a name.\n%[2]stype %[1]s %[3]s\n%[4]s", name, marker, of, strings.ReplaceAll(more, "NAME", name))
	}
	switch r.IntN(7) {
	case 0:
		declare("", "string", "")
	case 1:
		declare("// +kubebuilder:validation:MinLength=1\n", "string", "")
	case 2:
		declare("// +kubebuilder:validation:Enum=a;b\n", "string", "")
	case 3:
		declare("// +k8s:enum\n", "string", pick(r.random, enumForms...))
	case 4:
		declare("// +kubebuilder:validation:Enum=0;1;2\n", "int64", "")
		return encodedType{source: name, goType: reflect.TypeFor[int64](), value: func() any { return pick(r.random, int64(0), 1, 2, 3) }, defaults: []string{"1"}}
	case 5:
		declare("// +kubebuilder:validation:Type=string\n// +kubebuilder:validation:Pattern=`^n`\n", "int64", encodesNumber)
		return encodedType{source: name, goType: reflect.TypeFor[numbered](), value: func() any { return pick(r.random, "n1", "n2") }}
	default:
		declare("// +kubebuilder:validation:Type=string\n", "struct {\n\tA string `json:\"a\"`\n}", encodesStruct)
		return encodedType{source: name, goType: reflect.TypeFor[wrapped](), value: func() any { return pick(r.random, "", "a") }}
	}
	return encodedType{source: name, goType: reflect.TypeFor[string](), value: texts, defaults: []string{"a"}}
}

// enumForms declare the constants a and b of a type, and others that aren't values of it, in the ways that Go has.
var enumForms = []string{
	`
// The values of NAME, by conversion.
const (
	NAMEA = NAME("a")
	NAMEB = NAME("b")
	NAMEC = "c"
)
`, `
// The values of NAME, in one line and of untyped parts.
const NAMEA, NAMEB NAME = "a", "" + NAMEPart

// NAMEPart is a text.
const NAMEPart = "b"
`, `
// The values of NAME, of an alias and by another's value.
const (
	NAMEA NAMEAlias = "a"
	NAMEB           = NAMEBefore
	NAMEBefore NAME = "b"
)

// NAMEAlias is NAME.
type NAMEAlias = NAME
`, `
// The values of NAME, the second twice.
const (
	NAMEA NAME = "a"
	NAMEB NAME = "b"
	NAMEAgain
	// NAMEOther isn't a value.
	// +k8s:enumExclude
	NAMEOther NAME = "c"
)
`,
}

// encodesNumber and encodesStruct are the methods of named types that encode themselves, whose bodies mrgen
// doesn't read. Those of numbered and wrapped do as the types' marker says.
const (
	encodesNumber = `
// MarshalJSON writes a text.
func (n NAME) MarshalJSON() ([]byte, error) { return nil, nil }

// UnmarshalJSON reads it.
func (n *NAME) UnmarshalJSON(text []byte) error { return nil }
`
	encodesStruct = `
// MarshalJSON writes a text.
func (w NAME) MarshalJSON() ([]byte, error) { return nil, nil }

// UnmarshalJSON reads it.
func (w *NAME) UnmarshalJSON(text []byte) error { return nil }
`
)

type numbered int64

func (n numbered) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, `"n%d"`, n), nil }

func (n *numbered) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	_, err := fmt.Sscanf(string(text), `"n%d"`, n)
	return err
}

type wrapped struct{ A string }

func (w wrapped) MarshalJSON() ([]byte, error) { return json.Marshal(w.A) }

func (w *wrapped) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &w.A) }

// port is a struct of k8s.io/api without its methods: reflection can't embed these.
type port corev1.ContainerPort

// foreign returns the fields of a struct of another module, which others embed.
func (r *types) foreign() *encodedStruct {
	text := func() any { return pick(r.random, "", "a", "a") }
	number := func() any { return pick(r.random, int64(0), 80) }
	return &encodedStruct{name: "corev1.ContainerPort", goType: reflect.TypeFor[port](), fields: []encodedField{
		{json: "containerPort", encodedType: encodedType{value: number}, required: true},
		{json: "hostPort", encodedType: encodedType{value: number}, omits: true},
		{json: "hostIP", encodedType: encodedType{value: text}, omits: true},
		{json: "protocol", encodedType: encodedType{value: text}, omits: true},
	}}
}

// hiding returns a struct to embed, whose only field has the name of another one around it.
func (r *types) hiding(hidden string) *encodedStruct {
	s := &encodedStruct{name: r.name("Struct")}
	marker := pick(r.random, "kubebuilder:validation:Required", "kubebuilder:default=z", "kubebuilder:validation:Enum=y;z", "kubebuilder:validation:XValidation:rule=\"self == 'x'\"", "immutable", "k8s:immutable")
	source, goType := "string", reflect.TypeFor[string]()
	if marker == "kubebuilder:validation:Required" && r.oneIn(2) {
		source, goType = "int64", reflect.TypeFor[int64]()
	}
	tag := fmt.Sprintf("json:%q", hidden+",omitempty")
	fmt.Fprintf(&r.declared, "\n// %s has a field that another one hides.\ntype %[1]s struct {\n\t// %[2]s is hidden.\n\t// +%[3]s\n\t%[2]s %[4]s `%[5]s`\n}\n", s.name, strings.ToUpper(hidden), marker, source, tag)
	s.goType = reflect.StructOf([]reflect.StructField{{Name: strings.ToUpper(hidden), Type: goType, Tag: reflect.StructTag(tag)}})
	return s
}

// embed embeds a struct in another one, by value or by pointer.
func (r *types) embed(s, inner *encodedStruct, b *strings.Builder, fields []reflect.StructField) []reflect.StructField {
	source, goType := inner.name, inner.goType
	if r.oneIn(3) {
		source, goType = "*"+source, reflect.PointerTo(goType)
	}
	fmt.Fprintf(b, "\t%s `json:\",inline\"`\n", source)
	s.fields = append(s.fields, encodedField{inline: inner})
	return append(fields, reflect.StructField{Name: inner.name[strings.Index(inner.name, ".")+1:], Type: goType, Anonymous: true, Tag: `json:",inline"`})
}

// external returns a type of another module with fields that are omitted.
func (r *types) external() encodedType {
	switch r.IntN(4) {
	case 0:
		return encodedType{source: "xpv2.NamespacedReference", goType: reflect.TypeFor[reference](), value: func() any {
			ref := map[string]any{"name": pick(r.random, "a", "a", "")}
			if r.oneIn(2) {
				ref["namespace"] = pick(r.random, "", "b")
			}
			if r.oneIn(3) {
				ref["policy"] = pick(r.random, map[string]any{}, map[string]any{"resolve": "Always"})
			}
			return ref
		}}
	case 1:
		return encodedType{source: "corev1.Toleration", goType: reflect.TypeFor[corev1.Toleration](), value: func() any {
			return pick(r.random, map[string]any{}, map[string]any{"key": "", "operator": "", "tolerationSeconds": int64(0)}, map[string]any{"key": "a", "value": "b"})
		}}
	case 2:
		return encodedType{source: "corev1.ResourceRequirements", goType: reflect.TypeFor[corev1.ResourceRequirements](), value: func() any {
			return pick(r.random, map[string]any{}, map[string]any{"limits": map[string]any{}}, map[string]any{"limits": map[string]any{"memory": "1024Mi", "cpu": int64(1)}})
		}}
	default:
		return encodedType{source: "metav1.LabelSelector", goType: reflect.TypeFor[metav1.LabelSelector](), value: func() any {
			return pick(r.random, map[string]any{}, map[string]any{"matchLabels": map[string]any{}}, map[string]any{
				"matchExpressions": []any{map[string]any{"key": "a", "operator": "In", "values": []any{}}},
			})
		}}
	}
}

// reference is the reference of namespaced managed resources.
type reference struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace,omitempty"`
	Policy    *struct {
		Resolution *string `json:"resolution,omitempty"`
		Resolve    *string `json:"resolve,omitempty"`
	} `json:"policy,omitempty"`
}

// element returns a type of the items of a list, or the values of a map.
func (r *types) element(depth int) encodedType {
	for {
		elem := r.typ(depth + 1)
		if elem.untyped || strings.HasPrefix(elem.source, "[]byte") {
			continue
		}
		elem.value = r.noZeroTime(elem.value)
		if r.oneIn(4) && !elem.isList && !elem.isMap {
			elem.source, elem.goType = "*"+elem.source, reflect.PointerTo(elem.goType)
		}
		return elem
	}
}

// noZeroTime returns a function for values without the time that Go writes as null. As an
// item of a list, or where it is required, that is refused.
func (r *types) noZeroTime(value func() any) func() any {
	return func() any {
		for {
			if v := value(); v != "0001-01-01T00:00:00Z" {
				return v
			}
		}
	}
}

func (r *types) list(elem encodedType) func() any {
	return func() any {
		items := []any{}
		for range r.IntN(3) {
			items = append(items, elem.value())
		}
		return items
	}
}

func (r *types) listDefaults(elem encodedType) []string {
	if elem.source == "string" {
		return []string{"{}", "{a}"}
	}
	return []string{"{}"}
}

// structType declares a struct with up to so many fields.
func (r *types) structType(depth, most int) *encodedStruct {
	s := &encodedStruct{name: r.name("Struct")}
	r.fill(s, depth, most)
	return s
}

// fill gives a struct its fields, and declares it.
func (r *types) fill(s *encodedStruct, depth, most int) {
	var b strings.Builder
	var fields []reflect.StructField
	for range 1 + r.IntN(most) {
		if depth < 3 && r.oneIn(12) {
			fields = r.embed(s, r.structType(depth+2, 3), &b, fields)
			continue
		}
		f := encodedField{json: r.name("f"), encodedType: r.typ(depth)}
		for f.untyped && r.oneIn(2) {
			f.encodedType = r.typ(depth)
		}
		if r.oneIn(3) && !(f.isList || f.isMap) || r.oneIn(8) {
			f.source, f.goType = "*"+f.source, reflect.PointerTo(f.goType)
		}
		tag := f.json + pick(r.random, "", ",omitempty", ",omitempty", ",omitempty", ",omitzero", ",omitempty,omitzero")
		f.omits = tag != f.json
		markers := r.markers(&f)
		if f.isTime() && !slices.Contains(markers, "optional") {
			f.value = r.noZeroTime(f.value)
		}
		isPlain := strings.HasPrefix(f.source, "*") || f.isList || f.isMap || slices.Contains([]string{"string", "int64", "bool"}, f.source)
		isRead := !strings.HasSuffix(f.source, "[]byte") // rules fail on Base64
		f.counts = isPlain && isRead && f.omits && !f.required && !f.untyped && !slices.ContainsFunc(markers, func(marker string) bool {
			return marker == "nullable" || strings.HasPrefix(marker, "kubebuilder:default")
		})
		fmt.Fprintf(&b, "\t// %s is a field.\n", strings.ToUpper(f.json))
		for _, marker := range markers {
			fmt.Fprintf(&b, "\t// +%s\n", marker)
		}
		fmt.Fprintf(&b, "\t%s %s `json:%q`\n", strings.ToUpper(f.json), f.source, tag)
		fields = append(fields, reflect.StructField{Name: strings.ToUpper(f.json), Type: f.goType, Tag: reflect.StructTag(fmt.Sprintf("json:%q", tag))})
		s.fields = append(s.fields, f)
	}
	if r.mirrors && depth < 2 && r.oneIn(6) { // others need many objects that are valid
		fields = r.embed(s, r.foreign(), &b, fields)
	}
	if i := slices.IndexFunc(s.fields, func(f encodedField) bool { return f.inline == nil }); i >= 0 && depth < 3 && r.oneIn(5) {
		fields = r.embed(s, r.hiding(s.fields[i].json), &b, fields)
	}
	s.goType = reflect.StructOf(fields)
	if r.oneIn(8) && depth > 0 {
		s.markers = append(s.markers, "kubebuilder:validation:MinProperties=1")
	}
	if r.oneIn(10) {
		s.markers = append(s.markers, "immutable")
	}
	if r.oneIn(6) {
		var names []string
		for _, f := range s.fields {
			if f.omits && !f.required && !f.untyped && len(names) < 3 {
				names = append(names, f.json)
			}
		}
		if len(names) > 1 {
			s.markers = append(s.markers, pick(r.random, "kubebuilder:validation:AtLeastOneOf=", "kubebuilder:validation:ExactlyOneOf=", "kubebuilder:validation:AtMostOneOf=")+strings.Join(names, ";"))
		}
	}
	if r.oneIn(4) {
		var names []string
		for _, f := range s.fields {
			if f.counts && len(names) < 3 {
				names = append(names, f.json)
			}
		}
		if len(names) > 1 {
			s.markers = append(s.markers, "mrgen:requiredOneOf:fields="+strings.Join(names, ";")+pick(r.random, "", ",exactly=true"))
		}
	}
	fmt.Fprintf(&r.declared, "\n// %s is a struct.\n", s.name)
	for _, marker := range s.markers {
		fmt.Fprintf(&r.declared, "// +%s\n", marker)
	}
	fmt.Fprintf(&r.declared, "type %s struct {\n%s}\n", s.name, b.String())
}

// markers returns random markers of a field.
func (r *types) markers(f *encodedField) []string {
	var markers []string
	switch r.IntN(3) {
	case 0:
		f.required = true
		markers = append(markers, "kubebuilder:validation:Required")
	case 1:
		markers = append(markers, "optional")
	}
	if len(f.constraints) > 0 && r.oneIn(3) {
		constraint := pick(r.random, f.constraints...)
		if constraint == "PreserveUnknownFields" {
			markers = append(markers, "kubebuilder:pruning:PreserveUnknownFields")
		} else {
			markers = append(markers, "kubebuilder:validation:"+constraint)
		}
		if strings.HasPrefix(f.source, "metav1.Duration") || strings.HasPrefix(f.source, "*metav1.Duration") {
			markers = append(markers, "kubebuilder:validation:Type=string")
		}
	} else if !f.isTime() && len(f.defaults) > 0 && r.oneIn(5) {
		markers = append(markers, "kubebuilder:default="+pick(r.random, f.defaults...))
	}
	if r.oneIn(8) {
		markers = append(markers, "nullable")
	}
	if f.immutable = r.oneIn(2); f.immutable {
		markers = append(markers, "immutable")
	}
	if r.oneIn(10) {
		markers = append(markers, "mrgen:identifier")
	}
	if f.isList && r.oneIn(6) && strings.HasSuffix(f.source, "[]string") {
		markers = append(markers, "listType=set")
	}
	return markers
}

// object returns a random object of a struct.
func (r *types) object(s *encodedStruct) map[string]any {
	object := map[string]any{}
	for _, f := range s.fields {
		switch {
		case f.inline != nil:
			for name, value := range r.object(f.inline) {
				object[name] = value
			}
		case r.oneIn(15):
			object[f.json] = nil
		case f.required && !r.oneIn(10), r.oneIn(2):
			object[f.json] = f.value()
		}
	}
	return object
}

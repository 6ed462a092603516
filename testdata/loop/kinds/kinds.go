// Package kinds makes random kinds of managed resources: as source, and as what a user and an external
// API can do with their fields.
package kinds

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Shape says what a field holds.
type Shape int

// The shapes. Values of Items, Keyed and Structs are structs, those of Keyed with keys.
const (
	Text Shape = iota
	Number
	Bool
	Quantity
	List
	Set
	Items
	Keyed
	Map
	Structs
	Struct
)

// goTypes are the types of fields. %s stands for a struct.
var goTypes = map[Shape]string{
	Text: "*string", Number: "*int64", Bool: "*bool", Quantity: "*resource.Quantity", List: "[]string", Set: "[]string",
	Items: "[]%s", Keyed: "[]%s", Map: "map[string]string", Structs: "map[string]%s", Struct: "*%s",
}

// The values of the marker +mrgen:diff.
const (
	Exact     = "exact"
	Off       = "off"
	Subset    = "subset"
	Unordered = "unordered"
)

// A Field of a kind, or of a struct in it.
type Field struct {
	// Name is that in Go, and JSON that of the property.
	Name, JSON string
	Shape      Shape
	// Fields are those of structs, of type Type.
	Type   string
	Fields []*Field
	// Identifier is set for a text that is no pointer, and Key for that of items.
	Identifier, Key     bool
	Required, Immutable bool
	// Plain is set if a struct is no pointer.
	Plain bool
	// OmitZero is set if "[]" and "{}" can be told from nothing: by the tag, or by a pointer.
	OmitZero, Pointer bool
	// Pointers is set if the items of a list are pointers.
	Pointers bool
	// Bounded is set if spec accepts few values, and Default is what the API server sets.
	Bounded bool
	Default any
	// Reference is set if another object may provide the value.
	Reference bool
	// NoLateInitialize is set if the field is never filled, and Diff says how it is compared.
	NoLateInitialize bool
	Diff             string
}

// Compared returns how the field is compared.
func (f *Field) Compared() string {
	switch {
	case f.Diff != "":
		return f.Diff
	case f.Shape == Set:
		return Unordered
	}
	return Exact
}

// IsLeaf reports whether the field is a value that nothing is in.
func (f *Field) IsLeaf() bool { return f.Shape <= Quantity }

// A Kind of managed resources, which is namespaced.
type Kind struct {
	Name         string
	InitProvider bool
	Fields       []*Field
	// Embedded is how many of the fields, the last ones, are in an embedded struct, and ByPointer is set
	// if a pointer embeds it.
	Embedded  int
	ByPointer bool
}

// Random makes choices.
type Random struct{ *rand.Rand }

// NewRandom returns choices of a seed.
func NewRandom(seed, stream uint64) Random { return Random{rand.New(rand.NewPCG(seed, stream))} }

// OneIn returns true once in so many times.
func (r Random) OneIn(n int) bool { return r.IntN(n) == 0 }

// Pick returns one of several.
func Pick[T any](r Random, of ...T) T { return of[r.IntN(len(of))] }

// New returns the kinds of a seed.
func New(seed uint64, count int) []*Kind {
	r := NewRandom(seed, 0)
	var all []*Kind
	for i := range count {
		k := &Kind{Name: fmt.Sprintf("Kind%d", i), InitProvider: r.OneIn(2)}
		region := &Field{Name: "Region", JSON: "region", Identifier: true, Required: true, Immutable: true, NoLateInitialize: true}
		k.Fields = append([]*Field{region}, r.fields(k.Name, 3+r.IntN(6), 0)...)
		if i%3 == 1 {
			for j := range 3 {
				name := fmt.Sprintf("R%d", j)
				k.Fields = append(k.Fields, &Field{Name: name, JSON: strings.ToLower(name), Shape: Text, Reference: true, Immutable: r.OneIn(2)})
			}
		}
		if i > 0 && r.OneIn(3) {
			k.Embedded, k.ByPointer = 2, r.OneIn(2)
		}
		all = append(all, k)
	}
	return all
}

func (r Random) fields(owner string, count, depth int) []*Field {
	var fields []*Field
	for i := range count {
		shapes := []Shape{Text, Text, Number, Bool, Quantity, List, Set, Map, Map, Items, Keyed, Structs, Struct, Struct}
		if depth > 1 {
			shapes = shapes[:9]
		}
		f := &Field{Name: fmt.Sprintf("F%d", i), JSON: fmt.Sprintf("f%d", i), Shape: Pick(r, shapes...)}
		isText := f.Shape == Text
		f.Required = f.IsLeaf() && r.OneIn(6)
		f.Immutable = f.Shape <= Map && r.OneIn(6)
		f.Reference = isText && depth <= 1 && r.OneIn(3)
		f.Bounded = (isText && !f.Reference || f.Shape == Number) && r.OneIn(4)
		f.OmitZero = f.Shape >= List && f.Shape <= Structs && r.OneIn(2)
		f.Pointer = f.OmitZero && r.OneIn(3)
		if !f.Required && !f.Reference {
			f.NoLateInitialize = r.OneIn(4)
			f.Diff = r.diff(f.Shape)
		}
		if f.IsLeaf() && f.Shape != Quantity && !f.Required && !f.Reference && !f.Immutable && r.OneIn(6) {
			f.Default = map[Shape]any{Text: "b", Number: int64(2), Bool: true}[f.Shape]
		}
		switch f.Shape {
		case Struct:
			f.Type, f.Plain = owner+f.Name, r.OneIn(3)
			f.Fields = r.fields(f.Type, 1+r.IntN(4), depth+1)
		case Items, Keyed, Structs:
			f.Type, f.Pointers = owner+f.Name, f.Shape != Keyed && r.OneIn(3)
			f.Fields = r.itemFields(f.Shape)
		}
		fields = append(fields, f)
	}
	return fields
}

// diff returns how a field of a shape is compared, "" if no marker says so.
func (r Random) diff(s Shape) string {
	if !r.OneIn(3) {
		return ""
	}
	switch s {
	case List, Items:
		return Pick(r, Off, Exact, Subset, Unordered, Unordered)
	case Map, Structs:
		return Pick(r, Off, Exact, Subset, Subset)
	case Set, Keyed:
		return Pick(r, Off, Subset)
	case Struct:
		return Off
	}
	return Pick(r, Off, Exact)
}

// itemFields returns the fields of the items of a list, or of the entries of a map.
func (r Random) itemFields(s Shape) []*Field {
	fields := []*Field{{Name: "Size", JSON: "size", Shape: Number, Required: r.OneIn(3)}, {Name: "Label", JSON: "label", Shape: Text}}
	if s == Keyed {
		fields[1].Immutable = r.OneIn(4)
		fields = append(fields, &Field{Name: "Key", JSON: "key", Key: true, Required: true})
		if r.OneIn(2) {
			fields = append(fields, &Field{Name: "Zone", JSON: "zone", Key: true, Required: true})
		}
	}
	return fields
}

// Source returns the file that declares kinds in a package.
func Source(pkg string, kinds []*Kind) string {
	var b strings.Builder
	fmt.Fprintf(&b, header, pkg)
	for _, k := range kinds {
		b.WriteString(k.Source())
	}
	return b.String()
}

const header = `package %s

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

var (
	_ resource.Quantity
	_ xpv2.NamespacedReference
)
`

// Source returns the declarations of the kind.
func (k *Kind) Source() string {
	var b strings.Builder
	initProvider := ""
	if k.InitProvider {
		initProvider = "\n\tInitProvider NAMEInitParameters `json:\"initProvider,omitempty\"`"
	}
	b.WriteString(strings.ReplaceAll(strings.ReplaceAll(declarations, "INIT", initProvider), "NAME", k.Name))
	own, embedded := k.Fields[:len(k.Fields)-k.Embedded], k.Fields[len(k.Fields)-k.Embedded:]
	embeds := ""
	if k.Embedded > 0 {
		embeds = k.Name + "Shared"
		writeStruct(&b, embeds, embedded, "")
	}
	if k.ByPointer {
		embeds = "*" + embeds
	}
	writeStruct(&b, k.Name+"Parameters", own, embeds)
	return b.String()
}

const declarations = `
// A NAME is a managed resource.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced
type NAME struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Spec   NAMESpec   ` + "`json:\"spec\"`" + `
	Status NAMEStatus ` + "`json:\"status,omitempty\"`" + `
}

// A NAMESpec is the desired state of a NAME.
type NAMESpec struct {
	xpv2.ManagedResourceSpec ` + "`json:\",inline\"`" + `

	ForProvider NAMEParameters ` + "`json:\"forProvider\"`" + `INIT
}

// A NAMEStatus is the observed state of a NAME.
type NAMEStatus struct {
	xpv2.ManagedResourceStatus ` + "`json:\",inline\"`" + `

	AtProvider NAMEObservation ` + "`json:\"atProvider,omitempty\"`" + `
}

// NAMEList contains a list of NAME.
// +kubebuilder:object:root=true
type NAMEList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items           []NAME ` + "`json:\"items\"`" + `
}

func init() {
	SchemeBuilder.Register(&NAME{}, &NAMEList{})
}
`

func writeStruct(b *strings.Builder, name string, fields []*Field, embeds string) {
	fmt.Fprintf(b, "\n// %s is a struct.\ntype %s struct {\n", name, name)
	if embeds != "" {
		fmt.Fprintf(b, "\t%s `json:\",inline\"`\n", embeds)
	}
	for _, f := range fields {
		f.write(b)
	}
	b.WriteString("}\n")
	for _, f := range fields {
		if f.Type != "" {
			writeStruct(b, f.Type, f.Fields, "")
		}
	}
}

func (f *Field) write(b *strings.Builder) {
	fmt.Fprintf(b, "\t// %s is a field.\n", f.Name)
	for _, marker := range f.markers() {
		fmt.Fprintf(b, "\t// +%s\n", marker)
	}
	goType, tag := goTypes[f.Shape], f.JSON+",omitempty"
	if f.OmitZero && !f.Pointer {
		tag = f.JSON + ",omitzero"
	}
	if f.Pointers {
		goType = strings.Replace(goType, "%s", "*%s", 1)
	}
	if f.Pointer {
		goType = "*" + goType
	}
	switch {
	case f.Identifier, f.Key:
		goType, tag = "string", f.JSON
	case f.Plain:
		goType, tag = "%s", f.JSON+",omitzero" // or Go writes it with nothing in it
	}
	fmt.Fprintf(b, "\t%s %s `json:%q`\n", f.Name, strings.ReplaceAll(goType, "%s", f.Type), tag)
	if f.Reference {
		fmt.Fprintf(b, "\t%sRef *xpv2.NamespacedReference `json:\"%sRef,omitempty\"`\n", f.Name, f.JSON)
		fmt.Fprintf(b, "\t%sSelector *xpv2.NamespacedSelector `json:\"%sSelector,omitempty\"`\n", f.Name, f.JSON)
	}
}

// markers returns the markers of a field.
func (f *Field) markers() []string {
	markers := []string{"optional"}
	if f.Required {
		markers = []string{"kubebuilder:validation:Required"}
	}
	if f.Identifier {
		markers = append(markers, "mrgen:identifier")
	}
	if f.Immutable {
		markers = append(markers, "immutable")
	}
	if f.NoLateInitialize && !f.Identifier {
		markers = append(markers, "mrgen:lateInitialize=false")
	}
	if f.Diff != "" {
		markers = append(markers, "mrgen:diff="+f.Diff)
	}
	if f.Reference {
		markers = append(markers, "crossplane:generate:reference:type=Kind0")
	}
	if f.Key {
		markers = append(markers, "kubebuilder:validation:MaxLength=9")
	}
	if f.Default != nil {
		markers = append(markers, fmt.Sprint("kubebuilder:default=", f.Default))
	}
	switch f.Shape {
	case Text:
		if f.Bounded {
			markers = append(markers, "kubebuilder:validation:Enum=a;b;c;Mixed")
		}
	case Number:
		if f.Bounded {
			markers = append(markers, "kubebuilder:validation:Maximum=5")
		}
	case Set:
		markers = append(markers, "listType=set")
	case Keyed:
		// Without bounds, rules about what is in the items cost too much.
		markers = append(markers, "listType=map", "kubebuilder:validation:MaxItems=9")
		for _, inner := range f.Fields {
			if inner.Key {
				markers = append(markers, "listMapKey="+inner.JSON)
			}
		}
	}
	return markers
}

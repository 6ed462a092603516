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

// The shapes. Values of Items and Keyed are structs, those of Keyed with a key.
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
	Struct
)

// goTypes are the types of fields. %s stands for a struct.
var goTypes = map[Shape]string{
	Text: "*string", Number: "*int64", Bool: "*bool", Quantity: "*resource.Quantity", List: "[]string", Set: "[]string",
	Items: "[]%s", Keyed: "[]%s", Map: "map[string]string", Struct: "*%s",
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
	// OmitZero is set if "[]" and "{}" can be told from nothing.
	OmitZero bool
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

// A Kind of managed resources, which is namespaced.
type Kind struct {
	Name         string
	InitProvider bool
	Fields       []*Field
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
		all = append(all, k)
	}
	return all
}

func (r Random) fields(owner string, count, depth int) []*Field {
	var fields []*Field
	for i := range count {
		shapes := []Shape{Text, Text, Number, Bool, Quantity, List, Set, Map, Map, Items, Keyed, Struct, Struct}
		if depth > 1 {
			shapes = shapes[:9]
		}
		f := &Field{Name: fmt.Sprintf("F%d", i), JSON: fmt.Sprintf("f%d", i), Shape: Pick(r, shapes...)}
		isText := f.Shape == Text
		f.Required = f.Shape <= Quantity && r.OneIn(6)
		f.Immutable = f.Shape <= Quantity && r.OneIn(6)
		f.Reference = isText && depth == 0 && !f.Required && r.OneIn(3)
		f.OmitZero = f.Shape >= List && f.Shape <= Map && r.OneIn(2)
		if !f.Required && !f.Reference {
			f.NoLateInitialize = r.OneIn(4)
			f.Diff = r.diff(f.Shape)
		}
		switch f.Shape {
		case Struct:
			f.Type, f.Plain = owner+f.Name, r.OneIn(3)
			f.Fields = r.fields(f.Type, 1+r.IntN(4), depth+1)
		case Items, Keyed:
			f.Type = owner + f.Name
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
	case Map:
		return Pick(r, Off, Exact, Subset, Subset)
	case Set, Keyed:
		return Pick(r, Off, Subset)
	case Struct:
		return Off
	}
	return Pick(r, Off, Exact)
}

// itemFields returns the fields of the items of a list.
func (r Random) itemFields(s Shape) []*Field {
	fields := []*Field{{Name: "Size", JSON: "size", Shape: Number}, {Name: "Label", JSON: "label", Shape: Text}}
	if s == Keyed {
		fields = append(fields, &Field{Name: "Key", JSON: "key", Key: true, Required: true})
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
	writeStruct(&b, k.Name+"Parameters", k.Fields)
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

func writeStruct(b *strings.Builder, name string, fields []*Field) {
	fmt.Fprintf(b, "\n// %s is a struct.\ntype %s struct {\n", name, name)
	for _, f := range fields {
		f.write(b)
	}
	b.WriteString("}\n")
	for _, f := range fields {
		if f.Type != "" {
			writeStruct(b, f.Type, f.Fields)
		}
	}
}

func (f *Field) write(b *strings.Builder) {
	fmt.Fprintf(b, "\t// %s is a field.\n", f.Name)
	for _, marker := range f.markers() {
		fmt.Fprintf(b, "\t// +%s\n", marker)
	}
	goType, tag := goTypes[f.Shape], f.JSON+",omitempty"
	if f.OmitZero {
		tag = f.JSON + ",omitzero"
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
	switch f.Shape {
	case Set:
		markers = append(markers, "listType=set")
	case Keyed:
		markers = append(markers, "listType=map", "listMapKey=key")
	}
	return markers
}

package mapping

import (
	"encoding"
	"encoding/json"
	"fmt"
	"go/token"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// A declarer turns Go types into those of the model, each once.
type declarer map[reflect.Type]*model.Type

// home is where the types of this test are.
const home = "github.com/mrgen-io/mrgen/generator/internal/mapping"

func (d declarer) typeOf(t reflect.Type) *model.Type {
	if known := d[t]; known != nil {
		return known
	}
	m := &model.Type{Name: t.Name(), Package: t.PkgPath(), Local: t.PkgPath() == home}
	d[t] = m
	m.Marshals = t.Implements(reflect.TypeFor[json.Marshaler]()) || t.Implements(reflect.TypeFor[encoding.TextMarshaler]())
	switch t.Kind() {
	case reflect.Pointer:
		m.Kind, m.Elem = model.Pointer, d.typeOf(t.Elem())
	case reflect.Slice, reflect.Array:
		m.Kind, m.Elem, m.Array = model.Slice, d.typeOf(t.Elem()), t.Kind() == reflect.Array
	case reflect.Map:
		m.Kind, m.Key, m.Elem = model.Map, d.typeOf(t.Key()), d.typeOf(t.Elem())
	case reflect.Struct:
		m.Kind = model.Struct
		for i := range t.NumField() {
			f := t.Field(i)
			jsonName := f.Tag.Get("json")
			field := &model.Field{
				Name: f.Name, JSONName: strings.TrimSuffix(jsonName, ",inline"), Type: d.typeOf(f.Type),
				Embedded: f.Anonymous, Inline: f.Anonymous && strings.HasSuffix(jsonName, ",inline"), Ignored: jsonName == "-",
			}
			for text := range strings.FieldsSeq(f.Tag.Get("markers")) {
				field.Markers = append(field.Markers, model.Marker{Text: text})
			}
			m.Fields = append(m.Fields, field)
		}
	case reflect.Interface:
		m.Kind = model.Opaque
	default:
		m.Kind, m.Basic = model.Basic, t.Kind().String()
	}
	return m
}

type (
	named string
	item  struct {
		Key   string `json:"key"`
		Value int    `json:"value"`
	}
	mirroredItem struct {
		Key   string `json:"key"`
		Value *int   `json:"value"`
		State string `json:"state"`
	}
	foreign     struct{}
	nothing     struct{}
	nothingElse struct{}
	other       struct {
		Elsewhere string `json:"elsewhere"`
	}
	node struct {
		Name string `json:"name"`
		Next *node  `json:"next"`
	}
	mirroredNode struct {
		Name string        `json:"name"`
		Next *mirroredNode `json:"next"`
	}
	Embedded struct {
		Inner string `json:"inner"`
	}
)

func (foreign) MarshalJSON() ([]byte, error) { return []byte("{}"), nil }

// describe returns a relation as text, "" if there is none.
func describe(r *Relation) string {
	if r == nil {
		return ""
	}
	text := []string{"Plain", "Whole", "Number", "Empty", "Struct", "List", "Keyed", "Map", "One", "Custom"}[r.Shape]
	for _, key := range r.Keys {
		text += " by " + key.JSONName
	}
	if r.Item != nil {
		text += " of " + describe(r.Item)
	}
	return text
}

// TestPair has fields that correspond by their JSON names, through embedded structs, and
// those that don't.
func TestPair(t *testing.T) {
	type target struct {
		Renamed  string `json:"name"`
		Lone     string `json:"lone"`
		Differs  string `json:"differs"`
		Ignored  string `json:"-"`
		Untagged string
		Embedded `json:",inline"`
	}
	type source struct {
		*Embedded `json:",inline"`
		Extra     string `json:"extra"`
		Differs   int    `json:"differs"`
		Name      string `json:"name"`
		Ignored   string `json:"-"`
		Untagged  string
	}
	d := declarer{}
	m := NewMapper(home, converting)
	p := m.Pair(d.typeOf(reflect.TypeFor[target]()), d.typeOf(reflect.TypeFor[source]()))
	var both []string
	for _, f := range p.Fields {
		both = append(both, fmt.Sprintf("%s %t=%t", f.JSONName, f.Target.Indirect(), f.Source.Indirect()))
	}
	for _, test := range []struct{ what, got, want string }{
		{"fields", strings.Join(both, ", "), "name false=false, inner false=true"},
		{"fields of the target only", names(p.TargetOnly), "lone"},
		{"fields of the source only", names(p.SourceOnly), "extra"},
		{"unrelated fields", names(targets(p.Unrelated)), "differs"},
	} {
		expect.Equal(t, test.want, test.got, "%s", test.what)
	}
	again := m.Pair(p.Target, p.Source)
	expect.True(t, again == p, "the pair was made twice")
	// A type of the same name in another package is another one.
	for i := range 4 {
		named := []string{"example.org/a", "Target", "example.org/a", "Source"}
		first := m.Pair(&model.Type{Package: named[0], Name: named[1]}, &model.Type{Package: named[2], Name: named[3]})
		named[i] += "2"
		if m.Pair(&model.Type{Package: named[0], Name: named[1]}, &model.Type{Package: named[2], Name: named[3]}) == first {
			t.Errorf("types that differ in %s are taken for the same", named[i])
		}
	}
}

// TestEmbedded has a field below embedded structs of every kind: values and pointers, exported or not, up
// to three of them, with and without a field that hides it in Go. Code elsewhere can name what is
// exported, and what Go promotes if no pointer is on the way.
func TestEmbedded(t *testing.T) {
	for depth := range 4 {
		for n := range 1 << (2*depth + 1) {
			isHidden := n&1 != 0
			of := &model.Type{Kind: model.Struct, Fields: []*model.Field{{Name: "Inner", JSONName: "inner", Type: &model.Type{Basic: "string"}}}}
			isIndirect, isExported := false, true
			for i := range depth {
				step := &model.Field{Name: fmt.Sprintf("Step%d", i), Type: of, Inline: true, Embedded: true}
				if n>>(2*i+1)&1 != 0 {
					step.Type, isIndirect = &model.Type{Kind: model.Pointer, Elem: of}, true
				}
				if n>>(2*i+2)&1 != 0 {
					step.Name, isExported = strings.ToLower(step.Name), false
				}
				of = &model.Type{Kind: model.Struct, Fields: []*model.Field{step}}
			}
			of.Name, of.Package = "Of", home
			if isHidden = isHidden && depth > 0; isHidden {
				of.Fields = append(of.Fields, &model.Field{Name: "Inner", JSONName: "outer", Type: &model.Type{Basic: "string"}})
			}
			for _, at := range []string{home, "example.org/elsewhere"} {
				p := NewMapper(at, converting).Pair(of, of)
				isReached := slices.ContainsFunc(p.Fields, func(f *Field) bool { return f.JSONName == "inner" })
				want := at == home || isExported || !isHidden && !isIndirect
				expect.True(t, isReached == want, "%d embedded structs, %b: code in %s reaches the field %t, want %t", depth, n, at, isReached, want)
				for _, f := range slices.Concat(p.Fields, p.Unrelated) {
					if f.JSONName == "inner" && (f.Target.Indirect() != isIndirect || f.Target.Promoted == isHidden || len(f.Target.Embedded()) != depth) {
						t.Errorf("%d embedded structs, %b: the way is %+v, want indirect %t and hidden %t", depth, n, f.Target, isIndirect, isHidden)
					}
				}
			}
		}
	}
}

// TestDeclarations has types that reflection can't tell of, as they are declared, and the shape of values of
// such a type and of pointers to them.
func TestDeclarations(t *testing.T) {
	declared := func(pkg, name string, of model.Type) *model.Type {
		of.Package, of.Name, of.Local = pkg, name, strings.HasPrefix(pkg, "example.org/")
		return &of
	}
	basic := func(name string) *model.Type { return &model.Type{Name: name, Basic: name} }
	const elsewhere = "example.org/elsewhere"
	field := &model.Field{Name: "Key", JSONName: "key", Type: basic("string")}
	for _, test := range []struct {
		typ            *model.Type
		pointer, whole string
	}{
		{declared("k8s.io/apimachinery/pkg/api/resource", "Quantity", model.Type{Kind: model.Struct, Marshals: true}), "Plain", "Whole"},
		{declared("k8s.io/apimachinery/pkg/api/resource", "Scale", model.Type{Basic: "int32"}), "Plain", "Whole"},
		{declared("k8s.io/apimachinery/pkg/api/resource", "Amount", model.Type{Kind: model.Struct, Marshals: true}), "Plain", "Whole"},
		{declared("example.org/quantities", "Quantity", model.Type{Kind: model.Struct, Marshals: true}), "Plain", "Whole"},
		{declared(elsewhere, "Named", model.Type{Basic: "string"}), "Plain", "Whole"},
		{declared(elsewhere, "unnamed", model.Type{Basic: "string"}), "", "Whole"},
		{declared(home, "unnamed", model.Type{Basic: "string"}), "Plain", "Whole"},
		{declared(elsewhere, "Missing", model.Type{Kind: model.Missing}), "", ""},
		{declared(elsewhere, "Interface", model.Type{Kind: model.Opaque}), "", "Whole"},
		{declared(elsewhere, "Array", model.Type{Kind: model.Slice, Array: true, Elem: basic("string")}), "", "Whole"},
		{declared(elsewhere, "Generic", model.Type{Kind: model.Struct, Generic: true, Fields: []*model.Field{field}}), "", ""},
		{declared(elsewhere, "Pointer", model.Type{Kind: model.Pointer, Elem: basic("string")}), "", "Whole"},
		{&model.Type{Kind: model.Pointer, Elem: declared(elsewhere, "Named", model.Type{Basic: "string"})}, "", "Whole"},
		{&model.Type{Kind: model.Pointer, Elem: declared(elsewhere, "Pointer", model.Type{Kind: model.Pointer, Elem: basic("string")})}, "", "Whole"},
		{&model.Type{Kind: model.Slice, Elem: declared(elsewhere, "Generic", model.Type{Kind: model.Struct, Generic: true})}, "", ""},
		{&model.Type{Kind: model.Slice, Elem: basic("byte")}, "Plain", "Whole"},
		{&model.Type{Kind: model.Slice, Array: true, Elem: basic("string")}, "", "Whole"},
		{&model.Type{Kind: model.Slice, Elem: declared(elsewhere, "Octet", model.Type{Basic: "uint8"})}, "List of Whole", "Whole"},
		{&model.Type{Kind: model.Struct, Fields: []*model.Field{field}}, "", ""},
		{&model.Type{Kind: model.Opaque}, "", ""},
	} {
		converter := NewMapper(home, converting)
		pointer := &model.Type{Kind: model.Pointer, Elem: test.typ}
		expect.Equal(t, test.pointer, describe(converter.Relate(&model.Field{Type: pointer}, &model.Field{Type: test.typ})), "a pointer to %s", test.typ.Name)
		expect.Equal(t, test.whole, describe(converter.Relate(&model.Field{Type: test.typ}, &model.Field{Type: test.typ})), "%s converted", test.typ.Name)
	}
	items := func(name string, fields ...*model.Field) *model.Type {
		item := declared(home, name, model.Type{Kind: model.Struct, Fields: fields})
		item.Local = true
		return &model.Type{Kind: model.Slice, Package: home, Name: name + "s", Local: true, Elem: item, Markers: []model.Marker{{Text: "listType=map"}, {Text: "listMapKey=key"}}}
	}
	plain := items("Plain", field)
	plain.Markers = nil
	keyed := func(of Shape) func(*model.Type, *model.Type) {
		return func(target, source *model.Type) {
			r := NewMapper(home, converting).Relate(&model.Field{Type: target}, &model.Field{Type: source})
			if r == nil || r.Shape != of {
				t.Errorf("%s from %s: %s, want the shape %d", target.Name, source.Name, describe(r), of)
			}
		}
	}
	keyed(Keyed)(items("Target", field), items("Source", field))
	keyed(Keyed)(items("Target", field), plain)
	keyed(Keyed)(plain, items("Source", field))
	// Keys must be the same on both sides.
	for _, other := range []*model.Type{{Kind: model.Slice, Elem: basic("string")}, declared(home, "Inner", model.Type{Kind: model.Struct, Local: true, Fields: []*model.Field{field}})} {
		source := &model.Field{Name: "Key", JSONName: "key", Type: other}
		keyed(List)(items("Target", source), items("Source", source))
	}
	keyed(List)(items("Target", &model.Field{Name: "Key", JSONName: "key", Type: basic("int64")}), items("Source", &model.Field{Name: "Key", JSONName: "key", Type: basic("int32")}))
	keyed(Keyed)(items("Target", &model.Field{Name: "Key", JSONName: "key", Type: basic("int64")}), items("Source", &model.Field{Name: "Key", JSONName: "key", Type: &model.Type{Kind: model.Pointer, Elem: basic("int64")}}))
}

// converting are conversions of fields by their names alone.
var converting = Conversions{
	Markers: func(f *model.Field) []model.Marker { return f.Markers }, Renamed: func(*model.Field, *model.Field) bool { return false },
	Custom: func(*model.Field, *model.Field) bool { return false }, Singleton: func(*model.Field) bool { return false },
}

// TestSameType tells types apart that differ in one thing each.
func TestSameType(t *testing.T) {
	text, number := &model.Type{Name: "string", Basic: "string"}, &model.Type{Name: "int", Basic: "int"}
	list := func(of *model.Type) *model.Type { return &model.Type{Kind: model.Slice, Elem: of} }
	mapOf := func(key, of *model.Type) *model.Type { return &model.Type{Kind: model.Map, Key: key, Elem: of} }
	types := []*model.Type{
		nil, text, number, {Name: "string", Package: "a", Basic: "string"}, {Name: "string", Package: "b", Basic: "string"}, {Name: "other", Package: "a", Basic: "string"},
		list(text), list(number), list(list(text)), {Kind: model.Slice, Array: true, Elem: text}, {Kind: model.Pointer, Elem: text}, {Name: "List", Package: "a", Kind: model.Slice, Elem: text},
		mapOf(text, text), mapOf(number, text), mapOf(text, number), mapOf(text, list(text)), mapOf(nil, text),
	}
	for i, a := range types {
		for j, b := range types {
			expect.True(t, SameType(a, b) == (i == j), "%+v and %+v: the same is %t", a, b, i != j)
		}
	}
	expect.True(t, SameType(mapOf(text, list(text)), mapOf(text, list(text))), "maps that are written the same are not")
}

// TestUnexported has a field that code elsewhere can't name.
func TestUnexported(t *testing.T) {
	of := &model.Type{Kind: model.Struct, Name: "Of", Package: home, Fields: []*model.Field{{Name: "inner", JSONName: "inner", Type: &model.Type{Basic: "string"}}}}
	for _, at := range []string{"example.org/elsewhere", home} {
		p := NewMapper(at, converting).Pair(of, of)
		expect.True(t, (len(p.Fields) == 1) == (at == home) && len(p.Fields)+len(p.Unrelated) == 1, "in %s, %v is reached, and %v isn't", at, p.Fields, p.Unrelated)
	}
}

// TestPairOfItself has types that are part of themselves.
func TestPairOfItself(t *testing.T) {
	d := declarer{}
	p := NewMapper(home, converting).Pair(d.typeOf(reflect.TypeFor[node]()), d.typeOf(reflect.TypeFor[mirroredNode]()))
	expect.True(t, len(p.Fields) == 2 && p.Fields[1].Relation.Pair == p, "the pair has the fields %v, want name and next, which is the pair itself", p.Fields)
}

// TestConversions has types whose values are converted in both directions.
func TestConversions(t *testing.T) {
	keyed := "listType=map listMapKey=key"
	for _, test := range []struct {
		target, source any
		// markers are those of the target, and sourceMarkers those of the source.
		markers, sourceMarkers string
		want                   string
	}{
		{"", "", "", "", "Whole"},
		{"", named(""), "", "", "Plain"},
		{new(string), "", "", "", "Plain"},
		{int64(1), int32(1), "", "", "Number"},
		{uint8(1), int32(1), "", "", "Number"},
		{[]int64{1}, []int32{1}, "", "", "List of Number"},
		{float64(1), float32(1), "", "", ""},
		{float64(1), 1, "", "", ""},
		{true, 1, "", "", ""},
		{item{}, item{}, "", "", "Whole"},
		{item{}, mirroredItem{}, "", "", "Struct"},
		{item{}, other{}, "", "", "Struct"},
		{item{}, nothing{}, "", "", "Struct"},
		{foreign{}, item{}, "", "", ""}, // it encodes itself
		{[]item{}, []mirroredItem{}, keyed, "", "Keyed by key of Struct"},
		{[]item{}, []mirroredItem{}, "", keyed, "Keyed by key of Struct"},
		{map[named]item{}, map[string]mirroredItem{}, "", "", "Map of Struct"},
		{struct{ A string }{}, struct{ A string }{}, "", "", ""},
		{[]struct{ A string }{}, []struct{ A string }{}, "", "", ""},
		{item{}, []mirroredItem{}, "one", "", "One of Struct"},
		{[]string{}, "", "one", "", "One of Whole"},
		{[]string{}, new(string), "one", "", "One of Whole"},
		{[]string{}, []string{}, "one", "", "Whole"},
		{[]string{}, 1, "one", "", ""},
		{[]*string{}, new(string), "one", "", ""},
		{"", 1, "custom", "", "Custom"},
		{any(nil), 1, "custom", "", "Custom"},
		{"", 1, "", "", ""},
		{1, "", "", "", ""},
		{item{}, "", "", "", ""},
		{"", item{}, "", "", ""},
		{[]string{}, map[string]string{}, "", "", ""},
		{map[string]int{}, map[int]int{}, "", "", ""},
		{map[int]int{}, map[int]int8{}, "", "", ""},
		{map[string][]any{}, map[named][]any{}, "", "", ""},
		{map[named]int{}, map[string]int{}, "", "", "Map of Whole"},
		{[]item{}, []item{}, "", "", "Whole"},
		{texts{}, []string{}, "", "", "List of Whole"},
		{[]*string{}, []string{}, "", "", "List of Plain"},
		{bytes{}, []byte{}, "", "", "Plain"},
		{[]byte{}, []int32{}, "", "", "List of Number"},
		{[]int32{}, []byte{}, "", "", "List of Number"},
		{item{}, foreign{}, "", "", ""},
		{item{}, token.Position{}, "", "", "Struct"},
		{token.Position{}, item{}, "", "", "Struct"},
		{token.Position{}, new(token.Position), "", "", "Plain"},
		{url.Values{}, map[string][]string{}, "", "", "Map of Whole"},
		{time.Time{}, token.Position{}, "", "", ""},
		{item{}, []mirroredItem{}, "", "", ""},
		{[]byte{}, uint8(1), "one", "", ""},
		{[1]string{}, "", "one", "", ""},
		{"", []*string{}, "one", "", ""},
		{new(string), []string{}, "one", "", "One of Whole"},
		{[]item{}, []mirroredItem{}, "one", "", "List of Struct"},
		{[]any{}, any(nil), "one", "", ""},
		{[]item{}, []mirroredItem{}, "listType=map listMapKey=state", keyed, "Keyed by key of Struct"},
		{[]item{}, []mirroredItem{}, "listType=map listMapKey=state", "", "List of Struct"},
		{[]item{}, []mirroredItem{}, "", keyed + " listMapKey=state", "List of Struct"},
		{[]item{}, []mirroredItem{}, keyed + " listMapKey=value", "", "Keyed by key by value of Struct"},
		{[]item{}, []mirroredItem{}, keyed + " listMapKey=none", "", "List of Struct"},
		{[]item{}, []mirroredItem{}, "listType=map listMapKey=none listMapKey=key", "", "List of Struct"},
		{[]item{}, []mirroredItem{}, "listType=map", "", "List of Struct"},
		{[]item{}, []mirroredItem{}, "listMapKey=key", "", "List of Struct"},
		{[]item{}, []mirroredItem{}, "listType=atomic " + keyed, "", "List of Struct"},
		{[]item{}, []mirroredItem{}, `k8s:listType="map" k8s:listMapKey="key"`, "", "Keyed by key of Struct"},
		{[]*item{}, []mirroredItem{}, keyed, "", "Keyed by key of Struct"},
		{[]item{}, new([]*mirroredItem), keyed, "", "Keyed by key of Struct"},
		{[]named{}, []string{}, keyed, "", "List of Plain"},
		{[]deep{}, []mirroredDeep{}, "listType=map listMapKey=labels", "", "List of Struct"},
		{nothing{}, nothingElse{}, "", "", "Empty"},
		{node{}, mirroredNode{}, "", "", "Struct"},
	} {
		d := declarer{}
		field := func(value any, text string) *model.Field {
			f := &model.Field{Type: &model.Type{Kind: model.Opaque}}
			if value != nil {
				f.Type = d.typeOf(reflect.TypeOf(value))
			}
			for text := range strings.FieldsSeq(text) {
				f.Markers = append(f.Markers, model.Marker{Text: text})
			}
			return f
		}
		has := func(text string) func(*model.Field) bool {
			return func(f *model.Field) bool { return len(f.Markers) > 0 && f.Markers[0].Text == text }
		}
		asked := converting
		asked.Custom, asked.Singleton = func(f, _ *model.Field) bool { return has("custom")(f) }, has("one")
		target, source := field(test.target, test.markers), field(test.source, test.sourceMarkers)
		r := NewMapper(home, asked).Relate(target, source)
		expect.Equal(t, test.want, describe(r), "%T from %T %s", test.target, test.source, test.markers)
		expect.True(t, r == nil || r.Target == target.Type && r.Source == source.Type, "%T from %T %s: the relation has other types", test.target, test.source, test.markers)
	}
}

// TestRenamed has a field that has another name in the source, unless the source or the target
// has one of either name.
func TestRenamed(t *testing.T) {
	type old struct {
		Size string `json:"size"`
	}
	type both struct {
		Size   string `json:"size"`
		Volume string `json:"volume"`
	}
	type back struct {
		Volume string `json:"volume"`
		Size   string `json:"size"`
	}
	type renamed struct {
		Volume string `json:"volume"`
	}
	for _, test := range []struct {
		target, source any
		want           string
	}{
		{renamed{}, old{}, "volume from size; ; "},
		{renamed{}, both{}, "volume from volume; ; size"},
		{both{}, old{}, "size from size; volume; "},
		{back{}, old{}, "size from size; volume; "},
		{renamed{}, other{}, "; volume; elsewhere"},
	} {
		d := declarer{}
		asked := converting
		asked.Renamed = func(to, from *model.Field) bool { return to.JSONName == "volume" && from.JSONName == "size" }
		p := NewMapper(home, asked).Pair(d.typeOf(reflect.TypeOf(test.target)), d.typeOf(reflect.TypeOf(test.source)))
		var fields []string
		for _, f := range p.Fields {
			fields = append(fields, f.JSONName+" from "+f.Source.Field().JSONName)
		}
		expect.Equal(t, test.want, strings.Join(fields, ", ")+"; "+names(p.TargetOnly)+"; "+names(p.SourceOnly), "%T from %T", test.target, test.source)
	}
}

func targets(fields []*Field) []model.Access {
	var all []model.Access
	for _, f := range fields {
		all = append(all, f.Target)
	}
	return all
}

func names(fields []model.Access) string {
	var all []string
	for _, a := range fields {
		all = append(all, a.Field().JSONName)
	}
	return strings.Join(all, ", ")
}

// A shapeAndKeys is how a list is converted.
type shapeAndKeys struct {
	shape Shape
	keys  string
}

// TestKeyRenamed has the items of lists be told apart by a key that has another name in the source, where
// the source alone says which it is.
func TestKeyRenamed(t *testing.T) {
	type oldItem struct {
		ID   string `json:"id"`
		Size string `json:"size"`
	}
	type newItem struct {
		Name string `json:"name"`
		Size string `json:"size"`
	}
	asked := converting
	asked.Renamed = func(to, from *model.Field) bool { return to.JSONName == "name" && from.JSONName == "id" }
	for key, want := range map[string]shapeAndKeys{"id": {Keyed, "name from id"}, "name": {List, ""}} {
		d := declarer{}
		target := &model.Field{Type: d.typeOf(reflect.TypeFor[[]newItem]())}
		source := &model.Field{Type: d.typeOf(reflect.TypeFor[[]oldItem]()), Markers: []model.Marker{{Text: "listType=map"}, {Text: "listMapKey=" + key}}}
		r := NewMapper(home, asked).Relate(target, source)
		got := shapeAndKeys{shape: r.Shape}
		for _, k := range r.Keys {
			got.keys += k.JSONName + " from " + k.Source.Field().JSONName
		}
		expect.Equal(t, want, got, "the key %s", key)
	}
}

// TestIndirect has pointers to embedded structs be what makes an access indirect, not the field's own.
func TestIndirect(t *testing.T) {
	value, pointer := &model.Field{Type: &model.Type{Kind: model.Struct}}, &model.Field{Type: &model.Type{Kind: model.Pointer}}
	for _, test := range []struct {
		path []*model.Field
		want bool
	}{{[]*model.Field{pointer}, false}, {[]*model.Field{value, pointer}, false}, {[]*model.Field{pointer, value}, true}, {[]*model.Field{value, pointer, value}, true}} {
		expect.Equal(t, test.want, (model.Access{Path: test.path}).Indirect(), "%d fields", len(test.path))
	}
}

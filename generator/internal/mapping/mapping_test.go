package mapping

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/model"
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
	_, m.Marshals = t.MethodByName("MarshalJSON")
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

func (foreign) MarshalJSON() ([]byte, error) { return nil, nil }

// TestRelations has pairs of types, and what they have in common.
func TestRelations(t *testing.T) {
	const keyed = "listType=map listMapKey=key"
	for _, test := range []struct {
		target, source any
		markers        string
		want           string
	}{
		{"", "", "", "Scalar Convert"},
		{"", named(""), "", "Scalar Convert"},
		{new(string), "", "", "Scalar Convert"},
		{"", 1, "", ""},
		{int32(1), int64(1), "", ""},
		{[]byte{}, []byte{}, "", "Binary Clone"},
		{foreign{}, foreign{}, "", "Opaque Copy"},
		{foreign{}, item{}, "", ""},
		{nothing{}, nothingElse{}, "", "Empty Make"},
		{item{}, mirroredItem{}, "", "Struct FieldByField"},
		{item{}, other{}, "", ""},
		{item{}, "", "", ""},
		{node{}, mirroredNode{}, "", "Struct FieldByField"},
		{[]string{}, []string{}, "", "List Clone of Scalar Convert"},
		{[]named{}, []string{}, "", "List ItemByItem of Scalar Convert"},
		{[]*string{}, []string{}, "", "List ItemByItem of Scalar Convert"},
		{[]string{}, []int{}, "", ""},
		{[]string{}, []string{}, "listType=set", "Set Clone of Scalar Convert"},
		{[]string{}, []string{}, `k8s:listType="set"`, "Set Clone of Scalar Convert"},
		{[]string{}, []string{}, "listType=atomic listType=set", "List Clone of Scalar Convert"},
		{[]item{}, []mirroredItem{}, keyed, "Keyed by key ItemByItem of Struct FieldByField"},
		{[]item{}, []mirroredItem{}, "listType=map listMapKey=state", "List ItemByItem of Struct FieldByField"},
		{[]string{}, []string{}, keyed, "List Clone of Scalar Convert"},
		{map[string]int{}, map[string]int{}, "", "Map Clone of Scalar Convert"},
		{map[named]int{}, map[string]int{}, "", "Map EntryByEntry of Scalar Convert"},
		{map[string]item{}, map[string]mirroredItem{}, "", "Map EntryByEntry of Struct FieldByField"},
		{map[int]string{}, map[int]string{}, "", ""},
		{[2]string{}, [2]string{}, "", ""},
		{new(*string), "", "", ""},
		{[]any{}, []any{}, "", ""},
	} {
		d := declarer{}
		var list []model.Marker
		for text := range strings.FieldsSeq(test.markers) {
			list = append(list, model.Marker{Text: text})
		}
		m := NewMapper(home, func(*model.Field) bool { return false })
		got := describe(m.relate(d.typeOf(reflect.TypeOf(test.target)), d.typeOf(reflect.TypeOf(test.source)), list, nil))
		if got != test.want {
			t.Errorf("%T from %T %s: %q, want %q", test.target, test.source, test.markers, got, test.want)
		}
	}
}

// describe returns a relation as text, "" if there is none.
func describe(r *Relation) string {
	if r == nil {
		return ""
	}
	text := []string{"Scalar", "Binary", "Quantity", "Opaque", "Empty", "Struct", "List", "Set", "Keyed", "Map", "Whole", "Number", "One", "Custom"}[r.Shape]
	for _, key := range r.Keys {
		text += " by " + key.JSONName
	}
	text += " " + []string{"Convert", "Clone", "Copy", "Make", "FieldByField", "ItemByItem", "EntryByEntry"}[r.Way()]
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
		Secret   string `json:"secret"`
		Differs  string `json:"differs"`
		Ignored  string `json:"-"`
		Embedded `json:",inline"`
	}
	type source struct {
		*Embedded `json:",inline"`
		Secret    string `json:"secret"`
		Extra     string `json:"extra"`
		Differs   int    `json:"differs"`
		Name      string `json:"name"`
		Ignored   string `json:"-"`
	}
	d := declarer{}
	m := NewMapper(home, func(f *model.Field) bool { return f.Name == "Secret" })
	p := m.Pair(d.typeOf(reflect.TypeFor[target]()), d.typeOf(reflect.TypeFor[source]()))
	var both []string
	for _, f := range p.Fields {
		both = append(both, fmt.Sprintf("%s %t=%t", f.JSONName, f.Target.Indirect(), f.Source.Indirect()))
	}
	for _, test := range []struct{ what, got, want string }{
		{"fields", strings.Join(both, ", "), "name false=false, inner false=true"},
		{"fields of the target only", names(p.TargetOnly), "lone"},
		{"fields of the source only", names(p.SourceOnly), "extra"},
		{"excluded fields", names(p.Excluded), "secret"},
		{"unrelated fields", names(targets(p.Unrelated)), "differs"},
	} {
		if test.got != test.want {
			t.Errorf("%s are %s, want %s", test.what, test.got, test.want)
		}
	}
	if again := m.Pair(p.Target, p.Source); again != p {
		t.Error("the pair was made twice")
	}
}

// TestPairElsewhere has code in another package, which reaches what is exported only.
func TestPairElsewhere(t *testing.T) {
	type hidden struct {
		Visible string `json:"visible"`
		named   `json:"named"`
	}
	d := declarer{}
	of := d.typeOf(reflect.TypeFor[hidden]())
	p := NewMapper("example.org/elsewhere", func(*model.Field) bool { return false }).Pair(of, of)
	if len(p.Fields) != 1 || p.Fields[0].JSONName != "visible" || names(targets(p.Unrelated)) != "named" {
		t.Errorf("the pair has %d fields and lacks %s, want visible alone", len(p.Fields), names(targets(p.Unrelated)))
	}
}

// TestPairOfItself has types that are part of themselves.
func TestPairOfItself(t *testing.T) {
	d := declarer{}
	p := NewMapper(home, func(*model.Field) bool { return false }).Pair(d.typeOf(reflect.TypeFor[node]()), d.typeOf(reflect.TypeFor[mirroredNode]()))
	if len(p.Fields) != 2 || p.Fields[1].Relation.Pair != p {
		t.Errorf("the pair has the fields %v, want name and next, which is the pair itself", p.Fields)
	}
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
		{"", "", "", "", "Whole Copy"},
		{"", named(""), "", "", "Scalar Convert"},
		{new(string), "", "", "", "Scalar Convert"},
		{int64(1), int32(1), "", "", "Number Convert"},
		{uint8(1), int32(1), "", "", "Number Convert"},
		{[]int64{1}, []int32{1}, "", "", "List ItemByItem of Number Convert"},
		{float64(1), float32(1), "", "", ""},
		{float64(1), 1, "", "", ""},
		{true, 1, "", "", ""},
		{item{}, item{}, "", "", "Whole Copy"},
		{item{}, mirroredItem{}, "", "", "Struct FieldByField"},
		{item{}, other{}, "", "", "Struct FieldByField"},
		{item{}, nothing{}, "", "", "Struct FieldByField"},
		{foreign{}, item{}, "", "", ""}, // it encodes itself
		{[]item{}, []mirroredItem{}, keyed, "", "Keyed by key ItemByItem of Struct FieldByField"},
		{[]item{}, []mirroredItem{}, "", keyed, "Keyed by key ItemByItem of Struct FieldByField"},
		{map[named]item{}, map[string]mirroredItem{}, "", "", "Map EntryByEntry of Struct FieldByField"},
		{struct{ A string }{}, struct{ A string }{}, "", "", ""},
		{[]struct{ A string }{}, []struct{ A string }{}, "", "", ""},
		{item{}, []mirroredItem{}, "one", "", "One Convert of Struct FieldByField"},
		{[]string{}, "", "one", "", "One Convert of Whole Copy"},
		{[]string{}, new(string), "one", "", "One Convert of Whole Copy"},
		{[]string{}, []string{}, "one", "", "Whole Copy"},
		{[]string{}, 1, "one", "", ""},
		{[]*string{}, new(string), "one", "", ""},
		{"", 1, "custom", "", "Custom Convert"},
		{any(nil), 1, "custom", "", "Custom Convert"},
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
		m := NewConverter(home, Conversions{Renamed: func(_, _ *model.Field) bool { return false }, Custom: func(f, _ *model.Field) bool { return has("custom")(f) }, Singleton: has("one"), Markers: func(f *model.Field) []model.Marker { return f.Markers }})
		if got := describe(m.Relate(field(test.target, test.markers), field(test.source, test.sourceMarkers))); got != test.want {
			t.Errorf("%T from %T %s: %q, want %q", test.target, test.source, test.markers, got, test.want)
		}
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
	} {
		d := declarer{}
		m := NewConverter(home, Conversions{
			Markers:   func(f *model.Field) []model.Marker { return f.Markers },
			Renamed:   func(to, from *model.Field) bool { return to.JSONName == "volume" && from.JSONName == "size" },
			Custom:    func(*model.Field, *model.Field) bool { return false },
			Singleton: func(*model.Field) bool { return false },
		})
		p := m.Pair(d.typeOf(reflect.TypeOf(test.target)), d.typeOf(reflect.TypeOf(test.source)))
		var fields []string
		for _, f := range p.Fields {
			fields = append(fields, f.JSONName+" from "+f.Source.Field().JSONName)
		}
		if got := strings.Join(fields, ", ") + "; " + names(p.TargetOnly) + "; " + names(p.SourceOnly); got != test.want {
			t.Errorf("%T from %T: %s, want %s", test.target, test.source, got, test.want)
		}
	}
}

func targets(fields []*Field) []Access {
	var all []Access
	for _, f := range fields {
		all = append(all, f.Target)
	}
	return all
}

func names(fields []Access) string {
	var all []string
	for _, a := range fields {
		all = append(all, a.Field().JSONName)
	}
	return strings.Join(all, ", ")
}

package mapping

import (
	"encoding/json"
	"go/token"
	"html/template"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

type (
	Renamed      named
	integer      int
	texts        []string
	bytes        []byte
	labels       map[string]string
	namedPointer *string
	entries      map[named]item
	deep         struct {
		Items   []item            `json:"items"`
		ByName  map[string]item   `json:"byName"`
		Matrix  [][]string        `json:"matrix"`
		Labels  map[string]string `json:"labels"`
		Pointer *[]string         `json:"pointer"`
		Same    *item             `json:"same"`
		When    *time.Time        `json:"when"`
		Lone    string            `json:"lone"`
	}
	mirroredDeep struct {
		Items   []mirroredItem           `json:"items"`
		ByName  map[string]*mirroredItem `json:"byName"`
		Matrix  [][]named                `json:"matrix"`
		Labels  labels                   `json:"labels"`
		Pointer []string                 `json:"pointer"`
		Same    item                     `json:"same"`
		When    time.Time                `json:"when"`
		Extra   *string                  `json:"extra"`
	}
	Shadowed struct {
		Inner string `json:"inner"`
		Outer string `json:"outer"`
	}
	// embedding hides a field of what it embeds, and has the other one by a pointer.
	embedding struct {
		*Shadowed `json:",inline"`
		Inner     string `json:"inner"`
	}
	// twice embeds a struct in one that it embeds, and by itself, which is what counts.
	Holder struct {
		Shadowed `json:",inline"`
	}
	twice struct {
		Holder   `json:",inline"`
		Shadowed `json:",inline"`
	}
	twiceAgain struct {
		Shadowed `json:",inline"`
		Holder   `json:",inline"`
	}
	Repeated struct {
		*Repeated `json:",inline"`
		Inner     string `json:"inner"`
		Outer     string `json:"outer"`
	}
)

// shapes are types, each of which is paired with each.
var shapes = []reflect.Type{
	reflect.TypeFor[string](), reflect.TypeFor[named](), reflect.TypeFor[Renamed](), reflect.TypeFor[template.HTML](),
	reflect.TypeFor[int](), reflect.TypeFor[integer](), reflect.TypeFor[int32](), reflect.TypeFor[uint8](), reflect.TypeFor[time.Duration](),
	reflect.TypeFor[float64](), reflect.TypeFor[bool](),
	reflect.TypeFor[[]byte](), reflect.TypeFor[bytes](), reflect.TypeFor[[]int](), reflect.TypeFor[[]string](), reflect.TypeFor[texts](), reflect.TypeFor[[]named](),
	reflect.TypeFor[[]*string](), reflect.TypeFor[[]**string](), reflect.TypeFor[[][]string](), reflect.TypeFor[[]texts](), reflect.TypeFor[[][]byte](), reflect.TypeFor[[2]string](),
	reflect.TypeFor[[2]byte](), reflect.TypeFor[[]any](), reflect.TypeFor[[]item](), reflect.TypeFor[[]mirroredItem](), reflect.TypeFor[[]*item](), reflect.TypeFor[[]foreign](),
	reflect.TypeFor[map[string]string](), reflect.TypeFor[labels](), reflect.TypeFor[map[named]string](), reflect.TypeFor[map[string]named](),
	reflect.TypeFor[map[int]string](), reflect.TypeFor[map[template.HTML]string](), reflect.TypeFor[map[string]*string](), reflect.TypeFor[map[string][]string](),
	reflect.TypeFor[map[string]any](), reflect.TypeFor[map[string]item](), reflect.TypeFor[map[string]mirroredItem](), reflect.TypeFor[entries](), reflect.TypeFor[map[string]foreign](),
	reflect.TypeFor[url.Values](), reflect.TypeFor[http.Header](), reflect.TypeFor[url.URL](), reflect.TypeFor[token.Position](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[foreign](), reflect.TypeFor[nothing](), reflect.TypeFor[nothingElse](),
	reflect.TypeFor[item](), reflect.TypeFor[mirroredItem](), reflect.TypeFor[other](), reflect.TypeFor[node](), reflect.TypeFor[mirroredNode](),
	reflect.TypeFor[deep](), reflect.TypeFor[mirroredDeep](), reflect.TypeFor[embedding](), reflect.TypeFor[Shadowed](), reflect.TypeFor[Repeated](), reflect.TypeFor[twice](), reflect.TypeFor[twiceAgain](),
	reflect.TypeFor[any](), reflect.TypeFor[struct {
		Key string `json:"key"`
	}](),
	reflect.TypeFor[*string](), reflect.TypeFor[**string](), reflect.TypeFor[namedPointer](), reflect.TypeFor[*int](), reflect.TypeFor[*[]string](),
	reflect.TypeFor[*map[string]string](), reflect.TypeFor[*item](), reflect.TypeFor[*node](), reflect.TypeFor[*time.Time](), reflect.TypeFor[*nothing](),
}

// TestEveryPair has every type correspond to every other one, or not, as their JSON says. A value
// that is converted the way that the relation says is what encoding/json makes of it.
func TestEveryPair(t *testing.T) {
	related := 0
	for _, target := range shapes {
		for _, source := range shapes {
			d := declarer{}
			r := NewMapper(home, converting).relate(d.typeOf(target), d.typeOf(source), nil, nil)
			want := corresponds(target, source)
			expect.True(t, (r != nil) == want, "%s from %s: corresponds %t, want %t", target, source, r != nil, want)
			if r == nil {
				continue
			}
			related++
			isBytes := func(of reflect.Type) bool { return of.Kind() == reflect.Slice && of.Elem().Kind() == reflect.Uint8 }
			if isBytes(target) != isBytes(source) {
				continue // JSON has a text on one side, and numbers on the other
			}
			for size := range 3 {
				value := sampleOf(source, size, 3)
				want := reflect.New(target)
				decode(t, encode(t, value), want.Interface())
				got := reflect.New(target)
				copyBy(t, r, got.Elem(), value)
				expect.Equal(t, encode(t, want.Elem()), encode(t, got.Elem()), "%s from %s", target, source)
			}
		}
	}
	expect.True(t, related >= 200, "%d pairs correspond, want at least 200", related)
}

// corresponds says by reflection whether two types correspond: they are the same, or have the same form in JSON, apart
// from fields that one of them lacks, and code that names them can convert values.
func corresponds(target, source reflect.Type) bool {
	leaf := target
	for leaf.Name() == "" && (leaf.Kind() == reflect.Pointer || leaf.Kind() == reflect.Slice || leaf.Kind() == reflect.Array || leaf.Kind() == reflect.Map) {
		leaf = leaf.Elem()
	}
	t, s := target, source
	if t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	if s.Kind() == reflect.Pointer && s.Name() == "" {
		s = s.Elem()
	}
	if target == source && leaf.Name() != "" {
		return true
	}
	for _, x := range []reflect.Type{t, s} {
		switch {
		case x.Kind() == reflect.Pointer, x.Kind() == reflect.Array, x.Kind() == reflect.Interface, x.Kind() == reflect.Struct && x.Name() == "":
			return false
		}
		if _, marshals := x.MethodByName("MarshalJSON"); marshals {
			return t == s
		}
	}
	isInteger := func(kind reflect.Kind) bool { return kind >= reflect.Int && kind <= reflect.Uint64 }
	if t.Kind() != s.Kind() {
		return isInteger(t.Kind()) && isInteger(s.Kind())
	}
	switch t.Kind() {
	case reflect.Slice:
		return corresponds(t.Elem(), s.Elem())
	case reflect.Map:
		return t.Key().Kind() == reflect.String && s.Key().Kind() == reflect.String && corresponds(t.Elem(), s.Elem())
	}
	return true
}

// copyBy copies a value in the way that a relation says, by reflection. As in Go, what can't be
// converted is no code.
func copyBy(t *testing.T, r *Relation, into, from reflect.Value) {
	t.Helper()
	if (r.Source.Kind == model.Pointer) != (from.Kind() == reflect.Pointer) || (r.Target.Kind == model.Pointer) != (into.Kind() == reflect.Pointer) {
		t.Fatalf("the relation is one of %v and %v, not of %s and %s", r.Target, r.Source, into.Type(), from.Type())
	}
	if from.Kind() == reflect.Pointer {
		if from.IsNil() {
			return
		}
		from = from.Elem()
	}
	if (from.Kind() == reflect.Slice || from.Kind() == reflect.Map) && from.IsNil() {
		if into.Kind() == reflect.Pointer {
			return // as JSON has it
		}
		into.SetZero()
		return
	}
	if into.Kind() == reflect.Pointer {
		into.Set(reflect.New(into.Type().Elem()))
		into = into.Elem()
	}
	switch r.Shape {
	case Whole:
		into.Set(from)
	case Plain, Number:
		into.Set(from.Convert(into.Type()))
	case Struct:
		for _, f := range r.Pair.Fields {
			value := from
			for _, step := range f.Source.Path {
				if value.Kind() == reflect.Pointer {
					if value.IsNil() {
						break
					}
					value = value.Elem()
				}
				value = value.FieldByName(step.Name)
			}
			if value.Kind() == reflect.Pointer && value.IsNil() {
				continue
			}
			place := into
			for _, step := range f.Target.Path {
				if place.Kind() == reflect.Pointer {
					if place.IsNil() {
						place.Set(reflect.New(place.Type().Elem()))
					}
					place = place.Elem()
				}
				place = place.FieldByName(step.Name)
			}
			copyBy(t, f.Relation, place, value)
		}
	case List:
		into.Set(reflect.MakeSlice(into.Type(), from.Len(), from.Len()))
		for i := range from.Len() {
			copyBy(t, r.Item, into.Index(i), from.Index(i))
		}
	case Map:
		into.Set(reflect.MakeMap(into.Type()))
		for _, key := range from.MapKeys() {
			entry := reflect.New(into.Type().Elem()).Elem()
			copyBy(t, r.Item, entry, from.MapIndex(key))
			into.SetMapIndex(key.Convert(into.Type().Key()), entry)
		}
	}
}

// sampleOf returns a value of a type, with so many items in each list and map, down to a depth.
func sampleOf(t reflect.Type, size, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.String:
		v.SetString("text")
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint8:
		v.SetUint(7)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		if size > 0 && depth > 0 {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(sampleOf(t.Elem(), size, depth-1))
		}
	case reflect.Slice:
		if depth > 0 {
			v.Set(reflect.MakeSlice(t, size, size+1))
			for i := range size {
				v.Index(i).Set(sampleOf(t.Elem(), size, depth-1))
			}
		}
	case reflect.Map:
		if depth > 0 {
			v.Set(reflect.MakeMap(t))
			for i := range size {
				key := reflect.ValueOf(i)
				if t.Key().Kind() == reflect.String {
					key = reflect.ValueOf(strings.Repeat("k", i+1))
				}
				v.SetMapIndex(key.Convert(t.Key()), sampleOf(t.Elem(), size, depth-1))
			}
		}
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(int64(size), 0).UTC()))
		} else if t.PkgPath() == home {
			for i := range t.NumField() {
				v.Field(i).Set(sampleOf(t.Field(i).Type, size, depth))
			}
		}
	}
	return v
}

func encode(t *testing.T, v reflect.Value) string {
	t.Helper()
	if v.Type() == reflect.TypeFor[foreign]() {
		return "{}"
	}
	text, err := json.Marshal(v.Interface())
	if err != nil {
		t.Fatalf("%s: %v", v.Type(), err)
	}
	return string(text)
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	err := json.Unmarshal([]byte(text), into)
	expect.Must(t, err == nil, "%T of %s: %v", into, text, err)
}

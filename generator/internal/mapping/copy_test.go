package mapping

import (
	"encoding/json"
	"go/token"
	"html/template"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrgen-io/mrgen/generator/internal/model"
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
// that is copied the way that the relation says is what encoding/json makes of it, and shares
// nothing with its source.
func TestEveryPair(t *testing.T) {
	related := 0
	for _, target := range shapes {
		for _, source := range shapes {
			d := declarer{}
			r := NewMapper(home).relate(d.typeOf(target), d.typeOf(source), nil, nil)
			if want := corresponds(target, source, nil); (r != nil) != want {
				t.Errorf("%s from %s: corresponds %t, want %t", target, source, r != nil, want)
			}
			if r == nil {
				continue
			}
			related++
			for size := range 3 {
				value := sampleOf(source, size, 3)
				want := reflect.New(target)
				decode(t, encode(t, value), want.Interface())
				got := reflect.New(target)
				copyBy(t, r, got.Elem(), value)
				if text := encode(t, want.Elem()); encode(t, got.Elem()) != text {
					t.Errorf("%s from %s: %s, want %s", target, source, encode(t, got.Elem()), text)
				}
				before := encode(t, got.Elem())
				scramble(value)
				if after := encode(t, got.Elem()); after != before {
					t.Errorf("%s from %s: shares memory with its source: was %s, and is %s", target, source, before, after)
				}
			}
		}
	}
	if related < 200 {
		t.Errorf("%d pairs correspond, want at least 200", related)
	}
}

// corresponds says by reflection whether two types correspond: they have the same form in JSON, and
// code that names them can copy values of one to the other.
func corresponds(target, source reflect.Type, open []reflect.Type) bool {
	t, s := target, source
	if t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	if s.Kind() == reflect.Pointer && s.Name() == "" {
		s = s.Elem()
	}
	for _, x := range []reflect.Type{t, s} {
		if x.Kind() == reflect.Pointer || x.Kind() == reflect.Array || x.Kind() == reflect.Interface {
			return false
		}
		_, marshals := x.MethodByName("MarshalJSON")
		isForeign := x.Name() != "" && x.PkgPath() != "" && x.PkgPath() != home
		if marshals || isForeign && x.Kind() != reflect.String && x.Kind() != reflect.Int64 {
			return t == s
		}
	}
	if t.Kind() != s.Kind() {
		return false
	}
	switch t.Kind() {
	case reflect.Slice:
		return corresponds(t.Elem(), s.Elem(), open)
	case reflect.Map:
		return t.Key().Kind() == reflect.String && s.Key().Kind() == reflect.String && corresponds(t.Elem(), s.Elem(), open)
	case reflect.Struct:
		if slices.Contains(open, t) || t == s {
			return true
		}
		open = append(open, t)
		to, from := visible(t), visible(s)
		common := len(to) == 0 && len(from) == 0
		for name, f := range to {
			g, both := from[name]
			common = common || both && corresponds(f, g, open)
		}
		return common
	}
	return true
}

// visible returns the types of the fields that encoding/json sees, by name.
func visible(t reflect.Type) map[string]reflect.Type {
	seen := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		name := strings.TrimSuffix(f.Tag.Get("json"), ",inline")
		if _, hidden := seen[name]; name != "" && !hidden {
			seen[name] = f.Type
		}
	}
	return seen
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
	switch r.Way() {
	case Convert:
		if into.Kind() != from.Kind() {
			t.Fatalf("%s is made of %s", into.Type(), from.Type())
		}
		into.Set(from.Convert(into.Type()))
	case Clone:
		shallow := reflect.MakeSlice(reflect.SliceOf(reflect.TypeFor[int]()), 0, 0)
		if from.Kind() == reflect.Slice {
			shallow = reflect.MakeSlice(from.Type(), from.Len(), from.Len())
			reflect.Copy(shallow, from)
		} else {
			shallow = reflect.MakeMap(from.Type())
			for _, key := range from.MapKeys() {
				shallow.SetMapIndex(key, from.MapIndex(key))
			}
		}
		into.Set(shallow.Convert(into.Type()))
	case Copy:
		if into.Type() != from.Type() {
			t.Fatalf("%s is copied as %s", from.Type(), into.Type())
		}
		decode(t, encode(t, from), into.Addr().Interface())
	case Make:
	case FieldByField:
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
	case ItemByItem:
		into.Set(reflect.MakeSlice(into.Type(), from.Len(), from.Len()))
		for i := range from.Len() {
			copyBy(t, r.Item, into.Index(i), from.Index(i))
		}
	case EntryByEntry:
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
				v.SetMapIndex(reflect.ValueOf(strings.Repeat("k", i+1)).Convert(t.Key()), sampleOf(t.Elem(), size, depth-1))
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

// scramble changes what is below a value, in place.
func scramble(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			scramble(v.Elem())
			v.Elem().SetZero()
		}
	case reflect.Slice:
		for i := range v.Len() {
			scramble(v.Index(i))
			v.Index(i).SetZero()
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			scramble(v.MapIndex(key))
			v.SetMapIndex(key, reflect.Value{})
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				scramble(v.Field(i))
			}
		}
	}
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
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%T of %s: %v", into, text, err)
	}
}

package schema_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestEveryKeyword holds that the table has a row for each field of the API server's struct: a keyword that a new
// release of Kubernetes adds fails it.
func TestEveryKeyword(t *testing.T) {
	var fields, rows []string
	for field := range reflect.TypeFor[schema.Props]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		fields = append(fields, name)
	}
	for _, k := range schema.Keywords {
		rows = append(rows, k.Name)
		expect.True(t, k.Role != 0, "%s has no role", k.Name)
	}
	slices.Sort(fields)
	slices.Sort(rows)
	diff := cmp.Diff(fields, rows)
	expect.True(t, diff == "", "(-API server +keywords):\n%s", diff)
}

// random makes schemas with any keywords, by reflection. Each has an ID of its own.
type random struct {
	*rand.Rand
	ids []string
}

func (r *random) schema(depth int) *schema.Props {
	s := &schema.Props{}
	for _, v := range reflect.ValueOf(s).Elem().Fields() {
		if depth > 0 && r.IntN(3) == 0 {
			r.fill(v, depth)
		}
	}
	s.ID = strconv.Itoa(len(r.ids))
	r.ids = append(r.ids, s.ID)
	return s
}

func (r *random) fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("a")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64:
		v.SetInt(1)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.Uint8:
		v.SetUint('1')
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.fill(v.Elem(), depth)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		r.fill(v.Index(0), depth)
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		r.fill(value, depth)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("a"), value)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[schema.Props]() {
			v.Set(reflect.ValueOf(*r.schema(depth - 1)))
			return
		}
		for _, inner := range v.Fields() {
			r.fill(inner, depth)
		}
	}
}

// TestEach holds that each schema in a schema is visited once, in any keyword that holds some, and can be changed.
func TestEach(t *testing.T) {
	var all func(s *schema.Props, visit func(*schema.Props))
	all = func(s *schema.Props, visit func(*schema.Props)) {
		visit(s)
		schema.Each(s, func(_ schema.Step, below *schema.Props) bool {
			all(below, visit)
			return true
		})
	}
	for seed := range uint64(200) {
		r := &random{Rand: rand.New(rand.NewPCG(seed, 0))}
		s := r.schema(3)
		var visited []string
		all(s, func(s *schema.Props) { visited, s.ID = append(visited, s.ID), "changed" })
		slices.Sort(visited)
		slices.Sort(r.ids)
		diff := cmp.Diff(r.ids, visited)
		expect.Must(t, diff == "", "seed %d: (-all +visited):\n%s", seed, diff)
		all(s, func(s *schema.Props) {
			expect.True(t, s.ID == "changed", "seed %d: schema %s isn't changed", seed, s.ID)
		})
	}
}

// TestRoles holds which keywords encoding/json writes once others were removed, or copied from another schema.
func TestRoles(t *testing.T) {
	written := func(s *schema.Props) map[string]json.RawMessage {
		keywords := map[string]json.RawMessage{}
		text, err := json.Marshal(s)
		expect.Must(t, err == nil && json.Unmarshal(text, &keywords) == nil, "%v", err)
		return keywords
	}
	for seed := range uint64(200) {
		r := &random{Rand: rand.New(rand.NewPCG(seed, 1))}
		s, other, roles := r.schema(2), r.schema(2), schema.Role(r.IntN(256))
		kept, filled := new(*s), new(*s)
		schema.Keep(kept, roles)
		schema.Fill(filled, other, roles)
		all, others := written(s), written(other)
		wantKept, wantFilled := map[string]json.RawMessage{}, written(s)
		for _, k := range schema.Keywords {
			if k.Role&roles == 0 {
				continue
			}
			if value, ok := all[k.Name]; ok {
				wantKept[k.Name] = value
			} else if value, ok := others[k.Name]; ok {
				wantFilled[k.Name] = value
			}
		}
		diff := cmp.Diff(wantKept, written(kept))
		expect.Must(t, diff == "" && schema.Has(s, roles) == (len(wantKept) > 0), "seed %d: kept (-want +got):\n%s", seed, diff)
		diff = cmp.Diff(wantFilled, written(filled))
		expect.Must(t, diff == "", "seed %d: filled (-want +got):\n%s", seed, diff)
	}
}

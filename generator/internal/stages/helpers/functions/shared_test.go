package functions

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	v1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// Three versions of a kind, each of which may be the one that is stored. Each has fields that
// another one lacks, and that two have.
type (
	first struct {
		v1.TypeMeta   `json:",inline"`
		v1.ObjectMeta `json:"metadata,omitempty"`

		All   string      `json:"all,omitempty"`
		Count int32       `json:"count"`
		Rules []firstRule `json:"rules,omitempty"`
		One   *bool       `json:"one,omitempty"`
		Left  []string    `json:"left,omitempty"`
	}
	second struct {
		v1.TypeMeta   `json:",inline"`
		v1.ObjectMeta `json:"metadata,omitempty"`

		All   string                `json:"all,omitempty"`
		Count int64                 `json:"count"`
		Rules []secondRule          `json:"rules,omitempty"`
		Two   *int64                `json:"two,omitempty"`
		Left  []string              `json:"left,omitempty"`
		Both  *string               `json:"both,omitempty"`
		Many  map[string]*int64     `json:"many,omitempty"`
		Inner *secondInner          `json:"inner,omitempty"`
		Each  map[string]secondRule `json:"each,omitempty"`
	}
	third struct {
		v1.TypeMeta   `json:",inline"`
		v1.ObjectMeta `json:"metadata,omitempty"`

		All   string               `json:"all,omitempty"`
		Count int64                `json:"count"`
		Rules []thirdRule          `json:"rules,omitempty"`
		Three []int64              `json:"three,omitempty"`
		Both  *string              `json:"both,omitempty"`
		Many  map[string]*int64    `json:"many,omitempty"`
		Inner *thirdInner          `json:"inner,omitempty"`
		Each  map[string]thirdRule `json:"each,omitempty"`
	}
	firstRule struct {
		Key string `json:"key"`
	}
	secondRule struct {
		Key  string  `json:"key"`
		Two  *string `json:"two,omitempty"`
		Both *int64  `json:"both,omitempty"`
	}
	thirdRule struct {
		Key   string `json:"key"`
		Three *bool  `json:"three,omitempty"`
		Both  *int64 `json:"both,omitempty"`
	}
	secondInner struct {
		Both *int64 `json:"both,omitempty"`
		Two  *int64 `json:"two,omitempty"`
	}
	thirdInner struct {
		Both  *int64  `json:"both,omitempty"`
		Three *string `json:"three,omitempty"`
	}
)

// A form is a version of the kind.
type form struct {
	name string
	of   reflect.Type
}

func (f form) object() v1.Object { return reflect.New(f.of).Interface().(v1.Object) }

var forms = []form{{"first", reflect.TypeFor[first]()}, {"second", reflect.TypeFor[second]()}, {"third", reflect.TypeFor[third]()}}

// places returns those in values of a type that another one has none for.
func places(from, to reflect.Type) LossyField {
	var p LossyField
	switch from.Kind() {
	case reflect.Pointer:
		return places(from.Elem(), to.Elem())
	case reflect.Map:
		if from.Elem() != to.Elem() {
			values := places(from.Elem(), to.Elem())
			p.Values = &values
		}
	case reflect.Slice:
		if from.Elem() != to.Elem() {
			items := places(from.Elem(), to.Elem())
			p.Items, p.Keys = &items, []string{"key"}
		}
	case reflect.Struct:
		p.Fields = map[string]LossyField{}
		for i := range from.NumField() {
			f := from.Field(i)
			other, found := to.FieldByName(f.Name)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case f.Anonymous:
			case !found:
				p.Fields[name] = LossyField{Missing: true}
			default:
				if below := places(f.Type, other.Type); below.Whole || below.Fields != nil || below.Values != nil || below.Items != nil {
					p.Fields[name] = below
				}
			}
		}
	case reflect.Int64:
		p.Whole = to.Kind() == reflect.Int32
	}
	return p
}

// convert converts what both types have.
func convert(t *testing.T, src any, dst v1.Object) {
	t.Helper()
	object, _ := treeOf(src).(map[string]any)
	if count, err := object["count"].(json.Number).Int64(); err == nil && reflect.TypeOf(dst) == reflect.TypeFor[*first]() {
		object["count"] = Nearest[int32](count)
	}
	reflect.ValueOf(dst).Elem().SetZero()
	expect.NoError(t, json.Unmarshal([]byte(encoded(t, object)), dst))
}

// converted returns an object in another form, as ConvertTo and ConvertFrom do.
func converted(t *testing.T, src v1.Object, from, to form) v1.Object {
	t.Helper()
	dst, back := to.object(), from.object()
	convert(t, src, dst)
	expect.NoError(t, Restore(dst, to.name, places(to.of, from.of)))
	convert(t, dst, back)
	expect.NoError(t, Keep(dst, from.name, to.name, src, back, places(from.of, to.of)))
	return dst
}

// TestShared changes objects in three versions at random, while the version that is stored
// moves: what several versions have is the same in all of them, and nothing is lost.
func TestShared(t *testing.T) {
	for seed := range uint64(budget.Of(40, 1500)) {
		r := &changes{Rand: rand.New(rand.NewPCG(seed, 1))}
		hub, storedIn := forms[0], forms[0]
		stored, want := storedIn.object(), map[string]any{"count": json.Number("0")}
		read := func(in form) v1.Object {
			object := stored
			if storedIn.name != hub.name {
				object = converted(t, object, storedIn, hub)
			}
			if in.name != hub.name {
				object = converted(t, object, hub, in)
			}
			copied := in.object()
			expect.NoError(t, json.Unmarshal([]byte(encoded(t, object)), copied))
			return copied
		}
		var log []string
		for range 12 {
			if r.IntN(4) == 0 {
				hub = forms[r.IntN(len(forms))]
				log = append(log, hub.name+" is stored")
			}
			in := forms[r.IntN(len(forms))]
			object := read(in)
			r.fields(reflect.ValueOf(object).Elem())
			want = union(want, reflect.ValueOf(object).Elem()).(map[string]any)
			log = append(log, in.name+" is "+encoded(t, object))
			if stored, storedIn = object, hub; in.name != hub.name {
				stored = converted(t, object, in, hub)
			}
			for _, in := range forms {
				object := read(in)
				object.SetAnnotations(nil)
				expected := in.object()
				convert(t, want, expected)
				if got, want := encoded(t, object), encoded(t, expected); got != want {
					t.Fatalf("seed %d: %s has\n%s, want\n%s\nstored in %s as\n%s\nafter\n%s", seed, in.name, got, want, hub.name, encoded(t, stored), strings.Join(log, "\n"))
				}
			}
		}
	}
}

// TestSharedParts has what one version keeps, of which another one has a part, or nothing.
func TestSharedParts(t *testing.T) {
	both := LossyField{Fields: map[string]LossyField{"both": {Missing: true}, "inner": {Missing: true}, "three": {Missing: true}}}
	for name, test := range map[string]struct {
		// second has what is kept for that version, third for the one that is read, which then
		// is want, and left what is then kept for second.
		second, third, want, left string
	}{
		"a value":                          {`{"/both":{"value":"b"}}`, `{}`, `{"count":0,"both":"b"}`, ``},
		"a value that is kept twice":       {`{"/both":{"value":"b"}}`, `{"/both":{"value":"a"}}`, `{"count":0,"both":"b"}`, ``},
		"a value of another type":          {`{"/three":{"value":"3"}}`, `{"/three":{"value":[3]}}`, `{"count":0,"three":[3]}`, `{"/three":{"value":"3"}}`},
		"a part":                           {`{"/inner":{"value":{"both":1,"two":2}}}`, `{}`, `{"count":0,"inner":{"both":1}}`, `{"/inner/two":{"value":2}}`},
		"parts of both":                    {`{"/inner":{"value":{"both":1,"two":2}}}`, `{"/inner/three":{"value":"3"}}`, `{"count":0,"inner":{"both":1,"three":"3"}}`, `{"/inner/two":{"value":2}}`},
		"a part of another type":           {`{"/inner":{"value":{"both":"1","three":"3"}}}`, `{}`, `{"count":0,"inner":{"three":"3"}}`, `{"/inner/both":{"value":"1"}}`},
		"a part of what is gone":           {`{}`, `{"/inner/three":{"value":"3"}}`, `{"count":0}`, `{}`},
		"nothing that the version has":     {`{"/two":{"value":2}}`, `{}`, `{"count":0}`, `{"/two":{"value":2}}`},
		"a struct of which it has no part": {`{"/inner":{"value":{"two":2}}}`, `{}`, `{"count":0,"inner":{}}`, `{"/inner/two":{"value":2}}`},
	} {
		t.Run(name, func(t *testing.T) {
			object := &third{}
			object.Annotations = map[string]string{
				stashPrefix + "second": `{"notIn":"first","values":` + test.second + `}`,
				stashPrefix + "third":  `{"notIn":"first","values":` + test.third + `}`,
			}
			expect.NoError(t, Restore(object, "third", both))
			left := object.Annotations[stashPrefix+"second"]
			object.Annotations = nil
			if test.left != "" {
				test.left = `{"notIn":"first","values":` + test.left + `}`
			}
			got := strings.Replace(encoded(t, object), `"metadata":{},`, "", 1)
			expect.True(t, got == test.want && left == test.left, "got %s, want %s; second keeps %s, want %s", got, test.want, left, test.left)
			// What the version that is read has a place for is not kept for it.
			object.Annotations = map[string]string{stashPrefix + "second": `{"notIn":"third","values":` + test.second + `}`}
			before := encoded(t, object)
			if err := Restore(object, "third", both); err != nil || encoded(t, object) != before {
				t.Errorf("got %s, %v, want %s", encoded(t, object), err, before)
			}
		})
	}
}

// TestSharedWithinBounds has a struct that takes all space, and is then kept field by field, which
// takes more: the API server would refuse an object with larger annotations.
func TestSharedWithinBounds(t *testing.T) {
	fields := map[string]any{"both": 1}
	for i := range 18000 {
		fields[fmt.Sprintf("%05d", i)] = i
	}
	stashed := stash{name: stashPrefix + "second", NotIn: "first", Values: map[string]stashedValue{"/inner": {Value: fields}}}
	object := &third{}
	object.Annotations = map[string]string{"a": "b"}
	if err := stashed.setIn(object.Annotations); err != nil {
		t.Fatal("there is no space for the struct:", err)
	}
	err := Restore(object, "third", LossyField{Fields: map[string]LossyField{"inner": {Missing: true}}})
	const want = "first has no place for /inner/10000, /inner/10001, /inner/10002, /inner/10003, /inner/10004, /inner/10005, /inner/10006, /inner/10007, /inner/10008, /inner/10009 of second, and the annotations "
	expect.True(t, err != nil && strings.HasPrefix(err.Error(), want), "got %v, want %s", err, want)
}

// changes are random ones. What is removed does not come back, since values that a version keeps
// for it would come back, too.
type changes struct {
	*rand.Rand
	removed bool
}

// fields changes some fields of a struct.
func (c *changes) fields(object reflect.Value) {
	for i := range object.NumField() {
		field, value := object.Type().Field(i), object.Field(i)
		switch {
		case field.Anonymous || c.IntN(3) > 0:
		case field.Name == "Inner" && !value.IsNil() && c.IntN(2) == 0:
			c.fields(value.Elem())
		case field.Name == "Inner" && (!value.IsNil() || c.removed):
			c.removed = true
			value.SetZero()
		default:
			value.Set(c.value(value, field.Name))
		}
	}
}

// value returns a random value for a field. What may be unset often is.
func (c *changes) value(current reflect.Value, name string) reflect.Value {
	of := current.Type()
	value, n := reflect.New(of).Elem(), c.IntN(3)
	switch of.Kind() {
	case reflect.String:
		value.SetString([]string{"", "a", "b"}[n])
	case reflect.Bool:
		value.SetBool(n > 0)
	case reflect.Int32, reflect.Int64:
		value.SetInt(int64(n))
		if name == "Count" && of.Kind() == reflect.Int64 && c.IntN(2) == 0 {
			value.SetInt(int64(n-1) * 5e9)
		}
	case reflect.Pointer:
		if n > 0 || name == "" {
			value.Set(reflect.New(of.Elem()))
			value.Elem().Set(c.value(value.Elem(), ""))
		}
	case reflect.Struct:
		value.Set(current)
		c.fields(value)
	case reflect.Map:
		value.Set(reflect.MakeMap(of))
		for key, item := range current.Seq2() {
			if c.IntN(3) > 0 {
				value.SetMapIndex(key, c.value(item, ""))
			}
		}
		if n > 0 {
			value.SetMapIndex(reflect.ValueOf(c.key()), c.value(reflect.New(of.Elem()).Elem(), ""))
		}
	case reflect.Slice:
		for _, item := range current.Seq2() {
			if c.IntN(3) > 0 {
				value.Set(reflect.Append(value, c.item(item)))
			}
		}
		if n > 0 {
			item := c.item(reflect.New(of.Elem()).Elem())
			if item.Kind() == reflect.Struct {
				item.Field(0).SetString(c.key())
			}
			value.Set(reflect.Append(value, item))
		}
		c.Shuffle(value.Len(), reflect.Swapper(value.Interface()))
	}
	return value
}

// item returns an item with the key of another one.
func (c *changes) item(current reflect.Value) reflect.Value {
	item := c.value(current, "")
	if item.Kind() == reflect.Struct {
		item.Field(0).Set(current.Field(0))
	}
	return item
}

// key returns one that nothing had before.
func (c *changes) key() string { return fmt.Sprintf("~/%d", c.Uint64()) }

// union returns what users want of a value, once a version of it is written: what that has, and
// what it doesn't know of what is still there.
func union(before any, written reflect.Value) any {
	object, _ := before.(map[string]any)
	switch written.Kind() {
	case reflect.Pointer:
		if !written.IsNil() {
			return union(before, written.Elem())
		}
	case reflect.Struct:
		all := maps.Clone(object)
		if all == nil {
			all = map[string]any{}
		}
		for i := range written.NumField() {
			f := written.Type().Field(i)
			if f.Anonymous {
				continue
			}
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			value := union(all[name], written.Field(i))
			if delete(all, name); value != nil && (options == "" || written.Field(i).Kind() != reflect.String || value != "") {
				all[name] = value
			}
		}
		return all
	case reflect.Map:
		all := map[string]any{}
		for _, key := range written.MapKeys() {
			all[key.String()] = union(object[key.String()], written.MapIndex(key))
		}
		if len(all) > 0 {
			return all
		}
	case reflect.Slice:
		var all []any
		list, _ := before.([]any)
		for i := range written.Len() {
			var same any
			for _, item := range list {
				if object, ok := item.(map[string]any); ok && object["key"] == written.Index(i).Field(0).String() {
					same = item
				}
			}
			all = append(all, union(same, written.Index(i)))
		}
		if len(all) > 0 {
			return all
		}
	case reflect.Int32:
		if count, err := before.(json.Number).Int64(); err == nil && int64(Nearest[int32](count)) == written.Int() {
			return before
		}
		return treeOf(written.Interface())
	default:
		return treeOf(written.Interface())
	}
	return nil
}

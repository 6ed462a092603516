package simulated_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrgen-io/mrgen/testdata/simulated"
)

type document = simulated.Document

func lower(value any) any { return strings.ToLower(value.(string)) }

// TestHabits creates a resource, updates it if there is something to update, and gets it.
func TestHabits(t *testing.T) {
	for name, test := range map[string]struct {
		habits                []simulated.Habit
		create, update, shown document
	}{
		"none":      {create: document{"a": 1, "s": document{"b": 1}}, update: document{"s": document{"c": 2}}, shown: document{"a": 1, "s": document{"b": 1, "c": 2}}},
		"null":      {create: document{"a": 1, "b": 2}, update: document{"a": nil}, shown: document{"b": 2}},
		"lists":     {create: document{"l": []any{1, 2}}, update: document{"l": []any{3}}, shown: document{"l": []any{3}}},
		"replaces":  {habits: []simulated.Habit{simulated.Replaces("m")}, create: document{"m": document{"a": "1"}}, update: document{"m": document{"b": "2"}}, shown: document{"m": document{"b": "2"}}},
		"puts":      {habits: []simulated.Habit{simulated.Puts(), simulated.Defaults("id", "1")}, create: document{"a": "1", "b": "1"}, update: document{"b": "2"}, shown: document{"b": "2", "id": "1"}},
		"unasked":   {habits: []simulated.Habit{simulated.Replaces("m")}, create: document{"m": document{"a": "1"}}, update: document{"b": 2}, shown: document{"m": document{"a": "1"}, "b": 2}},
		"shares":    {habits: []simulated.Habit{simulated.Shares("m"), simulated.AddsEntries("m", document{"x": "0"})}, create: document{"m": document{"a": "1"}}, update: document{"m": document{"b": "2"}}, shown: document{"m": document{"b": "2", "x": "0"}}},
		"entries":   {habits: []simulated.Habit{simulated.AddsEntries("m", document{"x": "0"})}, create: document{}, shown: document{"m": document{"x": "0"}}},
		"items":     {habits: []simulated.Habit{simulated.AddsItem("l", "x")}, create: document{"l": []any{"a"}}, update: document{"l": []any{"x", "b"}}, shown: document{"l": []any{"x", "b"}}},
		"defaults":  {habits: []simulated.Habit{simulated.Defaults("a", 1), simulated.Defaults("s.b", 2), simulated.Defaults("l.c", 3)}, create: document{"a": 0, "s": document{}, "l": []any{document{}, document{"c": 4}}}, shown: document{"a": 0, "s": document{"b": 2}, "l": []any{document{"c": 3}, document{"c": 4}}}},
		"rewrites":  {habits: []simulated.Habit{simulated.Rewrites("a", lower), simulated.Rewrites("b", lower)}, create: document{"a": "A"}, shown: document{"a": "a"}},
		"shows":     {habits: []simulated.Habit{simulated.Shows("s", document{}), simulated.Shows("a", document{})}, create: document{"a": 1}, shown: document{"a": 1, "s": document{}}},
		"empty":     {habits: []simulated.Habit{simulated.OmitsEmpty()}, create: document{"a": 0, "b": "", "c": false, "s": document{"l": []any{}}, "l": []any{document{"d": ""}, ""}, "e": 1}, shown: document{"l": []any{document{}, ""}, "e": 1}},
		"reordered": {habits: []simulated.Habit{simulated.Reorders("l")}, create: document{"l": []any{1, 2, 3, 4}}, shown: document{"l": []any{2, 3, 4, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			a := simulated.New(test.habits...)
			if err := a.Create("a", test.create); err != nil {
				t.Fatal(err)
			}
			want := []string{"create a"}
			if test.update != nil {
				if err := a.Update("a", test.update); err != nil {
					t.Fatal(err)
				}
				want = append(want, "update a")
			}
			if shown, err := a.Get("a"); err != nil || !simulated.Equal(shown, test.shown) {
				t.Errorf("the API shows %v, %v, want %v", shown, err, test.shown)
			}
			if log := a.Log(); !slices.Equal(log, want) {
				t.Errorf("the log is %q, want %q", log, want)
			}
		})
	}
}

// TestLags has an API answer late, but not after what somebody else has changed.
func TestLags(t *testing.T) {
	a := simulated.New(simulated.Lags())
	if err := errors.Join(a.Create("a", document{"size": 1}), a.Update("a", document{"size": 2})); err != nil {
		t.Fatal(err)
	}
	for _, want := range []document{{"size": 1}, {"size": 2}} {
		if shown, err := a.Get("a"); err != nil || !simulated.Equal(shown, want) {
			t.Errorf("the API shows %v, %v, want %v", shown, err, want)
		}
	}
	if err := a.Change("a", func(d document) { d["size"] = 3 }); err != nil {
		t.Fatal(err)
	}
	if shown, err := a.Get("a"); err != nil || !simulated.Equal(shown, document{"size": 3}) || !simulated.Equal(a.State("a"), shown) {
		t.Errorf("the API shows %v, %v, and has %v", shown, err, a.State("a"))
	}
}

// TestErrors asks for what can't be done.
func TestErrors(t *testing.T) {
	a := simulated.New()
	_, get := a.Get("a")
	for _, err := range []error{get, a.Update("a", nil), a.Delete("a"), a.Change("a", nil)} {
		if !errors.Is(err, simulated.ErrNotFound) {
			t.Errorf("got the error %v", err)
		}
	}
	if err := a.Create("a", document{}); err != nil || !errors.Is(a.Create("a", document{}), simulated.ErrExists) {
		t.Errorf("two resources have one ID: %v", err)
	}
	if err := a.Delete("a"); err != nil || a.State("a") != nil {
		t.Errorf("the resource is there: %v %v", err, a.State("a"))
	}

	a = simulated.New(simulated.Refuses(2))
	var got []error
	for range 4 {
		_, err := a.Get("a")
		got = append(got, err)
	}
	if want := []error{simulated.ErrNotFound, simulated.ErrUnavailable, simulated.ErrNotFound, simulated.ErrUnavailable}; !slices.Equal(got, want) {
		t.Errorf("got the errors %v, want %v", got, want)
	}
}

// TestCopies checks that nobody can change what is stored but through the API.
func TestCopies(t *testing.T) {
	a, d := simulated.New(), document{"m": document{"a": "1"}}
	if err := a.Create("a", d); err != nil {
		t.Fatal(err)
	}
	shown, err := a.Get("a")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []document{d, shown, a.State("a")} {
		d["m"].(document)["a"] = "2"
	}
	if state := a.State("a"); !simulated.Equal(state, document{"m": document{"a": "1"}}) {
		t.Errorf("the API has %v", state)
	}
}

// TestEncode reads a type from a document, and writes it to one.
func TestEncode(t *testing.T) {
	type subnet struct {
		ID   *string `json:"id,omitempty"`
		Size int     `json:"size"`
	}
	var got subnet
	if err := simulated.Decode(document{"id": "a", "size": 1, "more": true}, &got); err != nil {
		t.Fatal(err)
	}
	if d, err := simulated.Encode(got); err != nil || !simulated.Equal(d, document{"id": "a", "size": 1}) {
		t.Errorf("got %v, %v", d, err)
	}
}

// TestFill checks that what is filled has a JSON form, and that what is set stays.
func TestFill(t *testing.T) {
	type filled struct {
		Any   *json.RawMessage  `json:"any"`
		Many  []json.RawMessage `json:"many"`
		At    time.Time         `json:"at"`
		Name  string            `json:"name"`
		Sizes map[string]*int   `json:"sizes"`
		Set   json.RawMessage   `json:"set"`
	}
	got := filled{Set: json.RawMessage(`"a"`)}
	simulated.Fill(&got, 3)
	content, err := json.Marshal(got)
	if want := `{"any":3,"many":[3],"at":"1970-01-01T00:50:00Z","name":"3","sizes":{"3":3},"set":"a"}`; err != nil || string(content) != want {
		t.Errorf("got %s, %v, want %s", content, err, want)
	}
}

// TestFormsOfTexts checks that texts have the form of their field, and the values of an enumeration in turn.
func TestFormsOfTexts(t *testing.T) {
	simulated.Forms["Range"], simulated.Forms["Region"] = "10.0.%d.0/24", "north|south"
	var got []string
	for n := range 3 {
		var filled struct{ Range, Region string }
		simulated.Fill(&filled, n)
		got = append(got, filled.Range, filled.Region)
	}
	if want := []string{"10.0.0.0/24", "north", "10.0.1.0/24", "south", "10.0.2.0/24", "north"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestShow checks that an answer has the object in each place for it, and fields of the same names.
func TestShow(t *testing.T) {
	type object struct {
		ID   *string
		Size int
	}
	type answer struct {
		One   object
		Two   *object
		Three []object
		ID    *string
		Note  *string
	}
	id := "1"
	shown := &object{ID: &id, Size: 2}
	var whole *object
	var around *answer
	simulated.Show(&whole, shown)
	simulated.Show(&around, shown)
	want := &answer{One: *shown, Two: shown, Three: []object{*shown}, ID: &id}
	if whole == shown || !reflect.DeepEqual(whole, shown) || !reflect.DeepEqual(around, want) || around.Two == shown {
		t.Errorf("got %+v and %+v", whole, around)
	}
}

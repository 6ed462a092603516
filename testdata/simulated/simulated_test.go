package simulated_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

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
		"unasked":   {habits: []simulated.Habit{simulated.Replaces("m")}, create: document{"m": document{"a": "1"}}, update: document{"b": 2}, shown: document{"m": document{"a": "1"}, "b": 2}},
		"shares":    {habits: []simulated.Habit{simulated.Shares("m"), simulated.AddsEntries("m", document{"x": "0"})}, create: document{"m": document{"a": "1"}}, update: document{"m": document{"b": "2"}}, shown: document{"m": document{"b": "2", "x": "0"}}},
		"entries":   {habits: []simulated.Habit{simulated.AddsEntries("m", document{"x": "0"})}, create: document{}, shown: document{"m": document{"x": "0"}}},
		"items":     {habits: []simulated.Habit{simulated.AddsItem("l", "x")}, create: document{"l": []any{"a"}}, update: document{"l": []any{"x", "b"}}, shown: document{"l": []any{"x", "b"}}},
		"defaults":  {habits: []simulated.Habit{simulated.Defaults("a", 1), simulated.Defaults("s.b", 2), simulated.Defaults("l.c", 3)}, create: document{"a": 0, "s": document{}, "l": []any{document{}, document{"c": 4}}}, shown: document{"a": 0, "s": document{"b": 2}, "l": []any{document{"c": 3}, document{"c": 4}}}},
		"rewrites":  {habits: []simulated.Habit{simulated.Rewrites("a", lower), simulated.Rewrites("b", lower)}, create: document{"a": "A"}, shown: document{"a": "a"}},
		"stores":    {habits: []simulated.Habit{simulated.Stores(func(d document) { delete(d, "a") })}, create: document{"a": 1, "b": 2}, shown: document{"b": 2}},
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

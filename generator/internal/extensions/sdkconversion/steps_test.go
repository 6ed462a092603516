package sdkconversion

import (
	"fmt"
	"go/types"
	"slices"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

var (
	aText   = types.Typ[types.String]
	pointer = types.NewPointer(aText)
)

// same converts a value with Go's conversion.
func same(t types.Type) *value { return &value{way: convert, from: t, to: t} }

// TestSteps says which steps stand in a literal, what they read, and on what condition.
func TestSteps(t *testing.T) {
	t.Parallel()
	in := types.NewVar(0, nil, "in", aText)
	names := map[*types.Var]string{in: "in"}
	plain, held := part{name: "Net", typ: aText}, part{name: "Disk", typ: pointer}
	marked := part{name: "Spec", typ: pointer, isMarked: true}
	of := &alternative{"Kind", types.NewNamed(types.NewTypeName(0, nil, "Box", nil), types.NewStruct(nil, nil), nil)}
	a := func(f field) *field {
		f.name, f.owner = "Name", "Box"
		return &f
	}
	for name, tc := range map[string]struct {
		s            *step
		plain        bool
		reads, guard string
	}{
		"plain":      {&step{target: a(field{}), source: a(field{}), from: in, value: same(aText)}, true, "in.Name", ""},
		"argument":   {&step{target: a(field{}), source: &field{name: "in", typ: aText}, argument: in, value: same(aText)}, true, "in", ""},
		"nil":        {&step{target: a(field{}), source: a(field{}), from: in, value: same(aText), mayBeNil: true}, false, "in.Name", "in != nil"},
		"statements": {&step{target: a(field{}), source: a(field{}), from: in, value: &value{way: narrow}}, false, "in.Name", ""},
		"setter":     {&step{target: a(field{set: "SetName"}), source: a(field{}), from: in, value: same(aText)}, false, "in.Name", ""},
		"oneof":      {&step{target: a(field{alternative: of}), source: a(field{}), from: in, value: same(aText)}, false, "in.Name", ""},
		"getter":     {&step{target: a(field{}), source: a(field{get: "GetName"}), from: in, value: same(aText)}, false, "in.GetName()", ""},
		"from oneof": {&step{target: a(field{}), source: a(field{alternative: of}), from: in, value: same(aText)}, false, "in.Kind.(*Box)", ""},
		"nested":     {&step{target: a(field{}), source: a(field{path: []part{plain}}), from: in, value: same(aText)}, true, "in.Net.Name", ""},
		"behind pointers": {&step{target: a(field{}), source: a(field{path: []part{held, plain, marked}}), from: in, value: same(aText), mayBeNil: true},
			false, "in.Disk.Net.Spec.Name", "in != nil && in.Disk != nil && in.Disk.Net.Spec != nil"},
		"on a path":     {&step{target: a(field{path: []part{marked}}), source: a(field{}), from: in, value: same(aText)}, false, "in.Name", ""},
		"not on a path": {&step{target: a(field{path: []part{held}}), source: a(field{}), from: in, value: same(aText)}, true, "in.Name", ""},
	} {
		expect.Equal(t, tc.plain, tc.s.isPlain(), "%s is plain", name)
		var p printer
		reads, guard := p.source(tc.s, names), p.guard(tc.s, names)
		expect.True(t, reads == tc.reads && guard == tc.guard, "%s reads %s if %s", name, reads, guard)
		isPresence := name == "oneof" || name == "on a path"
		expect.Equal(t, isPresence, tc.s.isPresence(), "%s says more than its value", name)
	}
	var elements []gosrc.Element
	p := printer{File: gosrc.NewPackage("example.org/a", "a").NewFile("", func(string) bool { return false })}
	empty := types.NewStruct(nil, nil)
	net, disk := part{name: "Net", typ: empty}, part{name: "Disk", typ: types.NewPointer(empty)}
	for _, path := range [][]part{{disk}, {net, disk}, {}} {
		elements = p.insert(elements, path, gosrc.Element{})
	}
	want := "[{Disk &struct{}{} []} {Net struct{} [{Disk &struct{}{} []}]}]"
	expect.True(t, fmt.Sprint(elements) == want, "got %v, want %s", elements, want)
	for _, path := range [][]part{{disk}, {}, {net, disk}, {net}} {
		elements = p.insert(elements, path, gosrc.Element{Key: "A", Value: "1"})
	}
	want = "[{Disk &struct{} [{A 1 []}]} {Net struct{} [{Disk &struct{} [{A 1 []}]} {A 1 []}]} {A 1 []}]"
	expect.True(t, fmt.Sprint(elements) == want, "got %v, want %s", elements, want)
}

// TestNumberLimits says at which bits a number changes its form.
func TestNumberLimits(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		from, to types.BasicKind
		want     *way
	}{
		{types.Int64, types.Float64, narrow}, {types.Int32, types.Float64, convert}, {types.Uint32, types.Float64, convert}, {types.Uint64, types.Float64, narrow},
		{types.Int32, types.Float32, narrow}, {types.Int16, types.Float32, convert}, {types.Uint16, types.Float32, convert}, {types.Int, types.Float64, narrow},
		{types.Float64, types.Float32, narrow}, {types.Float32, types.Float64, convert}, {types.Float64, types.Int64, narrow}, {types.Bool, types.Bool, convert},
		{types.String, types.Int8, parseNumber}, {types.Uint8, types.String, printNumber}, {types.String, types.String, convert},
		{types.Int64, types.Int8, narrow}, {types.Int8, types.Int64, convert}, {types.Uint8, types.Int8, narrow}, {types.Uint8, types.Int16, convert},
		{types.Int8, types.Uint64, narrow}, {types.Bool, types.Int, nil}, {types.String, types.Bool, nil}, {types.Complex64, types.Complex128, nil},
	} {
		got, why := basics(types.Typ[tc.from], types.Typ[tc.to], true)
		expect.True(t, got == tc.want && (got == nil) == (why != ""), "%s to %s: got %v, %s", types.Typ[tc.from], types.Typ[tc.to], got, why)
		a, b := types.Typ[tc.from].Info()&numberForms, types.Typ[tc.to].Info()&numberForms
		unmarked, _ := basics(types.Typ[tc.from], types.Typ[tc.to], false)
		if isAsked := a != b || tc.from == types.Float64 && tc.to == types.Float32; (unmarked == nil) != (isAsked || tc.want == nil) {
			t.Errorf("%s to %s without a marker: got %v", types.Typ[tc.from], types.Typ[tc.to], unmarked)
		}
	}
	for kind, want := range map[types.BasicKind]string{
		types.Float32: "Float, float64, 32", types.Float64: "Float, float64, 64", types.Int8: "Int, int64, 8", types.Int64: "Int, int64, 64",
		types.Uint16: "Uint, uint64, 16", types.Uint64: "Uint, uint64, 64",
	} {
		name, base, of, bits := numberFunctions(types.Typ[kind])
		got := fmt.Sprintf("%s, %s, %d", name, types.Typ[of], bits)
		expect.True(t, got == want && (base != "") == (name != "Float"), "%s: got %s%s, want %s", types.Typ[kind], got, base, want)
	}
}

// TestWithin says on which side structs count as their parent's.
func TestWithin(t *testing.T) {
	t.Parallel()
	for _, sends := range []bool{true, false} {
		for _, ofKind := range []bool{true, false} {
			m := &function{sends: sends, marks: marks{within: []string{"Spec"}}}
			m.method = m
			expect.Equal(t, sends || !ofKind, len(m.withinFor(ofKind)) == 1, "sends %t, of the kind %t", sends, ofKind)
		}
	}
}

// TestCandidates says which fields share a name with another, and which of them counts.
func TestCandidates(t *testing.T) {
	t.Parallel()
	a := func(path int, names ...string) *field { return &field{path: make([]part, path), names: names} }
	for name, tc := range map[string]struct {
		of   *field
		all  []*field
		want string // the places of those found
	}{
		"none":              {a(0, "x"), []*field{a(0, "y")}, "[]"},
		"in Go first":       {a(0, "x", "y"), []*field{a(0, "y"), a(0, "x")}, "[1]"},
		"by any name":       {a(0, "x", "y"), []*field{a(0, "z"), a(0, "z", "y")}, "[1]"},
		"two":               {a(0, "x"), []*field{a(1, "x"), a(1, "x")}, "[0 1]"},
		"the shallow one":   {a(0, "x"), []*field{a(2, "x"), a(1, "x")}, "[1]"},
		"swapped":           {a(0, "x", "y"), []*field{a(0, "x", "y"), a(0, "y", "x")}, "[0 1]"},
		"swapped elsewhere": {a(0, "x", "y"), []*field{a(0, "x", "y"), a(1, "y", "x")}, "[0]"},
		"swapped below":     {a(1, "x", "y"), []*field{a(0, "x", "y"), a(0, "y", "x")}, "[0]"},
		"one way":           {a(0, "x", "y"), []*field{a(0, "x", "z"), a(0, "y", "x")}, "[0]"},
		"the other way":     {a(0, "x", "y"), []*field{a(0, "x", "y"), a(0, "y", "z")}, "[0]"},
	} {
		all, places := slices.Clone(tc.all), []int{}
		for _, f := range candidates(all, tc.of) {
			places = append(places, slices.Index(tc.all, f))
		}
		expect.Equal(t, tc.want, fmt.Sprint(places), "%s", name)
	}
}

package diag_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
)

func TestString(t *testing.T) {
	for _, test := range []struct {
		d    diag.Diagnostic
		want string
	}{
		{diag.Errorf(diag.Position{"a.go", 3, 7}, "c", "wrong: %s", "mend it"), "a.go:3:7: wrong: mend it"},
		{diag.Warningf(diag.Position{"a.go", 3, 0}, "c", "odd"), "a.go:3: warning: odd"},
		{diag.Errorf(diag.Position{File: "a.yaml"}, "c", "two\n\tlines"), "a.yaml: two lines"},
		{diag.Errorf(diag.Position{}, "c", "nowhere"), "nowhere"},
	} {
		if got := test.d.String(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestSorted(t *testing.T) {
	l := diag.List{
		diag.Errorf(diag.Position{"b.go", 1, 1}, "c", "x"),
		diag.Warningf(diag.Position{"a.go", 2, 1}, "c", "x"),
		diag.Errorf(diag.Position{"a.go", 10, 1}, "c", "x"),
		diag.Errorf(diag.Position{"a.go", 2, 1}, "c", "y"),
		diag.Errorf(diag.Position{"a.go", 2, 1}, "c", "x"),
		diag.Errorf(diag.Position{"b.go", 1, 1}, "c", "x"),
	}
	likes := diag.List{
		diag.Warningf(diag.Position{"a.go", 2, 1}, "c", "x").As("%%d are x of B"),
		diag.Warningf(diag.Position{"a.go", 2, 1}, "c", "x").As("%%d are x of A"),
	}
	if sorted := likes.Sorted(); sorted[0].Like != likes[1].Like || sorted[1].Like != likes[0].Like {
		t.Errorf("what differs in what it is like isn't sorted: %v", sorted)
	}
	var got []string
	for _, d := range l.Sorted() {
		got = append(got, d.String())
	}
	want := []string{"a.go:2:1: x", "a.go:2:1: y", "a.go:2:1: warning: x", "a.go:10:1: x", "b.go:1:1: x"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if len(l) != 6 {
		t.Error("the list itself changed")
	}
	if !l.HasErrors() || (diag.List{l[1]}).HasErrors() {
		t.Error("warnings are taken for errors, or errors for warnings")
	}
}

func TestGrouped(t *testing.T) {
	at := func(line int) diag.Position { return diag.Position{File: "a.go", Line: line} }
	l := diag.List{
		diag.Warningf(at(1), "c", "x is y").As("%%d are y of %s", "A"),
		diag.Warningf(at(2), "c", "alone").As("%%d are alone"),
		diag.Errorf(at(3), "c", "x is y").As("%%d are y of A"),
		diag.Warningf(at(4), "c", "z is y").As("%%d are y of A"),
		diag.Warningf(at(5), "c", "same"),
		diag.Warningf(at(6), "c", "same"),
		diag.Warningf(at(7), "d", "z is y").As("%%d are y of A"),
	}
	var got []string
	for _, d := range l.Grouped() {
		got = append(got, d.String())
	}
	want := []string{
		"a.go:1: warning: 2 are y of A", "a.go:2: warning: alone", "a.go:3: x is y", "a.go:5: warning: same", "a.go:6: warning: same", "a.go:7: warning: z is y",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if l[0].Message != "x is y" {
		t.Error("the list itself changed")
	}
}

// TestGroupedCauses holds that many warnings of one cause are one line, and errors are not.
func TestGroupedCauses(t *testing.T) {
	at := func(line int) diag.Position { return diag.Position{File: "a.go", Line: line} }
	var l diag.List
	for line := range 5 {
		odd := diag.Warningf(at(line+1), "c", "%c is odd", 'a'+line)
		odd.Cause = "%c is odd"
		l = append(l, odd, diag.Errorf(at(line+1), "c", "odd"))
		if line < 3 {
			l = append(l, diag.Warningf(at(line+1), "c", "few"))
		}
	}
	counts := map[string]int{}
	for _, d := range l.Grouped() {
		counts[d.String()[len("a.go:0: "):]]++
	}
	if want := map[string]int{"warning: a is odd (and 4 more like it)": 1, "odd": 5, "warning: few": 3}; !maps.Equal(counts, want) {
		t.Errorf("got %v, want %v", counts, want)
	}
}

package diag

import (
	"maps"
	"slices"
	"testing"
)

func TestString(t *testing.T) {
	for _, test := range []struct {
		d    Diagnostic
		want string
	}{
		{Errorf(Position{"a.go", 3, 7}, "c", "wrong: %s", "mend it"), "a.go:3:7: wrong: mend it"},
		{Warningf(Position{"a.go", 3, 0}, "c", "odd"), "a.go:3: warning: odd"},
		{Errorf(Position{File: "a.yaml"}, "c", "two\n\tlines"), "a.yaml: two lines"},
		{Errorf(Position{}, "c", "nowhere"), "nowhere"},
	} {
		if got := test.d.String(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestSorted(t *testing.T) {
	l := List{
		Errorf(Position{"b.go", 1, 1}, "c", "x"),
		Warningf(Position{"a.go", 2, 1}, "c", "x"),
		Errorf(Position{"a.go", 10, 1}, "c", "x"),
		Errorf(Position{"a.go", 2, 1}, "c", "y"),
		Errorf(Position{"a.go", 2, 1}, "c", "x"),
		Errorf(Position{"b.go", 1, 1}, "c", "x"),
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
	if !l.HasErrors() || (List{l[1]}).HasErrors() {
		t.Error("warnings are taken for errors, or errors for warnings")
	}
}

func TestGrouped(t *testing.T) {
	at := func(line int) Position { return Position{File: "a.go", Line: line} }
	l := List{
		Warningf(at(1), "c", "x is y").As("%%d are y of %s", "A"),
		Warningf(at(2), "c", "alone").As("%%d are alone"),
		Errorf(at(3), "c", "x is y").As("%%d are y of A"),
		Warningf(at(4), "c", "z is y").As("%%d are y of A"),
		Warningf(at(5), "c", "same"),
		Warningf(at(6), "c", "same"),
		Warningf(at(7), "d", "z is y").As("%%d are y of A"),
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

// TestGroupedTexts holds that many warnings of one text are one line, and errors are not.
func TestGroupedTexts(t *testing.T) {
	at := func(line int) Position { return Position{File: "a.go", Line: line} }
	var l List
	for line := range 5 {
		l = append(l, Warningf(at(line+1), "c", "odd"), Errorf(at(line+1), "c", "odd"))
		if line < 3 {
			l = append(l, Warningf(at(line+1), "c", "few"))
		}
	}
	counts := map[string]int{}
	for _, d := range l.Grouped() {
		counts[d.String()[len("a.go:0: "):]]++
	}
	if want := map[string]int{"warning: odd (and 4 more such)": 1, "odd": 5, "warning: few": 3}; !maps.Equal(counts, want) {
		t.Errorf("got %v, want %v", counts, want)
	}
}

package diag

import (
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

package diag_test

import (
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/testdata/expect"
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
		expect.Equal(t, test.want, test.d.String())
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
	sorted := likes.Sorted()
	expect.True(t, sorted[0].Like == likes[1].Like && sorted[1].Like == likes[0].Like, "what differs in what it is like isn't sorted: %v", sorted)
	got := expect.Strings(l.Sorted())
	want := []string{"a.go:2:1: x", "a.go:2:1: y", "a.go:2:1: warning: x", "a.go:10:1: x", "b.go:1:1: x"}
	expect.Equal(t, want, got)
	expect.True(t, len(l) == 6, "the list itself changed")
	expect.True(t, l.HasErrors() && !(diag.List{l[1]}).HasErrors(), "warnings are taken for errors, or errors for warnings")
}

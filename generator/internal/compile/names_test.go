package compile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const source = `package p

// A comment names things.Like this.
func (x *T) m(a pkg.Type, b []äther.Name) {
	x.field.deep[0].last = len(a.b) + f().g
	_ = "len"
}
`

func TestEachNameIn(t *testing.T) {
	var got []string
	eachNameIn([]byte(source), func(qualifier, name string) {
		if qualifier != "" {
			name = qualifier + "." + name
		}
		got = append(got, name)
	})
	want := []string{
		"package", "p", "A", "comment", "names", "things", "things.Like", "this", "func", "x", "T", "m", "a", "pkg", "pkg.Type", "b",
		"äther", "äther.Name", "x.field", "len", "a.b", "f", "_",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUses(t *testing.T) {
	for name, want := range map[string]bool{"len": true, "f": true, "g": false, "deep": false, "names": false, "x": true} {
		if got := uses([]byte(source), name); got != want {
			t.Errorf("%s is used: got %v, want %v", name, got, want)
		}
	}
	if uses([]byte("package p\n\nvar s = \"len\"\n"), "len") {
		t.Error("a string uses a name")
	}
}

package compile

import (
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

const source = `package p

// A comment names things.Like this.
func (x *T) m(a pkg.Type, b []äther.Name) {
	x.field.deep[0].last = len(a.b) + f().g
	_ = "len"
}
`

func TestUses(t *testing.T) {
	for name, want := range map[string]bool{"len": true, "f": true, "g": false, "deep": false, "names": false, "x": true} {
		expect.Equal(t, want, uses([]byte(source), name), "%s is used", name)
	}
	expect.True(t, !uses([]byte("package p\n\nvar s = \"len\"\n"), "len"), "a string uses a name")
}

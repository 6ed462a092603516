package cli

import (
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestGrouped holds that similar diagnostics are one line.
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
	got := expect.Strings(grouped(l))
	want := []string{
		"a.go:1: warning: 2 are y of A", "a.go:2: warning: alone", "a.go:3: x is y", "a.go:5: warning: same", "a.go:6: warning: same", "a.go:7: warning: z is y",
	}
	expect.Equal(t, want, got)
	expect.True(t, l[0].Message == "x is y", "the list itself changed")
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
	for _, d := range grouped(l) {
		counts[d.String()[len("a.go:0: "):]]++
	}
	expect.Equal(t, map[string]int{"warning: a is odd (and 4 more like it)": 1, "odd": 5, "warning: few": 3}, counts)
}

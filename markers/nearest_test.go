package markers

import (
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestDistance(t *testing.T) {
	for pair, want := range map[[2]string]int{
		{"", ""}: 0, {"", "abc"}: 3, {"abc", "ABC"}: 0, {"abc", "ab"}: 1, {"abc", "abxc"}: 1, {"abc", "axc"}: 1, {"abc", "acb"}: 1, {"abcd", "badc"}: 2, {"ca", "abc"}: 3, {"kitten", "sitting"}: 3,
	} {
		for _, pair := range [][2]string{pair, {pair[1], pair[0]}} {
			got, within := distance(pair[0], pair[1], want)
			_, isNearer := distance(pair[0], pair[1], want-1)
			expect.True(t, got == want && within && !isNearer, "distance(%q, %d) = %d, %t, and less: %t", pair, want, got, within, isNearer)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, tt := range []struct{ text, candidates, want string }{
		{"nam", "name description", "name"},
		{"Name", "name description", "name"},
		{"desciption", "name description", "description"},
		{"key", "name description", ""},
		{"ab", "ac ad", "ac"},
		{"", "name", ""},
		{"name", "", ""},
		{"crd-dri", "mrd-dir crd-dir", "crd-dir"},
		{"CRDS.DIR", "mrds.dir crds.dir", "crds.dir"},
		{"x", "verify generate", ""},
	} {
		got, found := Nearest(tt.text, strings.Fields(tt.candidates))
		expect.True(t, got == tt.want && found == (tt.want != ""), "Nearest(%q, %s) = %q, %t, want %q", tt.text, tt.candidates, got, found, tt.want)
	}
}

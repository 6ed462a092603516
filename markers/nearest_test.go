package markers

import (
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "abc", 0},
		{"abc", "ABC", 0},
		{"abc", "ab", 1},
		{"abc", "abxc", 1},
		{"abc", "axc", 1},
		{"abc", "acb", 1},
		{"abcd", "badc", 2},
		{"ca", "abc", 3},
		{"kitten", "sitting", 3},
	}
	for _, tt := range tests {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got, within := distance(pair[0], pair[1], tt.want); got != tt.want || !within {
				t.Errorf("distance(%q, %q, %d) = %d, %t", pair[0], pair[1], tt.want, got, within)
			}
			if _, within := distance(pair[0], pair[1], tt.want-1); within {
				t.Errorf("distance(%q, %q, %d) is within the limit", pair[0], pair[1], tt.want-1)
			}
		}
	}
}

func TestNearest(t *testing.T) {
	tests := []struct {
		text, candidates, want string
	}{
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
	}
	for _, tt := range tests {
		got, found := Nearest(tt.text, strings.Fields(tt.candidates))
		if got != tt.want || found != (tt.want != "") {
			t.Errorf("Nearest(%q, %s) = %q, %t, want %q", tt.text, tt.candidates, got, found, tt.want)
		}
	}
}

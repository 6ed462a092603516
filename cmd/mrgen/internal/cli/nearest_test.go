package cli

import "testing"

func TestNearest(t *testing.T) {
	for name, test := range map[string]struct {
		candidates []string
		want       string
	}{
		"crd-dri":   {[]string{"mrd-dir", "crd-dir"}, "crd-dir"},
		"CRDS.DIR":  {[]string{"mrds.dir", "crds.dir"}, "crds.dir"},
		"genrate":   {[]string{"verify", "generate"}, "generate"},
		"x":         {[]string{"verify", "generate"}, ""},
		"":          {[]string{"verify"}, ""},
		"generated": {nil, ""},
		"ad":        {[]string{"ab", "ac"}, "ab"}, // the first of equals
	} {
		t.Run(name, func(t *testing.T) {
			if got := nearest(name, test.candidates); got != test.want {
				t.Errorf("nearest(%q) = %q, want %q", name, got, test.want)
			}
		})
	}
}

func TestEdits(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "", 3},
		{"abc", "abc", 0},
		{"kitten", "sitting", 3},
		{"flaw", "lawn", 2},
		{"ab", "ba", 2},
	} {
		if got := edits(test.a, test.b); got != test.want {
			t.Errorf("edits(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

package schema

import "testing"

func TestPathString(t *testing.T) {
	tests := map[string]Path{
		".":                           nil,
		".spec":                       {{Name: "spec"}},
		".spec.rules[].tags{}":        {{Name: "spec"}, {Name: "rules"}, {Kind: Items}, {Name: "tags"}, {Kind: Values}},
		`.spec["a.b"]["x]"][""]`:      {{Name: "spec"}, {Name: "a.b"}, {Name: "x]"}, {Name: ""}},
		`["[]"][]`:                    {{Name: "[]"}, {Kind: Items}},
		`.x-kubernetes["1st"]["a\n"]`: {{Name: "x-kubernetes"}, {Name: "1st"}, {Name: "a\n"}},
	}
	for want, path := range tests {
		if got := path.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestPathWith(t *testing.T) {
	stem := make(Path, 1, 4)
	a, b := stem.With(Step{Name: "a"}), stem.With(Step{Name: "b"})
	if a[1].Name != "a" || b[1].Name != "b" {
		t.Errorf("got %s and %s", a, b)
	}
}

func TestPathHasPrefix(t *testing.T) {
	for _, test := range []struct {
		path, prefix Path
		want         bool
	}{
		{nil, nil, true},
		{Properties("a", "b"), nil, true},
		{Properties("a", "b"), Properties("a"), true},
		{Properties("a", "b"), Properties("a", "b"), true},
		{Properties("a"), Properties("a", "b"), false},
		{Properties("ab"), Properties("a"), false},
		{Path{{Kind: Items}, {Name: "a"}}, Path{{Kind: Items}}, true},
		{Path{{Kind: Items}}, Path{{Kind: Values}}, false},
		{Properties(""), Path{{Kind: Items}}, false},
	} {
		if got := test.path.HasPrefix(test.prefix); got != test.want {
			t.Errorf("%s has the prefix %s: %t", test.path, test.prefix, got)
		}
	}
}

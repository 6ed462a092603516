package apiserver

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

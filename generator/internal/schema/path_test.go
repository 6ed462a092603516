package schema_test

import (
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestPathString(t *testing.T) {
	tests := map[string]schema.Path{
		".":                           nil,
		".spec":                       {{Name: "spec"}},
		".spec.rules[].tags{}":        {{Name: "spec"}, {Name: "rules"}, {Kind: schema.Items}, {Name: "tags"}, {Kind: schema.Values}},
		`.spec["a.b"]["x]"][""]`:      {{Name: "spec"}, {Name: "a.b"}, {Name: "x]"}, {Name: ""}},
		`["[]"][]`:                    {{Name: "[]"}, {Kind: schema.Items}},
		`.x-kubernetes["1st"]["a\n"]`: {{Name: "x-kubernetes"}, {Name: "1st"}, {Name: "a\n"}},
	}
	for want, path := range tests {
		expect.Equal(t, want, path.String())
	}
}

func TestPathWith(t *testing.T) {
	stem := make(schema.Path, 1, 4)
	a, b := stem.With(schema.Step{Name: "a"}), stem.With(schema.Step{Name: "b"})
	expect.True(t, a[1].Name == "a" && b[1].Name == "b", "got %s and %s", a, b)
}

func TestPathHasPrefix(t *testing.T) {
	for _, test := range []struct {
		path, prefix schema.Path
		want         bool
	}{
		{nil, nil, true},
		{schema.Properties("a", "b"), nil, true},
		{schema.Properties("a", "b"), schema.Properties("a"), true},
		{schema.Properties("a", "b"), schema.Properties("a", "b"), true},
		{schema.Properties("a"), schema.Properties("a", "b"), false},
		{schema.Properties("ab"), schema.Properties("a"), false},
		{schema.Path{{Kind: schema.Items}, {Name: "a"}}, schema.Path{{Kind: schema.Items}}, true},
		{schema.Path{{Kind: schema.Items}}, schema.Path{{Kind: schema.Values}}, false},
		{schema.Properties(""), schema.Path{{Kind: schema.Items}}, false},
	} {
		expect.Equal(t, test.want, test.path.HasPrefix(test.prefix), "%s has the prefix %s", test.path, test.prefix)
	}
}

package lateinit

import (
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestRuleFields(t *testing.T) {
	for _, tc := range []struct {
		rule string
		path []string
		want string
	}{
		{"self.a <= self.b.c", nil, "a b"},
		{"has(self.a) || self.?b.orValue(0) > 0", nil, "a b"},
		{"self.items.all(i, i.x > 0)", nil, "items"},
		{"!has(oldSelf . a) || self . a == oldSelf.a", nil, "a"},
		{"self.__in__ == 'self'", nil, "in"},
		{"self == oldSelf", nil, "all"},
		{"self.all(k, k != '')", nil, "all"},
		{"self['a'] == 1", nil, "all"},
		{"size(self) > 1", nil, "all"},
		{"myself.a && x.self.b", nil, ""},
		{"self.", nil, "all"},
		{"true", nil, ""},
		{"has(self.forProvider.a)", []string{"forProvider"}, "a"},
		{"has(self.forProvider)", []string{"forProvider"}, "all"},
		{"self.forProvider.exists(k, true)", []string{"forProvider"}, "all"},
		{"has(self.initProvider.a)", []string{"forProvider"}, ""},
		{"self.spec.forProvider.a == self.metadata.name", []string{"spec", "forProvider"}, "a"},
		{"self.spec == oldSelf.spec", []string{"spec", "forProvider"}, "all"},
	} {
		var fields ruleFields
		fields.add(tc.rule, tc.path)
		got := strings.Join(slices.Compact(slices.Sorted(slices.Values(fields.names))), " ")
		if fields.all {
			got = "all"
		}
		expect.Equal(t, tc.want, got, "%q below %v is about", tc.rule, tc.path)
	}
	fields := ruleFields{names: []string{"in", "a-b"}}
	expect.True(t, fields.has("in") && fields.has("a-b") && !fields.has("a"), "names are not escaped as rules write them")
}

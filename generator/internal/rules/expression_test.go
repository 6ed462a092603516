package rules

import (
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestFieldPathOf has names that are no words be in brackets: the API server reads no others there.
func TestFieldPathOf(t *testing.T) {
	for want, names := range map[string][]string{
		".spec":               {"spec"},
		".spec.a_1":           {"spec", "a_1"},
		".spec['a.b']":        {"spec", "a.b"},
		".spec['a-b'].c":      {"spec", "a-b", "c"},
		".spec['1a']":         {"spec", "1a"},
		".spec['a/b']['c d']": {"spec", "a/b", "c d"},
	} {
		expect.Equal(t, want, fieldPathOf(names), "%q", names)
	}
}

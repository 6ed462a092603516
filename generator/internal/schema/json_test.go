package schema_test

import (
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestJSON holds that people read what authors wrote, and that what was escaped by hand stays so.
func TestJSON(t *testing.T) {
	for raw, want := range map[string]string{
		`"\u003e=1 \u0026 \u003c2"`: `">=1 & <2"`, `">=1"`: `">=1"`, `"a\\u003eb"`: `"a\\u003eb"`, `"a\u2028b"`: `"a\u2028b"`,
		`{"b": 12345678901234567890.10}`: `{"b":12345678901234567890.10}`, `no JSON`: `no JSON`,
	} {
		expect.Equal(t, want, schema.RawJSON([]byte(raw)), "%s is shown as", raw)
	}
	got := schema.JSON(map[string]any{"a": "<>&"})
	expect.True(t, got == `{"a":"<>&"}`, "%v", got)
}

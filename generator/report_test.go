package generator_test

import (
	"bytes"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// TestGenerateAll checks that reports need the definitions of all kinds, that other runs don't
// have these, and that the output does not depend on it.
func TestGenerateAll(t *testing.T) {
	for _, p := range []string{"provider-rules", "provider-example"}[:budget.Of(1, 2)] {
		t.Run(p, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			testmodule.WriteTree(t, dir, testmodule.ReadTree(t, "../testdata/"+p))
			o := testprovider.Options(t, dir)
			o.MaxDescription = 7 // some changes
			forgotten := testprovider.Generate(t, o)
			kept := testprovider.GenerateAll(t, o)
			expect.True(t, bytes.Equal(forgotten.Diff(), kept.Diff()), "the output depends on whether definitions are kept")
			rules := forgotten.Rules
			expect.True(t, len(rules) == 0, "there are %d reports without definitions", len(rules))
			expect.True(t, len(kept.Rules) != 0, "there are no reports")
		})
	}
}

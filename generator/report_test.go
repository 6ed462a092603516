package generator_test

import (
	"bytes"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/testmodule"
	"github.com/mrgen-io/mrgen/generator/internal/testprovider"
)

// TestKeepSchemas checks that reports need the schemas, that these are dropped
// otherwise, and that the output does not depend on it.
func TestKeepSchemas(t *testing.T) {
	for _, p := range []string{"provider-rules", "provider-example"} {
		t.Run(p, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			testmodule.WriteTree(t, dir, testmodule.ReadTree(t, "../testdata/"+p))
			o := testprovider.Options(t, dir)
			o.MinKubernetes = "1.29" // some changes
			dropped := testprovider.Generate(t, o)
			o.KeepSchemas = true
			kept := testprovider.Generate(t, o)
			if !bytes.Equal(dropped.Diff(), kept.Diff()) {
				t.Error("the output depends on whether schemas are kept")
			}
			if rules := dropped.Rules(); len(rules) > 0 {
				t.Errorf("there are %d reports without schemas", len(rules))
			}
			if len(kept.Rules()) == 0 {
				t.Error("there are no reports")
			}
		})
	}
}

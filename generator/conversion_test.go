package generator_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// TestConversionsInMemory edits one version of a kind, and compares runs that remember with
// runs that don't: the conversions of all other versions depend on the one that is stored, and
// its definition on them. It must not run beside others.
func TestConversionsInMemory(t *testing.T) {
	defer generator.SetBatchSize(1)()
	dir := t.TempDir()
	testmodule.WriteTree(t, dir, testmodule.ReadTree(t, "../testdata/provider-versions"))
	o := testprovider.Options(t, dir)
	o.CacheDir = t.TempDir()
	testprovider.Apply(t, o)
	// The types differ, so that nothing asks whether one field is the other by another name.
	for _, edit := range budget.Sample([]struct{ version, of, changes string }{
		{"v1", "string", "apis/v1alpha1/zz_generated.conversion.go apis/v1beta1/zz_generated.conversion.go"},
		{"v1alpha1", "int64", "apis/v1alpha1/zz_generated.conversion.go"},
	}, 1) {
		file := filepath.Join(dir, "apis", edit.version, "database_types.go")
		content := strings.Replace(string(testmodule.Read(t, file)), "type DatabaseParameters struct {\n",
			"type DatabaseParameters struct {\n\t// Added by an edit of "+edit.version+".\n\t// +optional\n\tAddedIn"+edit.version+" *"+edit.of+" `json:\"addedIn"+edit.version+",omitempty\"`\n\n", 1)
		testmodule.Write(t, file, []byte(content))
		forgetful := o
		forgetful.CacheDir = ""
		want, got := testprovider.Changes(testprovider.Generate(t, forgetful)), testprovider.Changes(testprovider.Generate(t, o))
		diff := cmp.Diff(want, got)
		expect.True(t, diff == "", "after an edit of %s (-without memory +with it):\n%s", edit.version, diff)
		for name := range strings.FieldsSeq(edit.changes) {
			expect.True(t, got[name] != "", "after an edit of %s, %s stays as it is", edit.version, name)
		}
		testprovider.Apply(t, o)
	}
}

package generator_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// TestMemoryOfHelpers edits one package after the other, so that its code calls other functions of the
// package of helpers: a file of these is there as long as a package needs it, also where a run looks at
// one that does, or that no longer does, and at no other.
func TestMemoryOfHelpers(t *testing.T) {
	defer generator.SetBatchSize(1)()
	const observed, region = "\tAtProvider KINDObservation `json:\"atProvider,omitempty\"`\n", "\tRegion string `json:\"region\"`\n"
	observation := func(kind string) string { return strings.ReplaceAll(observed, "KIND", kind) }
	w := newPreparedWorkshop(t, func(w *workshop) {
		for file, kind := range map[string]string{"a/v1/alpha": "Alpha", "a/v2/alpha": "Alpha", "b/v1/beta": "Beta", "c/v1/gamma": "Gamma", "d/v1/delta": "Delta"} {
			w.toggle("apis/"+file+".go", observation(kind), "")
		}
	})
	testprovider.Apply(t, w.options)
	const beta, delta, status = "apis/b/v1/beta.go", "apis/d/v1/delta.go", "\txpv2.ManagedResourceStatus `json:\",inline\"`\n"
	texts, ranges := region+"\t// +optional\n\t// +kubebuilder:validation:MaxItems=3\n\tTexts []string `json:\"texts,omitempty\"`\n", region+"\t// +optional\n\t// +kubebuilder:validation:Format=cidr\n\tRange *string `json:\"range,omitempty\"`\n"
	both := func() { // need a file from the first run on, which has them in two batches
		for file, kind := range map[string]string{beta: "Beta", delta: "Delta"} {
			w.editText(t, file, status, status+observation(kind))
			w.editText(t, file, region, texts)
		}
		w.options.CacheDir = t.TempDir()
	}
	const rows, checks = "diff fill rows value", "checks diff fill rows value"
	for _, step := range []struct{ file, from, to, want string }{
		{beta, status, status + observation("Beta"), rows},
		{beta, region, texts, checks},
		{delta, status, status + observation("Delta"), checks},
		{delta, region, ranges, "checks diff fill format rows value"},
		{beta, texts, region, "diff fill format rows value"}, // which the other one still needs
		{delta, ranges, region, rows},
		{delta, observation("Delta"), "", rows},
		{beta, observation("Beta"), "", ""},
		{},
		{delta, texts, region, checks},
		{beta, texts, region, rows},
	} {
		if step.file == "" {
			both()
			testprovider.Apply(t, w.options)
			continue
		}
		w.editText(t, step.file, step.from, step.to)
		expect.True(t, generator.IsStale(w.options.Run()), "%s: the edit goes unnoticed", step.file)
		if budget.IsLarge() { // TestMemory compares with a small one
			w.compare(t)
		}
		testprovider.Apply(t, w.options)
		expect.Equal(t, step.want, strings.Join(helpers(t, w), " "), "%s: there are the helpers", step.file)
	}
}

// editText replaces text in a file.
func (w *workshop) editText(t *testing.T, file, from, to string) {
	t.Helper()
	content := string(testmodule.Read(t, w.file(file)))
	expect.Must(t, strings.Contains(content, from), "%s has no %q", file, from)
	w.write(file, strings.Replace(content, from, to, 1))
}

// helpers returns which files of helpers are on disk, sorted.
func helpers(t *testing.T, w *workshop) []string {
	t.Helper()
	files, err := os.ReadDir(w.file("internal/mrgen"))
	expect.Must(t, err == nil || os.IsNotExist(err), "%v", err)
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(f.Name(), "zz_generated.helpers_"), ".go"))
	}
	return names
}

// TestCyclesThroughPackagesWithoutKinds closes an import cycle through a package that has an extractor, and
// no kinds: batches find it as a run with all packages at once does.
func TestCyclesThroughPackagesWithoutKinds(t *testing.T) {
	const extractor = "example.org/provider/internal/extract.Name()"
	w := newPreparedWorkshop(t, func(w *workshop) {
		entangled(w)
		w.write("internal/extract/extract.go", "package extract\n\nimport (\n\t\"github.com/crossplane/crossplane-runtime/v2/pkg/reference\"\n\n\t_ \"example.org/provider/apis/c/v1\"\n)\n\n// Name takes the name.\nfunc Name() reference.ExtractValueFn { return reference.ExternalName() }\n")
		w.toggle("apis/c/v1/gamma.go", "// +crossplane:generate:reference:type=example.org/provider/apis/b/v1.Beta\n",
			"// +crossplane:generate:reference:extractor="+extractor+"\n\t// +crossplane:generate:reference:type=example.org/provider/apis/b/v1.Beta\n")
	})
	want := outcome(t, w.options).Diagnostics
	expect.True(t, len(want) == 1 && strings.Contains(want[0].Message, "closes an import cycle"), "at once: %v", want)
	defer generator.SetBatchSize(1)()
	n := len(generator.Batches(context.Background(), w.options.Run()))
	expect.Must(t, n >= 2, "there are %d batches", n)
	diff := cmp.Diff(want, outcome(t, w.options).Diagnostics)
	expect.True(t, diff == "", "in batches (-at once +in batches):\n%s", diff)
}

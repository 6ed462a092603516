package generator_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/extensions/providerpackage"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestProviderPackage(t *testing.T) {
	const (
		provider = "apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\n"
		missing  = "warning: the package ships MRDs, so the provider must start while they are inactive: gate its controllers, then add safe-start to spec.capabilities"
	)
	mrds := providerpackage.Output{CRDDir: "package/crds", MRDDir: "package/mrds", Files: []string{
		"apis/zz_generated.managed.go", "package/crds/example.org_configs.yaml", "package/mrds/example.org_buckets.yaml",
	}}
	both := mrds
	both.Files = append(both.Files[:len(both.Files):len(both.Files)], "package/crds/example.org_buckets.yaml")
	apart := both
	apart.CRDDir = "crds"
	apart.Files = []string{"crds/example.org_buckets.yaml", "package/mrds/example.org_buckets.yaml"}

	for name, test := range map[string]struct {
		output providerpackage.Output
		file   string
		want   []string
	}{
		"no capabilities":      {mrds, provider + "spec:\n  package: a\n", []string{"package/crossplane.yaml:3: " + missing}},
		"other capabilities":   {mrds, provider + "spec:\n  capabilities: [other]\n", []string{"package/crossplane.yaml:4: " + missing}},
		"capabilities no list": {mrds, provider + "spec: {capabilities: safe-start}\n", []string{"package/crossplane.yaml:3: " + missing}},
		"no spec":              {mrds, provider, []string{"package/crossplane.yaml: " + missing}},
		"spec no mapping":      {mrds, provider + "spec: a\n", []string{"package/crossplane.yaml:3: " + missing}},
		"safe-start":           {mrds, provider + "spec:\n  capabilities:\n  - safe-start\n", nil},
		"written otherwise":    {mrds, provider + "spec:\n  capabilities:\n  - Safe_Start\n", nil},
		"Crossplane 1, too": {mrds, provider + "spec:\n  capabilities: [safe-start]\n  crossplane:\n    version: \">=v1.9.0\"\n", []string{
			"package/crossplane.yaml:6: warning: the package ships MRDs, and Crossplane 1, which >=v1.9.0 admits, installs none: set spec.crossplane.version to \">=v2.0.0\"",
		}},
		"Crossplane 1 alone": {mrds, provider + "spec:\n  capabilities: [safe-start]\n  crossplane: {version: \"<1.15.0, >=v1.14\"}\n", []string{
			"package/crossplane.yaml:5: warning: the package ships MRDs, and Crossplane 1, which <1.15.0, >=v1.14 admits, installs none: set spec.crossplane.version to \">=v2.0.0\"",
		}},
		"Crossplane 2": {mrds, provider + "spec:\n  capabilities: [safe-start]\n  crossplane: {version: \">=v2.0.0\"}\n", nil},
		"both": {both, provider + "spec: {capabilities: [safe-start]}\n", []string{
			"package/mrds: warning: the package ships kinds both as MRDs and, in package/crds, as CRDs (1, such as example.org_buckets.yaml): set crds.managed to false, or move one folder out of the package",
		}},
		"both, not in the package": {apart, provider + "spec: {capabilities: [safe-start]}\n", nil},
		"no MRDs":                  {providerpackage.Output{CRDDir: "package/crds", Files: both.Files}, provider, nil},
		"configuration":            {both, "apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\n", nil},
		"other kind":               {both, "apiVersion: pkg.crossplane.io/v1\nkind: Provider\n", nil},
		"empty":                    {both, "", nil},
		"list":                     {both, "[a]", nil},
		"no YAML":                  {both, "a: b: c\n", []string{"package/crossplane.yaml: warning: the package can't be checked: yaml: mapping values are not allowed in this context: correct the file"}},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			expect.NoError(t, os.Mkdir(filepath.Join(root, "package"), 0o755))
			diags := providerpackage.Check(root, test.output, nil)
			expect.True(t, diags == nil, "without a package: %v", diags)
			expect.NoError(t, os.WriteFile(filepath.Join(root, "package", "crossplane.yaml"), []byte(test.file), 0o644))
			expect.Equal(t, test.want, expect.Strings(providerpackage.Check(root, test.output, nil)), "diagnostics")
		})
	}
}

func TestProviderPackageUnreadable(t *testing.T) {
	root := t.TempDir()
	expect.NoError(t, os.MkdirAll(filepath.Join(root, "package", "crossplane.yaml"), 0o755))
	diags := providerpackage.Check(root, providerpackage.Output{MRDDir: "package/mrds", Files: []string{"package/mrds/a.yaml"}}, nil)
	const want = "package/crossplane.yaml: warning: the package can't be checked: is a directory: make the file readable"
	expect.True(t, len(diags) == 1 && diags[0].String() == want, "got %v, want %s", diags, want)
}

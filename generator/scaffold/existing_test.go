package scaffold_test

import (
	"bytes"
	"context"
	_ "embed"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/provider"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/generator/scaffold"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// existingOptions are the settings of a provider whose controllers may have been moved or removed.
func existingOptions(t *testing.T, dir string) provider.Options {
	t.Helper()
	o := testprovider.Options(t, dir)
	o.ConvertPackages = nil
	for _, folder := range []string{"internal/controller", "internal/controllers", "pkg/controllers"} {
		if _, err := os.Stat(filepath.Join(dir, folder)); err == nil {
			o.ConvertPackages = []string{"./" + folder + "/..."}
		}
	}
	return o
}

// TestAddKindExisting adds kinds to providers that mrgen didn't scaffold, with the runtime that they
// require. With a large budget, go vet judges their controllers.
func TestAddKindExisting(t *testing.T) {
	t.Parallel()
	for _, scope := range []string{scaffold.Namespaced, scaffold.Cluster}[:budget.Of(1, 2)] {
		t.Run(scope, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "provider")
			newProvider(t, dir, scope)
			for _, folder := range []string{"internal", "cmd", "hack/dev"} {
				expect.NoError(t, os.RemoveAll(filepath.Join(dir, folder)))
			}
			for name, content := range map[string]string{"pkg/controllers/all.go": callsOfSetups, "pkg/controllers/config/config.go": setupOfConfigs} {
				testmodule.Write(t, filepath.Join(dir, name), []byte(content))
			}

			done := addKind(t, dir, "Bucket", "v1alpha1")
			expect.True(t, len(done.ByHand) == 0, "left to the author: %v", done.ByHand)
			addKind(t, dir, "Archive", "v1alpha1")
			if budget.IsLarge() { // TestScaffold has the same controllers
				testprovider.Vet(t, dir)
			}
			all := string(testmodule.ReadTree(t, dir)["pkg/controllers/all.go"])
			for _, want := range []string{
				"\tif err := storagearchive.Setup(mgr, o); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n",
				"\tif err := storagearchive.SetupGated(mgr, o); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n",
			} {
				expect.True(t, strings.Contains(all, want), "there is no\n%sin\n%s", want, all)
			}
		})
	}
}

// TestAddKindScope adds a kind of one scope alone to a provider of both, one of which mrgen writes.
func TestAddKindScope(t *testing.T) {
	t.Parallel()
	provider := t.TempDir()
	newLightProvider(t, provider, scaffold.Both)
	tree := testmodule.ReadTree(t, provider)
	others := map[string]string{scaffold.Cluster: scaffold.Namespaced, scaffold.Namespaced: scaffold.Cluster}
	for _, scope := range slices.Sorted(maps.Keys(others)) {
		other, dir := others[scope], t.TempDir()
		testmodule.WriteTree(t, dir, tree)
		options := scaffold.KindOptions{Options: existingOptions(t, dir), Kind: "Bucket", Group: "storage", Version: "v1alpha1", Scope: scope}
		done, err := scaffold.AddKind(context.Background(), options)
		expect.Must(t, err == nil && len(done.Diagnostics)+len(done.ByHand) == 0, "%s: %v %v %v", scope, err, done.Diagnostics, done.ByHand)
		var written []string
		for _, change := range done.Changes {
			expect.True(t, !strings.Contains(change.Path, "/"+other+"/") || !strings.Contains(change.Path, "ucket"), "%s: %s has the kind, too", scope, change.Path)
			if strings.HasSuffix(change.Path, "bucket.go") || strings.HasSuffix(change.Path, "bucket_types.go") {
				written = append(written, change.Path)
			}
		}
		want := []string{"apis/" + scope + "/storage/v1alpha1/bucket_types.go", "internal/controller/" + scope + "/storage/bucket/bucket.go"}
		expect.Equal(t, want, written, "%s: files differ", scope)
		if budget.IsLarge() { // TestScaffold has the kind in both scopes
			testprovider.Vet(t, dir)
		}
	}
}

// TestAddProviderConfig adds ProviderConfigs to a provider that has a managed resource alone.
func TestAddProviderConfig(t *testing.T) {
	t.Parallel()
	for _, scope := range []string{scaffold.Namespaced, scaffold.Cluster} {
		t.Run(scope, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "provider")
			newLightProvider(t, dir, scope)
			addKind(t, dir, "Bucket", "v1alpha1")
			for _, folder := range []string{"internal", "cmd", "hack/dev", "apis/v1alpha1", "package/crds"} {
				expect.NoError(t, os.RemoveAll(filepath.Join(dir, folder)))
			}
			for name, content := range map[string]string{
				"apis/apis.go": schemeOfBuckets, "internal/controllers/all.go": listOfSetups,
				"internal/controllers/bucket/any.go": strings.NewReplacer("package config", "package bucket", "apis/v1alpha1", "apis/storage/v1alpha1", "ProviderConfig{}", "Bucket{}").Replace(setupOfConfigs),
			} {
				testmodule.Write(t, filepath.Join(dir, name), []byte(content))
			}
			done, err := scaffold.AddProviderConfig(context.Background(), scaffold.ConfigOptions{Options: existingOptions(t, dir), Version: "v1beta1"})
			expect.Must(t, err == nil && len(done.Diagnostics)+len(done.ByHand) == 0, "%v %v %v", err, done.Diagnostics, done.ByHand)
			if budget.IsLarge() { // mrgen type-checks the API packages
				testprovider.Vet(t, dir)
			}
			tree := testmodule.ReadTree(t, dir)
			for name, want := range map[string]string{
				"apis/apis.go": "\ttestv1beta1.SchemeBuilder.AddToScheme,\n)\n", "internal/controllers/all.go": "\tbucket.Setup,\n\tconfig.Setup,\n}\n",
				"internal/controllers/config/config.go": "func Credentials(", "apis/v1beta1/groupversion_info.go": "// +groupName=test.crossplane.io\n",
				"apis/v1beta1/zz_generated.pcu.go":                     ") GetProviderConfigReference() ",
				"apis/v1beta1/providerconfig_register.go":              "SchemeGroupVersion.WithKind(\"ProviderConfigUsageList\")",
				"package/crds/test.crossplane.io_providerconfigs.yaml": "name: v1beta1",
			} {
				expect.True(t, strings.Contains(string(tree[name]), want), "there is no %q in %s:\n%s", want, name, tree[name])
			}
		})
	}
}

//go:embed testdata/scheme.go
var schemeOfBuckets string

//go:embed testdata/setups.go
var listOfSetups string

//go:embed testdata/calls.go
var callsOfSetups string

//go:embed testdata/configs.go
var setupOfConfigs string

// TestForeignFilesOfTemplates lays a file of somebody else at each place where add kind writes one, all
// at once and, with a large budget, one after the other: whatever comes of it, the file stays.
func TestForeignFilesOfTemplates(t *testing.T) {
	dir := t.TempDir()
	newLightProvider(t, dir, scaffold.Namespaced)
	before := testmodule.ReadTree(t, dir)
	options := scaffold.KindOptions{Options: testprovider.Options(t, dir), Kind: "Bucket", Group: "storage", Version: "v1alpha1"}
	dry := options
	dry.DryRun = true
	planned, err := scaffold.AddKind(context.Background(), dry)
	expect.Must(t, err == nil && len(planned.Diagnostics) == 0, "%v %v", err, planned.Diagnostics)
	all := map[string][]byte{}
	for _, change := range planned.Changes {
		if change.Action == run.Create {
			all[change.Path] = []byte("// By hand.\n")
			if clause := regexp.MustCompile(`(?m)^package .*$`).Find(change.New); path.Ext(change.Path) == ".go" {
				all[change.Path] = append(all[change.Path], append(clause, '\n')...)
			}
		}
	}
	expect.Must(t, len(all) >= 12, "add kind writes only %v", slices.Sorted(maps.Keys(all)))
	cases := []map[string][]byte{all}
	if budget.IsLarge() {
		for name, content := range all {
			cases = append(cases, map[string][]byte{name: content})
		}
	}
	for _, files := range cases {
		testmodule.WriteTree(t, dir, files)
		_, err := scaffold.AddKind(context.Background(), options)
		expect.NoError(t, err)
		after := testmodule.ReadTree(t, dir)
		for name, content := range files {
			expect.True(t, bytes.Equal(after[name], content), "%s is overwritten", name)
		}
		for name := range after {
			if _, found := before[name]; !found {
				expect.NoError(t, os.Remove(filepath.Join(dir, filepath.FromSlash(name))))
			}
		}
		testmodule.WriteTree(t, dir, before)
	}
}

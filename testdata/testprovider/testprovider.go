// Package testprovider has the providers below testdata, and what tests of several packages do with them and
// with others. It is for tests alone.
package testprovider

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/provider"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/generator/settings"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// All returns the modules below testdata with the output that is expected of them.
func All() []string {
	return []string{
		"provider-angryjet", "provider-example", "provider-registry", "provider-references", "provider-rules",
		"provider-runtime-v1", "provider-runtime-v2", "provider-versions",
	}
}

// Some returns the first of them, and all with a large budget.
func Some(atLeast int) []string { return All()[:budget.Of(atLeast, len(All()))] }

// IsGenerated reports whether a file of a provider is expected output.
func IsGenerated(name string) bool {
	return strings.HasPrefix(filepath.Base(name), "zz_generated.") || strings.HasPrefix(name, "package/")
}

// Options returns the settings in the mrgen.yaml of the provider around a folder, for runs in that folder.
func Options(t testing.TB, dir string) provider.Options {
	t.Helper()
	root, diags := generator.FindModule(dir)
	s, problems := settings.Read(root)
	if diags = append(diags, problems...); len(diags) > 0 {
		t.Fatal(diags)
	}
	s.Options.Dir = dir
	return s.Options
}

// Generate generates, which must report nothing.
func Generate(t testing.TB, options provider.Options) generator.Result {
	t.Helper()
	return silent(t, options, generator.Generate)
}

// GenerateAll is [Generate] with the definitions of all kinds.
func GenerateAll(t testing.TB, options provider.Options) generator.Result {
	t.Helper()
	return silent(t, options, generator.GenerateAll)
}

func silent(t testing.TB, options provider.Options, generate func(context.Context, run.Options) (generator.Result, error)) generator.Result {
	t.Helper()
	result, err := generate(context.Background(), options.Run())
	if err != nil || len(result.Diagnostics) > 0 {
		t.Fatal(result.Diagnostics, err)
	}
	return result
}

// Apply generates and writes.
func Apply(t testing.TB, options provider.Options) {
	t.Helper()
	result := Generate(t, options)
	if diags, err := result.Apply(context.Background()); err != nil || len(diags) > 0 {
		t.Fatalf("cannot apply: %v %v", err, diags)
	}
	result.Remember()
}

// Changes returns what a result would do to which files.
func Changes(r generator.Result) map[string]string {
	all := map[string]string{}
	for _, c := range r.Changes() {
		all[c.Path] = string(c.Action) + "\n" + string(c.New)
	}
	return all
}

// Diff compares trees of files as text.
func Diff(want, got map[string][]byte) string {
	return cmp.Diff(want, got, cmp.Transformer("text", func(b []byte) string { return string(b) }))
}

// Document returns the content of a YAML file.
func Document(t testing.TB, file string) map[string]any {
	t.Helper()
	var d map[string]any
	if err := yaml.Unmarshal(testmodule.Read(t, file), &d); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return d
}

// Vet runs go vet on all packages of a module, and on their tests. It compiles without the names of folders, so that
// the build cache serves the same packages in another folder.
func Vet(t testing.TB, dir string) {
	t.Helper()
	cmd := exec.Command("go", "vet", "-trimpath", "./...")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}

package scaffold_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/scaffold"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// pinnedDirective is what a new provider has in apis/generate.go, and what adopt writes.
const pinnedDirective = `
//go:generate go run github.com/mrgen-io/mrgen/cmd/mrgen@v0.1.0 generate
`

// TestInitPinsTheVersion holds that a new provider names the version of mrgen everywhere, or else the
// program on PATH.
func TestInitPinsTheVersion(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]map[string]string{
		"v0.1.0": {
			"apis/generate.go": pinnedDirective, "Makefile": "\nMRGEN ?= $(GO) run github.com/mrgen-io/mrgen/cmd/mrgen@v0.1.0\n",
			"mrgen.yaml": "$schema=https://raw.githubusercontent.com/mrgen-io/mrgen/v0.1.0/docs/mrgen.schema.json\n",
		},
		"": {
			"apis/generate.go": "\n//go:generate mrgen generate\n", "Makefile": "\nMRGEN ?= mrgen\n",
			"mrgen.yaml": "$schema=https://raw.githubusercontent.com/mrgen-io/mrgen/main/docs/mrgen.schema.json\n",
		},
	} {
		done, err := scaffold.Init(t.Context(), scaffold.InitOptions{
			Dir: filepath.Join(t.TempDir(), "provider"), Module: "example.org/provider-test", Group: "test.crossplane.io",
			Scope: scaffold.Namespaced, MrgenVersion: version, DryRun: true,
		})
		expect.Must(t, err == nil && len(done.Diagnostics) == 0, "%v %v", err, done.Diagnostics)
		seen := 0
		for _, change := range done.Changes {
			expect.True(t, !strings.Contains(string(change.New), "mrgen@latest"), "%s names the latest version", change.Path)
			if text, ok := want[change.Path]; ok {
				seen++
				expect.True(t, strings.Contains(string(change.New), text), "with version %q, %s lacks %q:\n%s", version, change.Path, text, change.New)
			}
		}
		expect.True(t, seen == len(want), "with version %q, %d of %d files are there", version, seen, len(want))
	}
}

package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/settings"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// The flags, keys and defaults are a contract with users.
func TestSettingsTable(t *testing.T) {
	type row struct{ flag, key, initial string }
	want := []row{
		{"", "packages", "[./...]"},
		{"crd-dir", "crds.dir", "package/crds"},
		{"mrd-dir", "mrds.dir", "none"},
		{"crd-managed", "crds.managed", "true"},
		{"connection-detail-annotations", "connectionDetailAnnotations", "false"},
		{"header-file", "headerFile", "none"},
		{"max-description", "crds.maxDescription", "-1"},
		{"", "crds.sets", "none"},
		{"", "crds.budget", "262144"},
		{"allow-dangerous-types", "crds.allowDangerousTypes", "false"},
		{"", "crds.embeddedObjectMeta", "false"},
		{"", "deepcopy", "write"},
		{"markers", "markers", "error"},
		{"min-kubernetes", "minKubernetes", "1.31"},
		{"", "rules.required", "enforce"},
		{"", "rules.immutable", "enforce"},
		{"", "versions.mode", "check"},
		{"", "versions.tests", "false"},
		{"", "helpers", "internal/mrgen"},
		{"", "convert.packages", "[]"},
		{"", "resolvers.registry", "none"},
		{"", "resolvers.reconciler", "false"},
		{"", "scopes", "none"},
		{"strict", "strict", "false"},
		{"", "lint.baseline", "none"},
		{"", "breaking.alpha", "count"},
		{"", "breaking.allow", "none"},
		{"", "breaking.stored", "error"},
		{"", "breaking.install", "error"},
		{"", "breaking.manifest", "error"},
		{"", "breaking.client", "error"},
	}
	for _, r := range lint.Rules() {
		want = append(want, row{"", "lint.rules." + r.Name, r.Severity.String()})
	}
	s := settings.Default()
	var got []row
	for _, setting := range settings.Table() {
		got = append(got, row{setting.Flag, setting.Key, setting.Value(&s).Shown()})
	}
	diff := cmp.Diff(want, got, cmp.AllowUnexported(row{}))
	expect.True(t, diff == "", "table (-want +got):\n%s", diff)
}

func TestFlagsWin(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		want func(*settings.Settings)
	}{
		"none": {nil, func(*settings.Settings) {}},
		"all": {
			[]string{"--crd-dir=b", "--mrd-dir", "m", "--crd-managed=false", "--header-file=h", "--max-description=3", "--allow-dangerous-types", "--min-kubernetes=v1.33.1", "./p", "./q"},
			func(s *settings.Settings) {
				s.Options.Packages = []string{"./p", "./q"}
				s.Lint.Partial = true
				s.Options.CRDDir, s.Options.MRDDir, s.Options.HeaderFile = "b", "m", "h"
				s.Options.ManagedCRDs, s.Options.AllowDangerousTypes = false, true
				s.Options.MaxDescription, s.Options.MinKubernetes = 3, "v1.33.1"
			},
		},
		"back to none": {[]string{"--header-file="}, func(s *settings.Settings) { s.Options.HeaderFile = "" }},
	} {
		t.Run(name, func(t *testing.T) {
			want := settings.Default()
			want.Options.Packages = []string{"./fromFile"}
			want.Options.CRDDir, want.Options.HeaderFile, want.Options.MaxDescription = "fromFile", "fromFile", 7
			test.want(&want)

			root := t.TempDir()
			content := "packages: [./fromFile]\nheaderFile: fromFile\ncrds: {dir: fromFile, maxDescription: 7}\n"
			expect.NoError(t, os.WriteFile(filepath.Join(root, settings.FileName), []byte(content), 0o644))
			want.Options.Dir = root
			var got settings.Settings
			cmd := &cobra.Command{Use: "test", RunE: func(cmd *cobra.Command, args []string) error {
				s, diags := resolveSettings(cmd, args, root)
				expect.True(t, len(diags) == 0, "diagnostics: %v", diags)
				got = s
				return nil
			}}
			addFlags(cmd.Flags())
			cmd.SetArgs(append([]string{}, test.args...))
			expect.NoError(t, cmd.Execute())
			diff := cmp.Diff(want, got, cmpopts.IgnoreFields(settings.Settings{}, "From"))
			expect.True(t, diff == "", "settings (-want +got):\n%s", diff)
		})
	}
}

// TestSchemaIsUpToDate checks docs/mrgen.schema.json, which editors read.
func TestSchemaIsUpToDate(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/mrgen.schema.json")
	want, formatErr := indented(settings.Schema())
	expect.True(t, err == nil && formatErr == nil && string(page) == string(want), "docs/mrgen.schema.json is out of date (%v, %v): run make generate", err, formatErr)
}

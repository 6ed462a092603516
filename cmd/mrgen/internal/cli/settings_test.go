package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
)

// The flags, keys and defaults are a contract with users.
func TestSettingsTable(t *testing.T) {
	type row struct{ flag, key, initial string }
	want := []row{
		{"", "packages", "[./...]"},
		{"crd-dir", "crds.dir", "package/crds"},
		{"mrd-dir", "mrds.dir", "none"},
		{"docs-dir", "docs.dir", "none"},
		{"crd-managed", "crds.managed", "true"},
		{"connection-detail-annotations", "connectionDetailAnnotations", "false"},
		{"header-file", "headerFile", "none"},
		{"max-description", "crds.maxDescription", "-1"},
		{"", "crds.budget", "262144"},
		{"allow-dangerous-types", "crds.allowDangerousTypes", "false"},
		{"", "markers", "error"},
		{"min-kubernetes", "minKubernetes", "1.31"},
		{"", "rules.required", "enforce"},
		{"", "rules.immutable", "enforce"},
		{"", "versions.mode", "check"},
		{"", "versions.tests", "false"},
		{"", "resolvers.registry", "none"},
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
	for _, r := range generator.LintRules() {
		want = append(want, row{"", "lint.rules." + r.Name, r.Severity.String()})
	}
	s := defaultSettings()
	var got []row
	for _, setting := range table {
		got = append(got, row{setting.flag, setting.key, setting.value(&s).yaml()})
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(row{})); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

func TestFlagsWin(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		want func(*settings)
	}{
		"none": {nil, func(*settings) {}},
		"all": {
			[]string{
				"--crd-dir=b", "--mrd-dir", "m", "--crd-managed=false", "--header-file=h", "--max-description=3",
				"--allow-dangerous-types", "--min-kubernetes=v1.33.1", "./p", "./q",
			},
			func(s *settings) {
				s.options.Packages = []string{"./p", "./q"}
				s.options.CRDDir, s.options.MRDDir, s.options.HeaderFile = "b", "m", "h"
				s.options.ManagedCRDs, s.options.AllowDangerousTypes = false, true
				s.options.MaxDescription, s.options.MinKubernetes = 3, "v1.33.1"
			},
		},
		"back to none": {[]string{"--header-file="}, func(s *settings) { s.options.HeaderFile = "" }},
	} {
		t.Run(name, func(t *testing.T) {
			want := defaultSettings()
			want.options.Packages = []string{"./fromFile"}
			want.options.CRDDir, want.options.HeaderFile, want.options.MaxDescription = "fromFile", "fromFile", 7
			test.want(&want)

			root := t.TempDir()
			writeFile(t, root, configName, "packages: [./fromFile]\nheaderFile: fromFile\ncrds: {dir: fromFile, maxDescription: 7}\n")
			var got settings
			cmd := &cobra.Command{Use: "test", RunE: func(cmd *cobra.Command, args []string) error {
				s, diags := resolveSettings(cmd, args, root)
				if len(diags) > 0 {
					t.Errorf("diagnostics: %v", diags)
				}
				got = s
				return nil
			}}
			addFlags(cmd.Flags())
			cmd.SetArgs(append([]string{}, test.args...))
			if err := cmd.Execute(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, compareSettings); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSettingsHelp(t *testing.T) {
	help := settingsHelp()
	for _, row := range table {
		if row.family != "" {
			if strings.Count(help, "\n  "+row.family+"\n") != 1 {
				t.Errorf("the help text lacks %s", row.family)
			}
		} else if !strings.Contains(help, "\n  "+row.key+" (default ") {
			t.Errorf("the help text lacks %s", row.key)
		}
	}
}

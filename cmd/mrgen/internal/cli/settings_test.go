package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/settings"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

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

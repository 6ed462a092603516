package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/settings"
)

// Flags of settings that only some commands take.
const (
	crdDirFlag         = "crd-dir"
	mrdDirFlag         = "mrd-dir"
	annotationsFlag    = "connection-detail-annotations"
	maxDescriptionFlag = "max-description"
	dangerousFlag      = "allow-dangerous-types"
	markersFlag        = "markers"
	minKubernetesFlag  = "min-kubernetes"
	strictFlag         = "strict"
)

// addFlags adds the flags of settings to a command: all, or the listed ones.
func addFlags(flags *pflag.FlagSet, only ...string) {
	flags.SortFlags = false
	defaults := settings.Default()
	for _, row := range settings.Table() {
		if row.Flag == "" || len(only) > 0 && !slices.Contains(only, row.Flag) {
			continue
		}
		v := row.Value(&defaults)
		f := flags.VarPF(v, row.Flag, "", row.Doc)
		if v.Type() == "bool" {
			f.NoOptDefVal = "true"
		}
	}
}

// resolveSettings returns the settings of a run: the defaults, changed by mrgen.yaml, changed by flags and
// arguments. If there are diagnostics, the settings are unusable.
func resolveSettings(cmd *cobra.Command, args []string, root string) (settings.Settings, diag.List) {
	s, diags := settings.Read(root)
	for _, row := range settings.Table() {
		if row.Flag != "" && cmd.Flags().Changed(row.Flag) {
			// The flag has validated the text already.
			_ = row.Value(&s).Set(cmd.Flags().Lookup(row.Flag).Value.String())
			s.From[row.Key] = "--" + row.Flag
		}
	}
	if len(args) > 0 {
		s.Options.Packages = args
		s.From["packages"] = "arguments"
		s.Lint.Partial = true
	}
	return s, diags
}

package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/settings"
)

// strictFlag is the flag of commands that may take warnings for errors.
const strictFlag = "strict"

// addFlags adds the flags of the settings to a command, or those with the given
// names only.
func addFlags(flags *pflag.FlagSet, only ...string) {
	flags.SortFlags = false
	defaults := settings.Default()
	for _, row := range settings.Table() {
		if row.Flag == "" || len(only) > 0 && !slices.Contains(only, row.Flag) || len(only) == 0 && row.Flag == strictFlag {
			continue
		}
		v := row.Value(&defaults)
		f := flags.VarPF(v, row.Flag, "", row.Doc)
		if v.Type() == "bool" {
			f.NoOptDefVal = "true"
		}
	}
}

// resolveSettings returns the settings of a run: the defaults, changed by
// mrgen.yaml in the module root, changed by flags and arguments. The settings
// are of no use if there are diagnostics.
func resolveSettings(cmd *cobra.Command, args []string, root string) (settings.Settings, diag.List) {
	s, diags := settings.Read(root)
	for _, row := range settings.Table() {
		if row.Flag != "" && cmd.Flags().Changed(row.Flag) {
			// The flag has taken the text, so it is right.
			_ = row.Value(&s).Set(cmd.Flags().Lookup(row.Flag).Value.String())
			s.From[row.Key] = "--" + row.Flag
		}
	}
	// A folder that a flag names is for one run, and others may have other folders.
	s.Options.RemoveMoved = strings.HasPrefix(s.From["crds.dir"], settings.FileName) &&
		!slices.ContainsFunc([]string{"mrds.dir", "docs.dir", "crds.managed"}, func(key string) bool { return strings.HasPrefix(s.From[key], "--") })
	if len(args) > 0 {
		s.Options.Packages = args
		s.From["packages"] = "arguments"
	}
	return s, diags
}

// settingsHelp describes mrgen.yaml.
func settingsHelp() string {
	var b strings.Builder
	b.WriteString(`Settings come from flags or from mrgen.yaml at the root of the Go module; flags win.
Patterns and paths are relative to that root, wherever mrgen is started in the module.

Settings in mrgen.yaml:
`)
	defaults := settings.Default()
	family := ""
	for _, row := range settings.Table() {
		switch {
		case row.Family == "":
			v := row.Value(&defaults)
			fmt.Fprintf(&b, "  %s (default %s)\n      %s\n", row.Key, v.Shown(), row.Doc)
		case row.Family != family:
			fmt.Fprintf(&b, "  %s\n      %s\n", row.Family, row.Doc)
		}
		family = row.Family
	}
	return strings.TrimSuffix(b.String(), "\n")
}

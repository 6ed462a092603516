package cli

import (
	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/settings"
)

func newSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of mrgen.yaml",
		Long: `schema prints a JSON schema of mrgen.yaml, with which editors complete and check settings. mrgen
init names it in the first line of mrgen.yaml, where yaml-language-server looks for it.`,
		Example: `  mrgen schema > docs/mrgen.schema.json`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := indented(settings.Schema())
			return output(cmd, text, err)
		},
	}
}

func newConfigCommand() *cobra.Command {
	form := "text"
	cmd := &cobra.Command{
		Use:   "config [packages]",
		Short: "Show the settings in effect, and where each comes from",
		Long: `config prints all settings in the form of mrgen.yaml, each with its origin: a flag, an argument, a
line of mrgen.yaml, or the default. It takes the flags of generate.`,
		Example: `  mrgen config

  # What would this flag change?
  mrgen config --mrd-dir=package/mrds

  # For scripts:
  mrgen config -o json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			_, s, diags := moduleSettings(cmd, args)
			if err := diagnose(cmd, diags); err != nil {
				return err
			}
			if form == "text" {
				return write(cmd.OutOrStdout(), s.YAML())
			}
			text, err := indented(s.Effective())
			return output(cmd, text, err)
		},
	}
	addFlags(cmd.Flags())
	cmd.Flags().VarP(settings.Choice(&form, "format", "text", "json"), "output", "o", "text or json")
	return cmd
}

package cli

import (
	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/settings"
)

func newSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of mrgen.yaml",
		Long: `schema prints a JSON schema of mrgen.yaml, with which editors complete and check settings.
mrgen init names it in the first line of mrgen.yaml, as yaml-language-server reads it.`,
		Example: `  mrgen schema > docs/mrgen.schema.json`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := indented(settings.Schema())
			if err != nil {
				return &internalError{cause: err}
			}
			return write(cmd.OutOrStdout(), text)
		},
	}
}

func newConfigCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config [packages]",
		Short: "Show the settings that are in effect, and where each comes from",
		Long: `config prints all settings as mrgen.yaml would have them, each with where it comes from:
a flag or an argument, a line of mrgen.yaml, or the default. It takes the flags of generate.`,
		Example: `  mrgen config

  # What would this flag change?
  mrgen config --mrd-dir=package/mrds`,
		RunE: func(cmd *cobra.Command, args []string) error {
			_, s, diags := moduleSettings(cmd, args)
			if err := diagnose(cmd, diags); err != nil {
				return err
			}
			return write(cmd.OutOrStdout(), s.YAML())
		},
	}
	addFlags(cmd.Flags())
	addFlags(cmd.Flags(), strictFlag)
	return cmd
}

package cli

import (
	"bytes"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
)

func newExplainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain KIND[.FIELD] [packages]",
		Short: "List the fields of a kind, or say why one is as it is",
		Long: `explain KIND lists the fields below spec.forProvider. explain KIND.FIELD says of a
field why it is required or not, which rules are about it, those of the author among
them, which markers it bears, and whether status.atProvider mirrors it; and it lists the
fields of an object. All versions of the kind are explained. FIELD is a path below
spec.forProvider, or one that begins with spec or status. Nothing is written. Packages
default to ./...

` + settingsHelp(),
		Example: `  # Which fields are there?
  mrgen explain VPC ./apis/...

  # Why can I leave out cidrBlock?
  mrgen explain VPC.cidrBlock ./apis/...

  # Fields in lists and maps follow the name of the list or map:
  mrgen explain SecurityGroup.spec.forProvider.ingress.fromPort`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("%s needs a kind or a field: write KIND or KIND.FIELD, as in VPC.region", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: completeFields,
		RunE:              explain,
	}
	addFlags(cmd.Flags())
	return cmd
}

func explain(cmd *cobra.Command, args []string) error {
	_, s, diags := moduleSettings(cmd, args[1:])
	var explanations []generator.Explanation
	if !generator.HasErrors(diags) {
		var err error
		if explanations, diags, err = generator.Explain(cmd.Context(), s.Options, args[0]); err != nil || cmd.Context().Err() != nil {
			return ours(cmd, err)
		}
	}
	if err := report(cmd, diags); err != nil {
		return err
	}
	var text bytes.Buffer
	for i, e := range explanations {
		if i > 0 {
			text.WriteByte('\n')
		}
		fmt.Fprintf(&text, "%s/%s %s %s\n", e.Group, e.Version, e.Kind, e.Field)
		if e.Pos.IsValid() {
			fmt.Fprintf(&text, "  is declared at %s\n", e.Pos)
		}
		for _, fact := range e.Facts {
			fmt.Fprintf(&text, "  %s\n", fact)
		}
		if len(e.Fields) > 0 {
			fmt.Fprintln(&text, "  has the fields")
			table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
			for _, f := range e.Fields {
				fmt.Fprintf(table, "    %s\t%s\t%s\n", f.Name, f.Type, f.Facts)
			}
			if err := table.Flush(); err != nil {
				return err
			}
		}
	}
	return write(cmd.OutOrStdout(), text.Bytes())
}

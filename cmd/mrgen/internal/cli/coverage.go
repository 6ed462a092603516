package cli

import (
	"bytes"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newCoverageCommand() *cobra.Command {
	form := "text"
	cmd := &cobra.Command{
		Use:   "coverage [packages]",
		Short: "Show which fields of an SDK no kind shows or sets",
		Long: `coverage prints a line for each struct of an SDK that a conversion makes or reads, as the
packages of convert.packages declare them: how many of its fields a kind has, and the names of
the others. Nothing is written. Packages default to ./...

` + settingsHelp(),
		Example: `  mrgen coverage

  # For scripts:
  mrgen coverage -o json`,
		RunE: func(cmd *cobra.Command, args []string) error { return showCoverage(cmd, args, form) },
	}
	addFlags(cmd.Flags())
	cmd.Flags().VarP(settings.Choice(&form, "format", "text", "json"), "output", "o", "text or json")
	return cmd
}

func showCoverage(cmd *cobra.Command, args []string, form string) error {
	_, s, diags := moduleSettings(cmd, args)
	var structs []generator.SDKStruct
	if !generator.HasErrors(diags) {
		var err error
		if structs, diags, err = generator.Coverage(cmd.Context(), s.Options); err != nil || cmd.Context().Err() != nil {
			return ours(cmd, err)
		}
	}
	if err := report(cmd, diags); err != nil {
		return err
	}
	if form == "json" {
		type sdkStruct struct {
			Method string   `json:"method"`
			Struct string   `json:"struct"`
			Sent   bool     `json:"sent"`
			Fields []string `json:"fields"`
			Left   []string `json:"left,omitempty"`
		}
		all := []sdkStruct{}
		for _, s := range structs {
			all = append(all, sdkStruct{s.Method, s.Name, s.Sent, s.Fields, s.Left})
		}
		text, err := indented(all)
		if err != nil {
			return &internalError{cause: err}
		}
		return write(cmd.OutOrStdout(), text)
	}
	var text bytes.Buffer
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "METHOD\tSTRUCT\tFIELDS\tLEFT OUT")
	for _, s := range structs {
		fmt.Fprintf(table, "%s\t%s\t%d of %d\t%s\n", s.Method, s.Name, len(s.Fields)-len(s.Left), len(s.Fields), strings.Join(s.Left, ", "))
	}
	_ = table.Flush() // a buffer takes anything
	say(cmd, "%s", count(len(structs), "struct"))
	return write(cmd.OutOrStdout(), text.Bytes())
}

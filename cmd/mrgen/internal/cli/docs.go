package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/report"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newDocsCommand() *cobra.Command {
	var html string
	var f format
	cmd := &cobra.Command{
		Use:   "docs [packages]",
		Short: "Write reference pages of kinds",
		Long: `docs writes a page in Markdown for each kind, and an index with a drawing of which kind
takes values from which, to the folder that docs.dir names, or else to docs/api. With
docs.dir in mrgen.yaml, generate and verify do that, too, and docs is not needed.

A page has the fields with their types and bounds, when they are required, and which are
immutable; references in and out; what the versions of a kind differ in; connection details;
and an example that the API server accepts.

--html writes one page about all kinds in their place, with a search, which needs no other
file and no network. Packages default to ./...

` + settingsHelp(),
		Example: `  mrgen docs ./apis/...

  # One page to publish:
  mrgen docs --html public/index.html`,
		RunE: func(cmd *cobra.Command, args []string) error { return docs(cmd, args, html, f) },
	}
	addFlags(cmd.Flags())
	cmd.Flags().StringVar(&html, "html", "", "write one page in HTML to this `file`, and no Markdown")
	addFormatFlag(cmd.Flags(), &f)
	addDiffFlag(cmd.Flags())
	cmd.MarkFlagsMutuallyExclusive("output", diffFlag)
	return cmd
}

func docs(cmd *cobra.Command, args []string, html string, f format) error {
	root, result, err := evaluate(cmd, args, func(ctx context.Context, s settings.Settings) (generator.Result, error) {
		return report.Docs(ctx, s.Options, html)
	})
	if err != nil {
		return err
	}
	return apply(cmd, root, result, f)
}

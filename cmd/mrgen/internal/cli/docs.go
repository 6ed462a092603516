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
	var format string
	cmd := &cobra.Command{
		Use:   "docs [packages]",
		Short: "Write reference pages for kinds",
		Long: `docs writes a Markdown page for each kind, and an index, to the folder docs.dir or else docs/api.
With docs.dir in mrgen.yaml, generate and verify include the pages, and docs is not needed.

A page has the fields with their types and bounds, which are required or immutable, references in
both directions, differences between versions, connection details, and a valid example.`,
		Example: `  mrgen docs ./apis/...

  # One page to publish:
  mrgen docs --html public/index.html`,
		RunE: func(cmd *cobra.Command, args []string) error { return docs(cmd, args, html, format) },
	}
	addFlags(cmd.Flags(), docsDirFlag, maxDescriptionFlag, dangerousFlag, markersFlag)
	cmd.Flags().StringVar(&html, "html", "", "write one HTML page with a search to this `file` instead")
	addFormatFlag(cmd.Flags(), &format)
	addDiffFlag(cmd.Flags())
	cmd.MarkFlagsMutuallyExclusive("output", diffFlag)
	return cmd
}

func docs(cmd *cobra.Command, args []string, html string, format string) error {
	root, result, err := evaluate(cmd, args, func(ctx context.Context, s settings.Settings) (generator.Result, error) {
		return report.Docs(ctx, s.Options, html)
	})
	if err != nil {
		return err
	}
	return apply(cmd, root, result, format)
}

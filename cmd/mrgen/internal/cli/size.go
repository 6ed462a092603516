package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/report"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newSizeCommand() *cobra.Command {
	form := "text"
	cmd := &cobra.Command{
		Use:   "size [packages]",
		Short: "Show the size of definitions, and their largest fields",
		Long: `size prints a line for each definition, the largest first:

  BYTES   size of the CRD as JSON. kubectl apply fails above 262144, etcd above about 1500000.
  SAVED   how much smaller it would be with crds.maxDescription: 100.
  NAME    name of the definition.
  FIELDS  the three fields that take most of it, in percent.

generate warns of a definition over crds.budget. Nothing is written.`,
		Example: `  mrgen size ./apis/...

  # For scripts:
  mrgen size -o json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return answer(cmd, args, func(ctx context.Context, s settings.Settings) ([]report.KindSize, diag.List, error) {
				return report.Sizes(ctx, s.Options)
			}, func(sizes []report.KindSize) ([]byte, error) {
				if form == "json" {
					return sizesAsJSON(sizes)
				}
				return sizesAsText(cmd, sizes)
			})
		},
	}
	addFlags(cmd.Flags(), annotationsFlag, maxDescriptionFlag, dangerousFlag, markersFlag)
	cmd.Flags().VarP(settings.Choice(&form, "format", "text", "json"), "output", "o", "text or json")
	return cmd
}

func sizesAsText(cmd *cobra.Command, sizes []report.KindSize) ([]byte, error) {
	var text bytes.Buffer
	fmt.Fprintln(&text, "BYTES\tSAVED\tNAME\tFIELDS")
	total := 0
	for _, k := range sizes {
		var fields []string
		for _, f := range k.Fattest {
			fields = append(fields, fmt.Sprintf("%d%% %s", f.Percent, f.Path))
		}
		fmt.Fprintf(&text, "%d\t%d\t%s\t%s\n", k.Bytes, k.Saved, k.Name, strings.Join(fields, ", "))
		total += k.Bytes
	}
	say(cmd, "%s, %d bytes; SAVED with crds.maxDescription: %d", count(len(sizes), "definition"), total, report.ShortDescription)
	return aligned(text.Bytes()), nil
}

func sizesAsJSON(sizes []report.KindSize) ([]byte, error) {
	type field struct {
		Path    string `json:"path"`
		Bytes   int    `json:"bytes"`
		Percent int    `json:"percent"`
		File    string `json:"file,omitempty"`
		Line    int    `json:"line,omitempty"`
	}
	type kind struct {
		Name   string  `json:"name"`
		Bytes  int     `json:"bytes"`
		Saved  int     `json:"saved"`
		Fields []field `json:"fields"`
	}
	all := []kind{}
	for _, k := range sizes {
		fields := []field{}
		for _, f := range k.Fattest {
			fields = append(fields, field{f.Path, f.Bytes, f.Percent, f.Pos.File, f.Pos.Line})
		}
		all = append(all, kind{k.Name, k.Bytes, k.Saved, fields})
	}
	return indented(all)
}

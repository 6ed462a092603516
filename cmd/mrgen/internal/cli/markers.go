package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/settings"
	"github.com/mrgen-io/mrgen/markers"
)

var referenceFormats = map[string]func(markers.Reference) ([]byte, error){
	"text":     markersAsText,
	"markdown": markersAsMarkdown,
	"json":     markersAsJSON,
}

func newMarkersCommand() *cobra.Command {
	format := "text"
	cmd := &cobra.Command{
		Use:   "markers [NAME]",
		Short: "Show the reference of markers",
		Long: `markers lists every marker that mrgen reads, and the known markers of other tools: meaning, place
and arguments. With a name, it shows that marker, and markers whose names begin with it.`,
		Example: `  mrgen markers
  mrgen markers kubebuilder:validation:Pattern
  mrgen markers -o markdown > docs/markers.md`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: cobra.FixedCompletions(markers.Names(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			shown := markers.FullReference()
			if len(args) > 0 {
				var near string
				var found bool
				if shown, near, found = markers.ReferenceOf(args[0]); !found {
					return unknownMarker(args[0], near)
				}
			}
			text, err := referenceFormats[format](shown)
			return output(cmd, text, err)
		},
	}
	cmd.Flags().VarP(settings.Choice(&format, "format", "text", "markdown", "json"), "output", "o", "text, markdown or json")
	return cmd
}

// unknownMarker returns the error for an unknown marker, with the nearest one.
func unknownMarker(name, near string) error {
	name = "+" + strings.TrimPrefix(name, "+")
	if near == "" {
		return fmt.Errorf("unknown marker %s", settings.Printable(name))
	}
	return fmt.Errorf("unknown marker %s: did you mean +%s?", settings.Printable(name), near)
}

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
				if shown = referenceOf(args[0], shown); len(shown.Read)+len(shown.Foreign) == 0 {
					return unknownMarker(args[0], markers.Meant(args[0]))
				}
			}
			text, err := referenceFormats[format](shown)
			return output(cmd, text, err)
		},
	}
	cmd.Flags().VarP(settings.Choice(&format, "format", "text", "markdown", "json"), "output", "o", "text, markdown or json")
	return cmd
}

// referenceOf describes the markers that have the name, or that begin with it and a colon. The name may have a plus sign, and a value.
func referenceOf(name string, all markers.Reference) (r markers.Reference) {
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "+"), "=")
	name = strings.TrimRight(name, " :")
	matches := func(other string) bool { return other == name || name != "" && strings.HasPrefix(other, name+":") }
	used := map[markers.ArgumentType]bool{}
	for _, d := range all.Read {
		if matches(d.Name) {
			r.Read = append(r.Read, d)
			for _, a := range d.Arguments {
				used[a.Type] = true
			}
		}
	}
	for _, m := range all.Foreign {
		if matches(m.Name) {
			r.Foreign = append(r.Foreign, m)
		}
	}
	for _, t := range all.Types {
		if used[t.Type] {
			r.Types = append(r.Types, t)
		}
	}
	return r
}

// unknownMarker returns the error for an unknown marker, with the nearest one.
func unknownMarker(name, near string) error {
	name = "+" + strings.TrimPrefix(name, "+")
	if near == "" {
		return fmt.Errorf("unknown marker %s", settings.Printable(name))
	}
	return fmt.Errorf("unknown marker %s: did you mean +%s?", settings.Printable(name), near)
}

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/markers"
)

// referenceFormats are the forms of the marker reference.
var referenceFormats = []referenceFormat{
	{"text", markers.Reference.WriteText},
	{"markdown", markers.Reference.WriteMarkdown},
	{"json", markers.Reference.WriteJSON},
}

type referenceFormat struct {
	name  string
	write func(markers.Reference, io.Writer) error
}

func newMarkersCommand() *cobra.Command {
	output := formatFlag{referenceFormats[0]}
	cmd := &cobra.Command{
		Use:   "markers [NAME]",
		Short: "Show the marker reference",
		Long: `markers shows every marker that mrgen owns, and those of other tools that it knows:
what each means, where it belongs, and its arguments. With a name, it shows all that is
known of that marker, and of those whose names go on after it.`,
		Example: `  mrgen markers
  mrgen markers kubebuilder:validation:Pattern
  mrgen markers -o markdown > docs/markers.md`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, name := range markers.Names() {
				if len(args) == 0 && strings.HasPrefix(name, begun) {
					names = append(names, name)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			shown := markers.FullReference()
			if len(args) > 0 {
				var near string
				var found bool
				if shown, near, found = markers.ReferenceOf(args[0]); !found {
					return unknownMarker(args[0], near)
				}
			}
			var reference bytes.Buffer
			if err := output.write(shown, &reference); err != nil {
				return &internalError{cause: err}
			}
			return write(cmd.OutOrStdout(), reference.Bytes())
		},
	}
	cmd.Flags().VarP(&output, "output", "o", "text, markdown or json")
	return cmd
}

// unknownMarker says that there is no marker of a name, and which one is near.
func unknownMarker(name, near string) error {
	name = "+" + strings.TrimPrefix(name, "+")
	if near == "" {
		return fmt.Errorf("unknown marker %s", printable(name))
	}
	return fmt.Errorf("unknown marker %s: did you mean +%s?", printable(name), near)
}

// formatFlag is the flag that chooses a form of the marker reference.
type formatFlag struct{ referenceFormat }

// Set takes the name of a form.
func (f *formatFlag) Set(name string) error {
	var names []string
	for _, format := range referenceFormats {
		if format.name == name {
			f.referenceFormat = format
			return nil
		}
		names = append(names, format.name)
	}
	return errors.New("must be one of " + strings.Join(names, ", "))
}

// String returns the name of the form.
func (f *formatFlag) String() string { return f.name }

// Type returns the name of the value in help texts.
func (f *formatFlag) Type() string { return "form" }

package cli

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/markers"
)

// referenceFormats are the forms of the marker reference.
var referenceFormats = []referenceFormat{
	{"text", markers.WriteText},
	{"markdown", markers.WriteMarkdown},
	{"json", markers.WriteJSON},
}

type referenceFormat struct {
	name  string
	write func(io.Writer) error
}

func newMarkersCommand() *cobra.Command {
	output := formatFlag{referenceFormats[0]}
	cmd := &cobra.Command{
		Use:   "markers",
		Short: "Show the marker reference",
		Long:  "markers shows every marker that mrgen owns: what it means and where it belongs.",
		Example: `  mrgen markers
  mrgen markers -o markdown > docs/markers.md`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var reference bytes.Buffer
			if err := output.write(&reference); err != nil {
				return &internalError{cause: err}
			}
			return write(cmd.OutOrStdout(), reference.Bytes())
		},
	}
	cmd.Flags().VarP(&output, "output", "o", "text, markdown or json")
	return cmd
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

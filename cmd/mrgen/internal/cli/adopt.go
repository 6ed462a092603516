package cli

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
)

func newAdoptCommand() *cobra.Command {
	var diff bool
	cmd := &cobra.Command{
		Use:   "adopt",
		Short: "Move a provider from controller-gen and angryjet to mrgen",
		Long: `adopt looks for //go:generate directives that run controller-gen and angryjet,
writes mrgen.yaml with the same paths and options, puts one directive that runs mrgen
in their place, and generates. The rules for required and immutable fields are off,
so that the CRDs stay as they are; mrgen.yaml says how to switch them on.

It says of each file in what it differs from what the earlier tools wrote. Directives
that ask for more than mrgen does stay, and are named. So are misspelt markers, which
the earlier tools passed over: mrgen.yaml then says that they are warnings.`,
		Example: `  # Show what would change:
  mrgen adopt --diff

  # Do it:
  mrgen adopt`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return adopt(cmd, diff) },
	}
	cmd.Flags().BoolVar(&diff, "diff", false, "show the changes as a diff, and write nothing")
	return cmd
}

func adopt(cmd *cobra.Command, diff bool) error {
	adoption, err := generator.Adopt(cmd.Context(), "", "go run github.com/mrgen-io/mrgen/cmd/mrgen@"+ownVersion()+" generate")
	if err != nil || cmd.Context().Err() != nil {
		return ours(cmd, err)
	}
	printDiagnostics(cmd.ErrOrStderr(), adoption.Diagnostics)
	if hasErrors(adoption.Diagnostics) {
		return errReported
	}
	if diff {
		return write(cmd.OutOrStdout(), adoption.Diff())
	}
	diags, err := adoption.Apply(cmd.Context())
	if err != nil {
		return ours(cmd, err)
	}
	printDiagnostics(cmd.ErrOrStderr(), diags)
	if hasErrors(diags) {
		return errReported
	}
	return write(cmd.OutOrStdout(), describeAdoption(adoption))
}

// describeAdoption says what has changed, and why.
func describeAdoption(adoption generator.Adoption) []byte {
	var lines bytes.Buffer
	counts := map[generator.Difference]int{}
	for _, change := range adoption.Changes() {
		fmt.Fprintf(&lines, "%s %s", verb(change), change.Path)
		if change.Action == generator.Update && !adoption.Own[change.Path] {
			difference := adoption.Difference(change)
			counts[difference]++
			fmt.Fprintf(&lines, ": %s", difference)
		}
		lines.WriteString("\n")
	}
	summary := func(n int, text string) {
		if n > 0 {
			fmt.Fprintf(&lines, "%d updated: %s\n", n, text)
		}
	}
	lines.WriteString("\n")
	summary(counts[generator.HeaderDiffers], "only the line that says who wrote the file differs")
	summary(counts[generator.AnnotationDiffers], "that, and mrgen writes no annotation with the version of a tool")
	summary(counts[generator.ContentDiffers], "what the file says differs, as an older controller-gen or angryjet wrote it in another way: see git diff")
	lines.WriteString("mrgen.yaml has the settings. Remove what go.mod and the Makefile say of controller-gen and angryjet.\n")
	return lines.Bytes()
}

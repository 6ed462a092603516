package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
)

func newVerifyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify [packages]",
		Short: "Show what generate would change, and fail if that is anything",
		Long: `verify does what generate does, but writes nothing. It prints the changes as a
unified diff that git apply accepts. All generated Go code is type-checked. Packages
default to ./...

Exit status: 0 if nothing is out of date, 1 if something is, 2 for wrong input or
trouble. With GITHUB_ACTIONS=true it also prints annotations for GitHub Actions.

` + settingsHelp(),
		Example: `  # In CI:
  mrgen verify ./apis/...

  # Apply what it found:
  mrgen verify ./apis/... | git apply`,
		RunE: verify,
	}
	addFlags(cmd.Flags())
	addCacheFlag(cmd.Flags())
	addWatchFlags(cmd.Flags())
	return cmd
}

func verify(cmd *cobra.Command, args []string) error {
	root, result, err := evaluate(cmd, args, func(ctx context.Context, options generator.Options) (generator.Result, error) {
		options.TypeCheck = true
		return generator.Generate(ctx, options)
	})
	if err != nil {
		return err
	}
	printDiagnostics(cmd, result.Diagnostics)
	if hasErrors(result.Diagnostics) {
		if err := write(cmd.OutOrStdout(), annotations(root, result.Diagnostics, nil)); err != nil {
			return err
		}
		return errReported
	}
	result.Remember()
	changes := result.Changes()
	report := slices.Concat(result.Diff(), annotations(root, result.Diagnostics, changes))
	if err := write(cmd.OutOrStdout(), report); err != nil {
		return err
	}
	switch len(changes) {
	case 0:
		return nil
	case 1:
		fmt.Fprintln(cmd.ErrOrStderr(), "1 file is out of date: run mrgen generate")
	default:
		fmt.Fprintf(cmd.ErrOrStderr(), "%d files are out of date: run mrgen generate\n", len(changes))
	}
	return errDifferences
}

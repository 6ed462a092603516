package cli

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
)

func newVerifyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify [packages]",
		Short: "Show what generate would change, and fail if that is anything",
		Long: `verify does what generate does, but writes nothing. It prints the changes as a
unified diff that git apply accepts. All generated Go code is type-checked. With --lint
it checks the API patterns in the same run, as mrgen lint does, and prints what it finds
to standard error. Packages default to ./...

Exit status: 0 if nothing is out of date or found, 1 if something is, 2 for wrong input or
trouble. With GITHUB_ACTIONS=true it also prints annotations for GitHub Actions.

` + settingsHelp(),
		Example: `  # In CI:
  mrgen verify ./apis/...

  # With what mrgen lint finds:
  mrgen verify --lint ./apis/...

  # Apply what it found:
  mrgen verify ./apis/... | git apply`,
		RunE: verify,
	}
	addFlags(cmd.Flags())
	addCacheFlag(cmd.Flags())
	addProgressFlags(cmd.Flags())
	cmd.Flags().Bool(lintFlag, false, "check the API patterns, too, as mrgen lint does")
	return cmd
}

const lintFlag = "lint"

func verify(cmd *cobra.Command, args []string) error {
	lints, err := cmd.Flags().GetBool(lintFlag)
	if err != nil {
		return err
	}
	var found generator.Findings
	var baseline string
	root, result, err := evaluate(cmd, args, func(ctx context.Context, s settings) (generator.Result, error) {
		s.options.TypeCheck = true
		if lints {
			// What an earlier run remembers has no schemas.
			s.options.KeepSchemas, s.options.CacheDir = true, ""
		}
		result, err := generator.Generate(ctx, s.options)
		if err == nil && lints {
			found, baseline = result.Lint(s.options, s.lint), s.lint.Baseline
			result.Diagnostics = append(result.Diagnostics, found.Diagnostics...)
		}
		return result, err
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
	if err := writeDiff(cmd, result.Diff()); err != nil {
		return err
	}
	if err := write(cmd.OutOrStdout(), annotations(root, result.Diagnostics, changes)); err != nil {
		return err
	}
	// git apply is to read the standard output, and GitHub Actions annotations in it.
	format, to, isFound := findingFormats[0], cmd.ErrOrStderr(), false
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		format, to = findingFormats[len(findingFormats)-1], cmd.OutOrStdout()
	}
	if err := printFindings(cmd, to, root, found, baseline, len(args) == 0, format); errors.Is(err, errDifferences) {
		isFound = true
	} else if err != nil {
		return err
	}
	switch len(changes) {
	case 0:
		if isFound {
			return errDifferences
		}
		return nil
	case 1:
		say(cmd, "1 file is out of date: run mrgen generate")
	default:
		say(cmd, "%d files are out of date: run mrgen generate", len(changes))
	}
	return errDifferences
}

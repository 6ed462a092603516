package cli

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/breaking"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newVerifyCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "verify [packages]",
		Short: "Show what generate would change; fail if there are changes",
		Long: `verify prints what generate would change, as a diff that git apply accepts, and writes nothing.
It type-checks all generated Go code, together with the hand-written files of its packages.
With GITHUB_ACTIONS=true it also prints annotations for GitHub Actions.

Exit status: 0 if everything is up to date, 1 if not, or if --lint or --breaking found something,
2 for wrong input or trouble. Warnings of generate don't change it, and --strict makes them errors.`,
		Example: `  # In CI:
  mrgen verify ./apis/...

  # With lint, and with what the branch breaks for users:
  mrgen verify --lint --breaking ./apis/...

  # Count the changed lines, or apply the changes:
  mrgen verify ./apis/... | git apply --stat
  mrgen verify ./apis/... | git apply`,
		RunE: func(cmd *cobra.Command, args []string) error { return verify(cmd, args, format) },
	}
	addFlags(cmd.Flags())
	addFormatFlag(cmd.Flags(), &format)
	addCacheFlag(cmd.Flags())
	addProgressFlag(cmd.Flags())
	cmd.Flags().Bool(lintFlag, false, "also lint, as mrgen lint does")
	cmd.Flags().Bool(breakingFlag, false, "also detect breaking changes, as mrgen breaking does")
	addBreakingFlags(cmd.Flags())
	return cmd
}

const (
	lintFlag     = "lint"
	breakingFlag = "breaking"
)

func verify(cmd *cobra.Command, args []string, format string) error {
	lints, breaks := isSet(cmd, lintFlag), isSet(cmd, breakingFlag)
	if !breaks && cmd.Flags().Changed(againstFlag) {
		return fmt.Errorf("--%s is for breaking changes: add --%s", againstFlag, breakingFlag)
	}
	var found lint.Result
	var broken breaking.Result
	var baseline string
	root, result, err := evaluate(cmd, args, func(ctx context.Context, s settings.Settings) (generator.Result, error) {
		s.Options.TypeCheck = true
		var result generator.Result
		var err error
		switch {
		case breaks:
			result, broken, err = runBreaking(ctx, cmd, s)
			// Lint needs a model without errors.
			if lints && err == nil && !result.Diagnostics.HasErrors() {
				_, found, err = lint.Verify(ctx, s.Options.Run(), s.Lint)
			}
		case lints:
			result, found, err = lint.Verify(ctx, s.Options.Run(), s.Lint)
		default:
			result, err = generator.Generate(ctx, s.Options.Run())
		}
		baseline = s.Lint.Baseline
		result.Diagnostics = append(result.Diagnostics, found.Diagnostics...)
		return withoutKnown(cmd, s, result), err
	})
	if err != nil {
		return err
	}
	o := outcome{diagnostics: result.Diagnostics, findings: found.Findings, changes: result.Changes(), stale: true}
	if result.Diagnostics.HasErrors() {
		o.findings = nil // findings in broken source would mislead
	} else {
		if breaks {
			o.breaks = &broken
		}
		result.Remember()
	}
	if err := showVerdict(cmd, root, o, result, format); err != nil || result.Diagnostics.HasErrors() {
		return cmp.Or(err, errReported)
	}
	isFound := sayFindings(cmd, found, baseline, len(args) == 0) != nil || len(broken.Errors) > 0
	if len(o.changes) > 0 {
		say(cmd, "%s out of date: run mrgen generate", countVerb(len(o.changes), "file", "is", "are"))
	} else if !isFound {
		sayUpToDate(cmd, result)
		return nil
	}
	return errDifferences
}

// showVerdict prints the results of verify. For a person, standard output has the diff, for git apply, and
// annotations for GitHub Actions; standard error has the rest.
func showVerdict(cmd *cobra.Command, root string, o outcome, result generator.Result, format string) error {
	if format != textFormat {
		return printOutcome(cmd, format, root, o)
	}
	printDiagnostics(cmd, o.diagnostics)
	sayDeleted(cmd, o.changes)
	if err := writeDiff(cmd, result.Diff()); err != nil {
		return err
	}
	if inGitHubActions() {
		return printOutcome(cmd, "github", root, o)
	}
	return printFound(cmd, cmd.ErrOrStderr(), o)
}

package cli

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/breaking"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newVerifyCommand() *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "verify [packages]",
		Short: "Show what generate would change, and fail if that is anything",
		Long: `verify does what generate does, but writes nothing. It prints the changes as a
unified diff that git apply accepts. The packages with generated Go code are type-checked,
with the hand-written files in them. With --lint it checks the API patterns in the same run, as mrgen lint does, and prints what it finds
to standard error. Packages default to ./...

Exit status: 0 if nothing is out of date or found, 1 if something is, 2 for wrong input or
trouble. With GITHUB_ACTIONS=true it also prints annotations for GitHub Actions. With -o, all
that it reports is one document on standard output.

` + settingsHelp(),
		Example: `  # In CI:
  mrgen verify ./apis/...

  # With what mrgen lint finds:
  mrgen verify --lint ./apis/...

  # With what the branch would break for users:
  mrgen verify --breaking ./apis/...

  # Apply what it found:
  mrgen verify ./apis/... | git apply`,
		RunE: func(cmd *cobra.Command, args []string) error { return verify(cmd, args, f) },
	}
	addFlags(cmd.Flags())
	addFlags(cmd.Flags(), strictFlag)
	addFormatFlag(cmd.Flags(), &f)
	addCacheFlag(cmd.Flags())
	addProgressFlags(cmd.Flags())
	cmd.Flags().Bool(lintFlag, false, "check the API patterns, too, as mrgen lint does")
	cmd.Flags().Bool(breakingFlag, false, "say what would break for users, too, as mrgen breaking does")
	addBreakingFlags(cmd.Flags())
	return cmd
}

const (
	lintFlag     = "lint"
	breakingFlag = "breaking"
)

func verify(cmd *cobra.Command, args []string, f format) error {
	lints, err := cmd.Flags().GetBool(lintFlag)
	if err != nil {
		return err
	}
	breaks, err := cmd.Flags().GetBool(breakingFlag)
	if err != nil {
		return err
	}
	var found lint.Result
	var broken breaking.Result
	var baseline string
	root, result, err := evaluate(cmd, args, func(ctx context.Context, s settings.Settings) (generator.Result, error) {
		s.Options.TypeCheck = true
		if lints {
			// What an earlier run remembers has no schemas.
			s.Options.KeepSchemas, s.Options.CacheDir = true, ""
		}
		var result generator.Result
		var err error
		if breaks {
			result, broken, err = runBreaking(ctx, cmd, s)
		} else {
			result, err = generator.Generate(ctx, s.Options)
		}
		if err == nil && lints {
			found, baseline = lint.Of(result, s.Options, s.Lint), s.Lint.Baseline
			result.Diagnostics = append(result.Diagnostics, found.Diagnostics...)
		}
		return strictly(cmd, s, result), err
	})
	if err != nil {
		return err
	}
	o := outcome{diagnostics: result.Diagnostics, findings: found.Findings, changes: result.Changes(), stale: true}
	if result.Diagnostics.HasErrors() {
		o.findings = nil
	} else {
		if breaks {
			o.breaks = &broken
		}
		result.Remember()
	}
	if err := showVerdict(cmd, root, o, result, f); err != nil || result.Diagnostics.HasErrors() {
		return cmp.Or(err, errReported)
	}
	err = sayFindings(cmd, found, baseline, len(args) == 0)
	isFound := errors.Is(err, errDifferences)
	if err != nil && !isFound {
		return err
	}
	isFound = isFound || len(broken.Errors) > 0
	changes := o.changes
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

// showVerdict prints what verify found. For a person, the diff is on standard output, for git apply,
// and annotations where GitHub Actions reads them; the rest is on standard error.
func showVerdict(cmd *cobra.Command, root string, o outcome, result generator.Result, f format) error {
	if !f.isText() {
		return f.print(cmd, root, o)
	}
	printDiagnostics(cmd, o.diagnostics)
	if err := writeDiff(cmd, result.Diff()); err != nil {
		return err
	}
	if inGitHubActions() {
		annotations, err := writeGitHub(root, o)
		if err != nil {
			return &internalError{cause: err}
		}
		return write(cmd.OutOrStdout(), annotations)
	}
	if err := printFindings(cmd, cmd.ErrOrStderr(), o.findings); err != nil || o.breaks == nil {
		return err
	}
	return write(cmd.ErrOrStderr(), breaksText(*o.breaks))
}

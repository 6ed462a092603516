package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/breaking"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newBreakingCommand() *cobra.Command {
	var f format
	witness := ""
	cmd := &cobra.Command{
		Use:   "breaking [packages]",
		Short: "Say what the next release would break for users, and prove it",
		Long: `breaking compares the definitions that the source leads to with those that there
were, and says what would happen to those who use them: to objects that are stored, to the
installation, to manifests, to programs and compositions. A witness proves it: the smallest
object that worked before, and what the API server's own code says of it now. Nothing is
written. Packages default to ./...

--against names what to compare with: a git revision, a folder, a file, or a Crossplane
package. Without it that is the revision where the branch left the default branch, and on
the default branch the last release.

Exit status: 0 if nothing breaks, 1 if something does, 2 for wrong input or trouble.

` + settingsHelp(),
		Example: `  # What does this branch break?
  mrgen breaking ./apis/...

  # What would break for users of a release?
  mrgen breaking --against=v0.9.0 ./apis/...

  # The objects that prove it, to try them:
  mrgen breaking --witness=all ./apis/... | kubectl apply -f -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var found breaking.Result
			root, result, err := evaluate(cmd, args, func(ctx context.Context, s settings.Settings) (generator.Result, error) {
				result, breaks, err := runBreaking(ctx, cmd, s)
				found = breaks
				return result, err
			})
			if err != nil {
				return err
			}
			o := outcome{diagnostics: result.Diagnostics}
			if !result.Diagnostics.HasErrors() {
				result.Remember()
				o = outcome{diagnostics: found.Diagnostics, breaks: &found} // generate warns of the rest
			}
			if !f.isText() && witness == "" {
				err = f.print(cmd, root, o)
			} else {
				printDiagnostics(cmd, o.diagnostics)
				if o.breaks != nil && witness != "" {
					err = printCounterexamplees(cmd, found, witness)
				} else if o.breaks != nil {
					err = write(cmd.OutOrStdout(), breaksText(found))
				}
			}
			if err == nil && o.breaks == nil {
				err = errReported
			}
			if err == nil && len(found.Errors) > 0 {
				err = errDifferences
			}
			return err
		},
	}
	addFlags(cmd.Flags())
	addBreakingFlags(cmd.Flags())
	addFormatFlag(cmd.Flags(), &f)
	f.choices = append(slices.Clip(f.choices), format{name: "markdown", write: breaksMarkdown})
	cmd.Flags().Lookup("output").Usage = "text, json, sarif, github for annotations of GitHub Actions, or markdown for a comment"
	cmd.Flags().StringVar(&witness, "witness", "", "print the object that proves the `finding` with this number as a manifest, or all of them")
	addCacheFlag(cmd.Flags())
	cmd.Flags().BoolP(verboseFlag, "v", false, "print each diagnostic, also those that are alike")
	return cmd
}

// The flags of what is compared.
const (
	againstFlag = "against"
	budgetFlag  = "budget"
)

func addBreakingFlags(flags *pflag.FlagSet) {
	flags.String(againstFlag, "", "git `revision`, folder, file or Crossplane package to compare with")
	flags.Int(budgetFlag, breaking.Default().MaxObjects, "how many objects to judge for each version of a kind, at most")
}

// runBreaking evaluates the packages, and says what their definitions would break, of which errors
// are among the diagnostics of the result, too.
func runBreaking(ctx context.Context, cmd *cobra.Command, s settings.Settings) (generator.Result, breaking.Result, error) {
	var err error
	if s.Breaking.Against, err = cmd.Flags().GetString(againstFlag); err != nil {
		return generator.Result{}, breaking.Result{}, err
	}
	if s.Breaking.MaxObjects, err = cmd.Flags().GetInt(budgetFlag); err != nil {
		return generator.Result{}, breaking.Result{}, err
	}
	result, found, err := breaking.Run(ctx, s.Options, s.Breaking)
	result.Diagnostics = append(result.Diagnostics, found.Diagnostics...)
	return result, found, err
}

// printCounterexamplees prints the object that proves a finding, or all of them.
func printCounterexamplees(cmd *cobra.Command, found breaking.Result, which string) error {
	all := found.All()
	if which != "all" {
		n, err := strconv.Atoi(which)
		if err != nil || n < 1 || n > len(all) {
			return fmt.Errorf("--witness must be all, or the number of a finding, of which there are %d, not %q", len(all), which)
		}
		all = all[n-1 : n]
	}
	manifests, err := breaking.Manifests(all)
	if err != nil {
		return &internalError{cause: err}
	}
	return write(cmd.OutOrStdout(), manifests)
}

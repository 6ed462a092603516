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
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newBreakingCommand() *cobra.Command {
	var format string
	counterexample := ""
	cmd := &cobra.Command{
		Use:   "breaking [packages]",
		Short: "Detect breaking API changes",
		Long: `breaking compares the CRDs generated from your source with an earlier version, and reports what
breaks for users: stored objects, installation, manifests, programs and compositions. A
counterexample proves a finding: an object that worked before, and what the API server's own code
says of it now. A change without one may break, which is a warning, and an error with --strict.
By default the earlier version is the revision where the branch left the default branch or, on the
default branch, the last release. Nothing is written.

Exit status: 0 if nothing is found, 1 if something is, 2 for wrong input or trouble.`,
		Example: `  # What does this branch break?
  mrgen breaking ./apis/...

  # What would break for users of a release?
  mrgen breaking --against=v0.9.0 ./apis/...

  # The objects that prove it, to try them:
  mrgen breaking --counterexample=all ./apis/... | kubectl apply -f -`,
		RunE: func(cmd *cobra.Command, args []string) error { return showBreaking(cmd, args, format, counterexample) },
	}
	addFlags(cmd.Flags(), crdDirFlag, mrdDirFlag, dangerousFlag, markersFlag, minKubernetesFlag, strictFlag)
	addBreakingFlags(cmd.Flags())
	addFormatFlag(cmd.Flags(), &format, "markdown")
	cmd.Flags().Lookup("output").Usage = "text, json, sarif, github (annotations) or markdown"
	cmd.Flags().StringVar(&counterexample, "counterexample", "", "print the counterexample of this `finding`, a number or all")
	addCacheFlag(cmd.Flags())
	cmd.Flags().BoolP(verboseFlag, "v", false, "print every diagnostic, also similar ones, and what each step takes")
	return cmd
}

// showBreaking prints breaking changes, or their counterexamples.
func showBreaking(cmd *cobra.Command, args []string, format, counterexample string) error {
	var found breaking.Result
	root, result, err := evaluate(cmd, args, func(ctx context.Context, s settings.Settings) (generator.Result, error) {
		result, breaks, err := runBreaking(ctx, cmd, s)
		found = breaks
		return result, err
	})
	if err != nil {
		return err
	}
	isError := func(d diag.Diagnostic) bool { return d.Severity == diag.Error }     // which the result has
	isOfFiles := func(d diag.Diagnostic) bool { return d.Code == "output-foreign" } // nothing is written here
	errs := slices.DeleteFunc(result.Diagnostics.Errors(), isOfFiles)
	o := outcome{diagnostics: append(errs, slices.DeleteFunc(found.Diagnostics, isError)...)}
	if found.Against != "" { // errors in some kinds don't hide what breaks in others
		o.breaks = &found
	}
	if !result.Diagnostics.HasErrors() {
		result.Remember()
	}
	if counterexample == "" {
		err = printOutcome(cmd, format, root, o)
	} else {
		// Standard output is for kubectl alone.
		printDiagnostics(cmd, o.diagnostics)
		if o.breaks != nil {
			err = printCounterexamples(cmd, found, counterexample)
		}
	}
	if err == nil && o.diagnostics.HasErrors() {
		err = errReported
	}
	if err == nil && len(found.Errors) > 0 {
		err = errDifferences
	}
	return err
}

const againstFlag = "against"

func addBreakingFlags(flags *pflag.FlagSet) {
	flags.String(againstFlag, "", "git `revision`, folder or file to compare with")
}

// runBreaking evaluates the packages and compares their definitions with the earlier version. The result's
// diagnostics include the breaking changes that are errors.
func runBreaking(ctx context.Context, cmd *cobra.Command, s settings.Settings) (generator.Result, breaking.Result, error) {
	s.Breaking.Strict = s.Strict
	s.Breaking.Against, _ = cmd.Flags().GetString(againstFlag) // every caller's command has the flag
	result, found, err := breaking.Run(ctx, s.Options.Run(), s.Breaking)
	result.Diagnostics = append(result.Diagnostics, found.Diagnostics...)
	return result, found, err
}

// printCounterexamples prints the object that proves a finding, or all of them.
func printCounterexamples(cmd *cobra.Command, found breaking.Result, which string) error {
	all := found.All()
	if which != "all" {
		n, err := strconv.Atoi(which)
		if err != nil || n < 1 || n > len(all) {
			return fmt.Errorf("--counterexample must be all, or the number of one of %d findings, not %q", len(all), which)
		}
		all = all[n-1 : n]
	}
	manifests, err := breaking.Manifests(all)
	return output(cmd, manifests, err)
}

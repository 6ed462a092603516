package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newGenerateCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "generate [packages]",
		Short: "Write code, CRDs and MRDs that are missing or out of date",
		Long: `generate writes the files that are missing or out of date, and deletes stale files of earlier
runs. It prints one line for each, and says why it deletes a definition; to delete more than half
of them, it needs --remove-definitions. All or nothing: if any output would be invalid, it lists
every problem and writes nothing. Go code that changes is type-checked with its package first.`,
		Example: `  # All packages below apis, CRDs in package/crds:
  mrgen generate ./apis/...

  # MRDs beside the CRDs, and a licence on top of Go files:
  mrgen generate --mrd-dir=package/mrds --header-file=hack/boilerplate.go.txt ./apis/...`,
		RunE: func(cmd *cobra.Command, args []string) error { return generate(cmd, args, format) },
	}
	addFlags(cmd.Flags())
	cmd.Flags().Bool(typeCheckFlag, false, "type-check all generated Go code, not only what changes")
	cmd.Flags().Bool(removeDefinitionsFlag, false, "delete more than half of the definitions, if their kinds are gone")
	addFormatFlag(cmd.Flags(), &format)
	addDiffFlag(cmd.Flags())
	cmd.MarkFlagsMutuallyExclusive("output", diffFlag)
	addCacheFlag(cmd.Flags())
	addProgressFlag(cmd.Flags())
	return cmd
}

const (
	typeCheckFlag         = "typecheck"
	removeDefinitionsFlag = "remove-definitions"
)

func generate(cmd *cobra.Command, args []string, format string) error {
	root, result, err := evaluate(cmd, args, func(ctx context.Context, s settings.Settings) (generator.Result, error) {
		s.Options.TypeCheck, s.Options.RemoveDefinitions = isSet(cmd, typeCheckFlag), isSet(cmd, removeDefinitionsFlag)
		run := generator.Generate
		if isSet(cmd, verboseFlag) {
			run = generator.GenerateAll // a cached run doesn't know the rules' costs
		}
		result, err := run(ctx, s.Options.Run())
		return withoutKnown(cmd, s, result), err
	})
	if err != nil {
		return err
	}
	return apply(cmd, root, result, format)
}

// withoutKnown leaves known warnings out of a result, and turns the others into errors if the settings ask for it.
func withoutKnown(cmd *cobra.Command, s settings.Settings, result generator.Result) generator.Result {
	if result.Root != "" {
		result.Diagnostics = lint.Fresh(result.Root, s.Lint, result.Diagnostics)
	}
	if !s.Strict {
		return result
	}
	n := 0
	for i := range result.Diagnostics {
		if d := &result.Diagnostics[i]; d.Severity == diag.Warning {
			d.Severity = diag.Error
			n++
		}
	}
	if n > 0 {
		say(cmd, "%s as errors, since strict is set", countVerb(n, "warning", "counts", "count"))
	}
	return result
}

// countVerb returns a number with a noun and the verb that goes with it.
func countVerb(n int, noun, one, many string) string {
	if n == 1 {
		return count(n, noun) + " " + one
	}
	return count(n, noun) + " " + many
}

// apply writes the changes of a result, and prints one line for each.
func apply(cmd *cobra.Command, root string, result generator.Result, format string) error {
	if format != textFormat {
		err := printOutcome(cmd, format, root, outcome{diagnostics: result.Diagnostics, changes: result.Changes()})
		if err != nil || result.Diagnostics.HasErrors() {
			return cmp.Or(err, errReported)
		}
		return commit(cmd, result)
	}
	if err := diagnose(cmd, result.Diagnostics); err != nil {
		return err
	}
	changes := result.Changes()
	if wantsDiff(cmd) {
		sayDeleted(cmd, changes)
		return writeDiff(cmd, result.Diff())
	}
	if err := commit(cmd, result); err != nil {
		return err
	}
	if isSet(cmd, verboseFlag) {
		printRules(cmd.ErrOrStderr(), result.Rules)
	}
	if err := printChanges(cmd, "", changes); err != nil {
		return err
	}
	if len(changes) > 0 {
		say(cmd, "%s", summary(changes))
	} else {
		sayUpToDate(cmd, result)
	}
	for _, change := range changes {
		for _, name := range changedFunctions(string(change.Old), string(change.New)) {
			say(cmd, "%s in %s has other parameters or results now: change the code that calls it", name, change.Path)
		}
	}
	// Only a new user needs this advice.
	if result.IsFirst() {
		say(cmd, "Next: commit them, and have CI run mrgen verify, which fails if they are out of date")
	}
	return nil
}

// sayUpToDate tells a person who waits in a terminal that nothing is to be done. Programs know by the exit status.
func sayUpToDate(cmd *cobra.Command, result generator.Result) {
	if isTerminal(cmd.ErrOrStderr()) {
		say(cmd, "up to date: %s", count(result.Files(), "file"))
	}
}

// changedFunctions returns the functions of a generated file that have another signature in its new version. The
// author's calls aren't part of a run, so nothing else names them.
func changedFunctions(before, after string) []string {
	var names []string
	for _, m := range signature.FindAllStringSubmatch(before, -1) {
		if strings.Contains(after, "\nfunc "+m[1]+"(") && !strings.Contains(after, m[0]) {
			names = append(names, m[1])
		}
	}
	return names
}

// signature matches the first line of an exported function.
var signature = regexp.MustCompile(`\nfunc ([A-Z]\w*)\(.*`)

// summary counts changes: "3 files: 1 created, 2 updated", or "3 files created".
func summary(changes []run.Change) string {
	var parts []string
	for _, action := range []struct {
		of   run.Action
		done string
	}{{run.Create, "created"}, {run.Update, "updated"}, {run.Delete, "deleted"}} {
		n := 0
		for _, change := range changes {
			if change.Action == action.of {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, action.done))
		}
	}
	if len(parts) == 1 {
		_, done, _ := strings.Cut(parts[0], " ")
		return count(len(changes), "file") + " " + done
	}
	return count(len(changes), "file") + ": " + strings.Join(parts, ", ")
}

// commit writes the changes of a result, and prints why it can't.
func commit(cmd *cobra.Command, result generator.Result) error {
	diags, err := result.Apply(cmd.Context())
	if err != nil {
		return ours(cmd, err)
	}
	if err := diagnose(cmd, diags); err != nil {
		return err
	}
	result.Remember()
	return nil
}

// printChanges prints a line for each change below a folder, and for each file that was left as it is.
func printChanges(cmd *cobra.Command, dir string, changes []run.Change, left ...string) error {
	var lines bytes.Buffer
	for _, change := range changes {
		fmt.Fprintln(&lines, changeLine(dir, change))
	}
	for _, name := range left {
		fmt.Fprintf(&lines, "exists %s: left as it is\n", filepath.ToSlash(filepath.Join(dir, name)))
	}
	return tell(cmd, lines.Bytes())
}

// changeLine returns the line for a change below a folder.
func changeLine(dir string, change run.Change) string {
	line := verb(change) + " " + filepath.ToSlash(filepath.Join(dir, change.Path))
	if change.Reason != "" {
		line += ": " + change.Reason
	}
	return line
}

// sayDeleted prints a line for each definition that is deleted, beside a diff, which doesn't say why.
func sayDeleted(cmd *cobra.Command, changes []run.Change) {
	for _, change := range changes {
		if change.Reason != "" {
			say(cmd, "%s", changeLine("", change))
		}
	}
}

// printRules prints the rules of each kind with their costs, and the share of the API server's limit.
func printRules(w io.Writer, kinds []generator.KindReport) {
	var lines bytes.Buffer
	for _, k := range kinds {
		fmt.Fprintf(&lines, "%s/%s %s: rules cost %d of %d\n", k.Group, k.Version, k.Kind, k.Cost, generator.MaxCost)
		for _, r := range k.Rules {
			fmt.Fprintf(&lines, "  %d\t%s\t%s\n", r.Cost, r.Field, r.Subject)
		}
	}
	_, _ = w.Write(aligned(lines.Bytes())) // standard error is where this would be reported
}

// verb names the action on a changed file. All verbs have six letters, which aligns the paths.
func verb(change run.Change) string {
	switch change.Action {
	case run.Create:
		return "create"
	case run.Delete:
		return "delete"
	default:
		return "update"
	}
}

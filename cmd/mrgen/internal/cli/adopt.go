package cli

import (
	_ "embed" // of the report
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/adopt"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/fix"
	"github.com/mrgen-io/mrgen/generator/run"
)

func newAdoptCommand() *cobra.Command {
	var verbose bool
	cmd := &cobra.Command{
		Use:   "adopt",
		Short: "Move a provider from controller-gen and angryjet to mrgen",
		Long: `adopt finds what runs controller-gen and angryjet: //go:generate directives, and commands in
Makefiles, shell scripts, Taskfiles and justfiles. It expands variables of make, but runs nothing.
It writes mrgen.yaml with the same paths and options, puts mrgen in their place, and generates.
Rules for required and immutable fields are off, so that the CRDs stay as they are; mrgen.yaml says
how to switch them on. Existing settings stay.

It counts the changed files by the causes of their difference. It stops if committed CRDs have
something that the types don't ask for, such as a rule that somebody added by hand. Directives
that ask for more than mrgen does stay, and are named. Misspelt markers, which the earlier tools
ignored, become warnings. If anything is wrong, it changes nothing.`,
		Example: `  # Show what would change:
  mrgen adopt --diff

  # Do it:
  mrgen adopt`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return runAdopt(cmd, verbose) },
	}
	addDiffFlag(cmd.Flags())
	cmd.Flags().BoolVarP(&verbose, verboseFlag, "v", false, "name each file, and the cause of its difference")
	cmd.Flags().Bool(acceptLossFlag, false, "drop from CRDs what their types don't ask for")
	addForceFlag(cmd)
	return cmd
}

const acceptLossFlag = "accept-loss"

func runAdopt(cmd *cobra.Command, verbose bool) error {
	_, s, diags := moduleSettings(cmd, nil)
	if diags.HasErrors() {
		return diagnose(cmd, diags)
	}
	directive := "mrgen generate"
	// A build without a version can't be pinned: the directive runs the mrgen on PATH.
	if version := ownVersion(); version != "" {
		directive = "go run github.com/mrgen-io/mrgen/cmd/mrgen@" + version + " generate"
	}
	adoption, err := adopt.Run(cmd.Context(), s.Options.Run(), directive, isSet(cmd, acceptLossFlag))
	// An interrupted run returns no error of its own.
	if err != nil || cmd.Context().Err() != nil {
		return ours(cmd, err)
	}
	if err := diagnose(cmd, adoption.Diagnostics); err != nil {
		return err
	}
	if wantsDiff(cmd) {
		return writeDiff(cmd, adoption.Diff())
	}
	isOwn := func(path string) bool { return adoption.Own[path] }
	if _, err := edit(cmd, adoption.Result, isOwn, false); err != nil {
		return err
	}
	if err := tell(cmd, describeAdoption(adoption, verbose)); err != nil {
		return err
	}
	if changes := adoption.Changes(); len(changes) > 0 {
		say(cmd, "%s", summary(changes))
		sayUnpinned(cmd, "directives run")
		say(cmd, "Next: read git diff, run your tests, commit, and have CI run mrgen verify")
	}
	return nil
}

const forceFlag = "force"

func addForceFlag(cmd *cobra.Command) {
	cmd.Flags().Bool(forceFlag, false, "edit files with uncommitted changes")
}

// edit applies a result that edits the author's own files. If git can't restore them, it refuses, or with
// mayKeep writes the diff to the file undo first: every edit can be taken back.
func edit(cmd *cobra.Command, result generator.Result, own func(path string) bool, mayKeep bool) (undo string, err error) {
	if !isSet(cmd, forceFlag) {
		diags, err := fix.Uncommitted(cmd.Context(), result, own)
		if err != nil {
			return "", ours(cmd, err)
		}
		if diags.HasErrors() && mayKeep {
			cache, _ := cacheDir() // without one, nothing is kept
			undo, err = fix.KeepDiff(result, cache)
		}
		if diags.HasErrors() && (!mayKeep || err != nil) {
			return "", diagnose(cmd, diags)
		}
	}
	return undo, commit(cmd, result)
}

// listed is the number of files or lines of a kind that are named unless the command is verbose.
const listed = 5

//go:embed adopt.txt.tmpl
var adoptionText string

// describeAdoption counts the changed files by reason, and if verbose, lists each.
func describeAdoption(adoption adopt.Result, verbose bool) []byte {
	const isNew, differs, deleted = "new", "differ: ", "deleted"
	data := struct {
		adopt.Result
		Verbose              bool
		Lines, Files, Causes []string
		Counts               map[string]int
	}{Result: adoption, Verbose: verbose, Causes: []string{isNew}, Counts: map[string]int{}}
	for _, difference := range adoption.Differences() {
		data.Causes = append(data.Causes, isNew+": "+difference, differs+difference)
	}
	data.Causes = append(data.Causes, deleted)
	for _, change := range adoption.Changes() {
		line := verb(change) + " " + change.Path
		switch {
		case adoption.Own[change.Path]: // the author's own files are always listed
			data.Lines = append(data.Lines, line)
			continue
		case change.Action == run.Delete:
			line += ": the earlier tools wrote it, and it is of no use any more"
			if data.Counts[deleted]++; !verbose && data.Counts[deleted] <= listed {
				data.Lines = append(data.Lines, line)
			}
		default:
			reasons, cause := adoption.Reasons(change), differs
			if change.Action == run.Create {
				cause = isNew + ": "
			}
			for _, reason := range reasons {
				data.Counts[cause+reason]++
			}
			if len(reasons) == 0 {
				data.Counts[isNew]++
			} else {
				line += ": " + strings.Join(reasons, "; ")
			}
		}
		data.Files = append(data.Files, line)
	}
	return page(adoptionText, data)
}

// positions lists positions, a few of them unless the command is verbose.
func positions(at []diag.Position, verbose bool) string {
	var list []string
	for i, position := range at {
		if !verbose && i == listed {
			list = append(list, fmt.Sprintf("and %d more, which -v prints", len(at)-listed))
			break
		}
		list = append(list, position.String())
	}
	return strings.Join(list, ", ")
}

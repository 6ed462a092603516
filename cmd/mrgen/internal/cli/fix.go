package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/fix"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newFixCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fix",
		Short: "Edit API types: references, markers, required fields, findings",
		Long: `fix edits Go source where the correction is certain, and leaves every other byte alone. Files that
are formatted with gofmt stay formatted.`,
		Example: `  # Show what would change:
  mrgen fix references --diff ./apis/...`,
	}
	cmd.AddCommand(newFixReferencesCommand(), newFixRelaxCommand(), newFixImmutableCommand(), newFixMarkersCommand(), newFixLintCommand())
	return cmd
}

func newFixReferencesCommand() *cobra.Command {
	return newSourceFix(fix.References, &cobra.Command{
		Use:   "references [packages]",
		Short: "Add the fields that reference markers need",
		Long: `references adds the fields for the reference and the selector beside each field that is marked
+crossplane:generate:reference:type and lacks them. It adds omitempty to the json tag of the
marked field, which a reference can stand in for.

A required value stays required unless a reference or selector is set: in spec.forProvider by
+kubebuilder:validation:Required, for which generate writes such a rule; elsewhere, and with
rules.required: off, by a rule on its struct. If neither is possible, the value stays required, and
a warning says why.` + fixHelp,
		Example: `  # Show what would change, then change it:
  mrgen fix references --diff ./apis/...
  mrgen fix references ./apis/...`,
	})
}

func newFixRelaxCommand() *cobra.Command {
	pointers := false
	cmd := newSourceFix(func(ctx context.Context, options run.Options) (generator.Result, error) {
		if pointers {
			return fix.RelaxToPointers(ctx, options)
		}
		return fix.Relax(ctx, options)
	}, &cobra.Command{
		Use:   "relax [packages]",
		Short: "Let observe-only resources omit required fields",
		Long: `relax edits the required fields of spec.forProvider that Go always sends, because they are not
pointers or lack omitempty: it adds omitempty and +kubebuilder:validation:Required. generate then
writes a rule that requires the field unless the resource is observe-only.

A string that can't be empty keeps its type, and so do strings and structs that code in the API
packages uses. Other fields become pointers; a warning names each place in the module that uses one.
Fields with +mrgen:identifier or a default stay as they are, and so do fields of kinds with
+mrgen:relax=false or without management policies.` + fixHelp,
		Example: `  # Show what would change, then change it:
  mrgen fix relax --diff ./apis/...
  mrgen fix relax ./apis/...`,
	})
	cmd.Flags().BoolVar(&pointers, "pointers", false, "also make strings pointers")
	return cmd
}

func newFixImmutableCommand() *cobra.Command {
	var which fix.Selection
	cmd := newSourceFix(func(ctx context.Context, options run.Options) (generator.Result, error) {
		return fix.Immutable(ctx, options, which)
	}, &cobra.Command{
		Use:   "immutable [packages]",
		Short: "Replace hand-written immutability rules by +immutable",
		Long: `immutable replaces rules in spec.forProvider that only demand that a field stays as it is, such as
self == oldSelf, by +immutable: at the field, and at a struct or kind around it.

+immutable allows something else: a field that is set can't be removed, and an unset field can be
set later. So name the kinds with --kind, or pass --all. Without either, it changes nothing, and
says for each rule what would change for users, or why the rule stays. It also removes +immutable
from selectors, where it has no effect.` + fixHelp,
		Example: `  # See what changes for users, then change a kind, then all:
  mrgen fix immutable ./apis/...
  mrgen fix immutable --kind Bucket ./apis/...
  mrgen fix immutable --all ./apis/...`,
	})
	cmd.Flags().StringArrayVar(&which.Kinds, "kind", nil, "replace the rules of a `kind`; may be repeated")
	cmd.Flags().BoolVar(&which.All, "all", false, "replace the rules of all kinds")
	cmd.MarkFlagsMutuallyExclusive("kind", "all")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		// Without a selection, run prints only what would change for users.
		if err == nil && !which.All && len(which.Kinds) == 0 {
			say(cmd, "no file is changed: pass --kind KIND or --all")
		}
		return err
	}
	return cmd
}

func newFixMarkersCommand() *cobra.Command {
	return newSourceFix(fix.Markers, &cobra.Command{
		Use:   "markers [packages]",
		Short: "Correct misspelt markers",
		Long: `markers corrects comments that were meant to be markers but that no tool reads: names with a slip
such as +imutable, a space after the plus sign, a colon instead of the equals sign, or a missing
plus sign before a known namespace. It makes certain corrections; warnings name the other comments.
The markers then have their effect, such as constraints that the CRD lacked.` + fixHelp,
		Example: `  # Show what would change, then change it:
  mrgen fix markers --diff ./apis/...
  mrgen fix markers ./apis/...`,
	})
}

func newFixLintCommand() *cobra.Command {
	var names []string
	cmd := newSettingsFix(func(ctx context.Context, s settings.Settings) (generator.Result, error) {
		edits, diags, err := lint.Fixes(ctx, s.Options.Run(), s.Lint, names)
		if err != nil || diags.HasErrors() {
			return generator.Result{Diagnostics: diags}, err
		}
		result, err := fix.Findings(ctx, s.Options.Run(), edits)
		result.Diagnostics = append(diags, result.Diagnostics...)
		return result, err
	}, &cobra.Command{
		Use:   "lint [packages]",
		Short: "Correct findings of lint where that is safe",
		Long: `lint edits the source where a finding of mrgen lint can be corrected safely: the API server still
accepts the same objects, and the module compiles. A warning names each place that uses a field that
becomes a pointer. Findings of the baseline are corrected as well.

Fixes that narrow the API, such as marking a field immutable or required, need --rule. mrgen lint
--list shows which these are.` + fixHelp,
		Example: `  # Show what would change, then change it:
  mrgen fix lint --diff ./apis/...
  mrgen fix lint ./apis/...

  # A fix that narrows the API:
  mrgen fix lint --rule single-field-struct ./apis/...`,
	})
	cmd.Flags().Var(&ruleNames{&names}, "rule", "correct only the findings of this rule; may be repeated")
	complete(cmd, "rule", completeRules(func(r lint.Rule) bool { return r.Fix != "" }))
	return cmd
}

// ruleNames is a flag with names of rules that have a fix.
type ruleNames struct{ names *[]string }

// Set takes the name of a rule.
func (r *ruleNames) Set(name string) error {
	for _, rule := range lint.Rules() {
		if rule.Name == name && rule.Fix != "" {
			*r.names = append(*r.names, name)
			return nil
		}
	}
	return errors.New(`must be a rule with a fix, which "mrgen lint --list" shows`)
}

// String returns the names.
func (r *ruleNames) String() string { return strings.Join(*r.names, ",") }

// Type returns the placeholder of the value in help texts.
func (r *ruleNames) Type() string { return "rule" }

const fixHelp = `

All or nothing: if anything is wrong, it lists every problem and changes nothing. Run mrgen generate
afterwards.`

// newSourceFix completes the command of a fix.
func newSourceFix(fix func(context.Context, run.Options) (generator.Result, error), cmd *cobra.Command) *cobra.Command {
	return newSettingsFix(func(ctx context.Context, s settings.Settings) (generator.Result, error) {
		return fix(ctx, s.Options.Run())
	}, cmd)
}

// newSettingsFix is [newSourceFix] for a fix that needs more settings than options.
func newSettingsFix(fix func(context.Context, settings.Settings) (generator.Result, error), cmd *cobra.Command) *cobra.Command {
	addDiffFlag(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		_, result, err := evaluate(cmd, args, fix)
		if err != nil {
			return err
		}
		if err := diagnose(cmd, result.Diagnostics); err != nil {
			return err
		}
		if wantsDiff(cmd) {
			return writeDiff(cmd, result.Diff())
		}
		undo, err := edit(cmd, result, func(string) bool { return true }, true)
		if err != nil {
			return err
		}
		// The diff on standard output shows the edits among the author's own.
		if undo != "" {
			err = writeDiff(cmd, result.Diff())
		} else {
			err = printChanges(cmd, "", result.Changes())
		}
		if err != nil || len(result.Changes()) == 0 {
			return err
		}
		if undo != "" {
			say(cmd, "files with uncommitted changes are edited: git apply -R %s undoes it", undo)
		}
		say(cmd, "now run mrgen generate: until then, generated files match the source before, and may not compile")
		return nil
	}
	addForceFlag(cmd)
	cmd.Flags().BoolP(verboseFlag, "v", false, "print every warning, also similar ones, and the time of each step")
	return cmd
}

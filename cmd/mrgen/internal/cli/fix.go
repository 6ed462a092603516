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
		Short: "Edit the source of API types",
		Long: `fix edits Go source where the way to put something right is plain, and leaves every
other byte of it alone. Files that gofmt has formatted stay so.`,
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
		Long: `references adds the fields for the reference and the selector beside each field that
is marked +crossplane:generate:reference:type and lacks them, and adds omitempty to
the json tag of the marked field, which the reference stands in for.

A value that was required goes on to be, unless a reference or selector is given. In
spec.forProvider the field is marked +kubebuilder:validation:Required, of which
generate makes such a rule; elsewhere, and with "rules: {required: off}", its struct
gets a rule of its own. Where neither is possible, the value stays required as it was,
and a warning says why.` + fixHelp,
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
		Short: "Let resources that are only observed do without required fields",
		Long: `relax edits the required fields of spec.forProvider that Go always sends, since they
are no pointers or have no omitempty: each gets omitempty, and is marked
+kubebuilder:validation:Required. generate can then require such a field unless the
resource is only observed; in a struct, also if spec.initProvider alone has the struct.

A string keeps its type if it can't be empty: by a marker, or since the rule that generate
writes asks for more, unless mrgen.yaml switches that off. Others become pointers. Strings
and structs that code in the API packages uses keep their types, so that it compiles: they
get omitempty or omitzero alone. With --pointers, what can become a pointer does.

Fields with +mrgen:identifier or a default stay as they are, and so do those that rules
can't ask for and the fields of kinds that are marked +mrgen:relax=false or have no
management policies. A warning names each place in the module, tests included, that uses a
changed field.` + fixHelp,
		Example: `  # Show what would change, then change it:
  mrgen fix relax --diff ./apis/...
  mrgen fix relax ./apis/...`,
	})
	cmd.Flags().BoolVar(&pointers, "pointers", false, "make strings pointers, too")
	return cmd
}

func newFixImmutableCommand() *cobra.Command {
	var which fix.Selection
	cmd := newSourceFix(func(ctx context.Context, options run.Options) (generator.Result, error) {
		return fix.Immutable(ctx, options, which)
	}, &cobra.Command{
		Use:   "immutable [packages]",
		Short: "Write +immutable in place of rules that fields stay as they are",
		Long: `immutable replaces hand-written rules in spec.forProvider that demand nothing but that
a field stays as it is, such as self == oldSelf, by +immutable: those at the field,
and those at a struct or a kind around it. How a rule is written does not matter, but
what it allows.

+immutable allows something else: a field that is set can't be removed, and one that
is not can be set later. So the rules of a kind are only replaced if you name it, or
pass --all. Without either, immutable changes nothing, and says of each rule what
would change for users, or why it stays. A rule stays if it asks for more, or if the
field is somewhere else, too, where +immutable has no effect.

Selectors lose the marker +immutable, which has no effect on them.` + fixHelp,
		Example: `  # See what changes for users, then change a kind, then all:
  mrgen fix immutable ./apis/...
  mrgen fix immutable --kind Bucket ./apis/...
  mrgen fix immutable --all ./apis/...`,
	})
	cmd.Flags().StringArrayVar(&which.Kinds, "kind", nil, "replace the rules of a kind; may be repeated")
	cmd.Flags().BoolVar(&which.All, "all", false, "replace the rules of all kinds")
	complete(cmd, "kind", completeKinds)
	cmd.MarkFlagsMutuallyExclusive("kind", "all")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
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
		Short: "Put misspelt markers right",
		Long: `markers corrects comments that were meant to be markers, and that nobody reads: names
with a slip such as +imutable, a space after the plus sign, a colon in place of the
equals sign, and in the namespaces that mrgen knows, a plus sign that is missing. It
edits what is certain; a warning names each of the others. The output of generate then
has what the markers say, such as constraints that it lacked.` + fixHelp,
		Example: `  # Show what would change, then change it:
  mrgen fix markers --diff ./apis/...
  mrgen fix markers ./apis/...`,
	})
}

func newFixLintCommand() *cobra.Command {
	var names []string
	cmd := newSettingsFix(func(ctx context.Context, s settings.Settings) (generator.Result, error) {
		return fix.Lint(ctx, s.Options, s.Lint, names)
	}, &cobra.Command{
		Use:   "lint [packages]",
		Short: "Put right what lint finds, where that is safe",
		Long: `lint edits the source where mrgen lint finds something that can be put right without an
author. The API server accepts what it accepted, and the module compiles: a field that
code uses in a way that would not compile then stays as it is. A warning names each place
that uses a field which is a pointer now.

Some fixes narrow the API, such as those that mark a field immutable or required: they
are made only if --rule names them. "mrgen lint --list" says which. What the baseline has
is put right as well.` + fixHelp,
		Example: `  # Show what would change, then change it:
  mrgen fix lint --diff ./apis/...
  mrgen fix lint ./apis/...

  # A fix that narrows the API:
  mrgen fix lint --rule single-field-struct ./apis/...`,
	})
	cmd.Flags().Var(&ruleNames{&names}, "rule", "put right what this rule finds, and nothing else; may be repeated")
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

// Type returns what stands for the value in help texts.
func (r *ruleNames) Type() string { return "rule" }

const fixHelp = `

It prints one line a changed file. If anything is wrong, it names every problem and
changes nothing. With --diff it changes nothing either, and prints the changes as a
unified diff that git apply accepts; the exit status is 0 whether there are any or not.
Run mrgen generate after it: until then, generated files are of the source before the
edits, and may not compile.
Warnings that are alike are one line with their number; -v prints each.` + forceHelp + `

Packages default to those in mrgen.yaml, or else to ./...`

// newSourceFix completes the command of a fix.
func newSourceFix(fix func(context.Context, run.Options) (generator.Result, error), cmd *cobra.Command) *cobra.Command {
	return newSettingsFix(func(ctx context.Context, s settings.Settings) (generator.Result, error) { return fix(ctx, s.Options) }, cmd)
}

// newSettingsFix is [newSourceFix] for a fix that heeds more than options.
func newSettingsFix(fix func(context.Context, settings.Settings) (generator.Result, error), cmd *cobra.Command) *cobra.Command {
	addDiffFlag(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		_, result, err := evaluate(cmd, args, fix)
		if err != nil {
			return err
		}
		printDiagnostics(cmd, result.Diagnostics)
		if result.Diagnostics.HasErrors() {
			return errReported
		}
		if wantsDiff(cmd) {
			return writeDiff(cmd, result.Diff())
		}
		if err := edit(cmd, result, func(string) bool { return true }); err != nil {
			return err
		}
		if err := printChanges(cmd, result.Changes()); err != nil || len(result.Changes()) == 0 {
			return err
		}
		say(cmd, "now run mrgen generate: until then, what it has written is of the source before, and may not compile")
		return nil
	}
	addForceFlag(cmd)
	cmd.Flags().BoolP(verboseFlag, "v", false, "name each place, where others are counted")
	return cmd
}

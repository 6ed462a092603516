package cli

import (
	"bytes"
	_ "embed" // of the page
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newLintCommand() *cobra.Command {
	var list, writeBaseline bool
	var explained string
	var format string
	cmd := &cobra.Command{
		Use:   "lint [packages]",
		Short: "Check the API against Crossplane's conventions",
		Long: `lint checks API types against rules, most of them from Crossplane's design documents. It writes
nothing. mrgen diagnostics RULE explains a rule. Errors in some kinds don't hide findings in others:
lint reports both, and names the kinds that it can't check.

lint.rules.RULE in mrgen.yaml sets the severity of a rule, or switches it off. In source,
+mrgen:nolint:RULE="reason" on a field, type or kind accepts a finding. lint.baseline names a
file with known findings, and known warnings of generate and verify.

Exit status: 0 if nothing is found except hints, 1 if something is, 2 for wrong input or trouble.`,
		Example: `  mrgen lint ./apis/...

  # For code scanning:
  mrgen lint -o sarif > mrgen.sarif`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case list:
				return write(cmd.OutOrStdout(), listRules())
			case explained != "":
				text, err := explainRule(explained)
				if err != nil {
					return err
				}
				return write(cmd.OutOrStdout(), text)
			// The flag would be silently ignored.
			case wantsDiff(cmd) && !writeBaseline:
				return errors.New("lint writes nothing but a baseline: --diff is for --write-baseline")
			// A baseline from some packages would lack the findings of the others.
			case writeBaseline && len(args) > 0:
				return errors.New("--write-baseline is about all packages: leave out the patterns")
			default:
				return runLint(cmd, args, writeBaseline, format)
			}
		},
	}
	flags := cmd.Flags()
	addFlags(flags, crdDirFlag, mrdDirFlag, dangerousFlag, markersFlag, minKubernetesFlag)
	addFormatFlag(flags, &format)
	flags.BoolVar(&list, "list", false, "list the rules")
	flags.StringVar(&explained, "explain", "", "explain a `rule`; all: print the reference of all rules as Markdown")
	flags.BoolVar(&writeBaseline, "write-baseline", false, "write findings and warnings to the file in lint.baseline")
	complete(cmd, "explain", completeRules(func(lint.Rule) bool { return true }, "all"))
	addDiffFlag(flags)
	cmd.MarkFlagsMutuallyExclusive("list", "explain", "write-baseline")
	return cmd
}

func runLint(cmd *cobra.Command, args []string, writeBaseline bool, format string) error {
	root, s, diags := moduleSettings(cmd, args)
	if writeBaseline && s.Lint.Baseline == "" && !diags.HasErrors() {
		return errors.New("there is no file for the baseline: name one in " + settings.FileName + ", as in lint: {baseline: .mrgen-lint.yaml}")
	}
	var found lint.Result
	if !diags.HasErrors() {
		s.Options.Dir = root
		s.Lint.WriteBaseline, s.Lint.DryRun = writeBaseline, wantsDiff(cmd)
		var err error
		if found, err = lint.Run(cmd.Context(), s.Options.Run(), s.Lint); err != nil || cmd.Context().Err() != nil {
			return ours(cmd, err)
		}
		diags = s.Place(found.Diagnostics)
	}
	if writeBaseline {
		format = textFormat // the command prints no findings that programs could read
	}
	all := outcome{diagnostics: diags, findings: found.Findings}
	if err := printOutcome(cmd, format, root, all); err != nil {
		return err
	}
	if diags.HasErrors() {
		if len(found.Findings) > 0 {
			_ = sayFindings(cmd, found, s.Lint.Baseline, false) // errors determine the status
		}
		return errReported
	}
	if writeBaseline && wantsDiff(cmd) {
		return writeDiff(cmd, generator.Diff(found.Baseline))
	}
	if writeBaseline {
		say(cmd, "%s has %s", s.Lint.Baseline, count(found.Known, "finding"))
		return nil
	}
	return sayFindings(cmd, found, s.Lint.Baseline, len(args) == 0)
}

// sayFindings prints a summary of the findings. It returns an error if any of them counts.
func sayFindings(cmd *cobra.Command, found lint.Result, baseline string, all bool) error {
	if found.Generated > 0 {
		say(cmd, "%s in generated files, which lint doesn't show", count(found.Generated, "finding"))
	}
	// Findings in packages that weren't checked aren't fixed.
	if found.Fixed > 0 && all {
		say(cmd, "%s in %s: mrgen lint --write-baseline drops them", count(found.Fixed, "fixed finding"), baseline)
	}
	if !found.Counts() {
		return nil
	}
	fixable, byName := 0, 0
	for _, f := range found.Findings {
		switch {
		case f.ByName:
			byName++
		case f.Fixable:
			fixable++
		}
	}
	help := ""
	switch {
	case fixable > 0 && byName > 0:
		help = fmt.Sprintf("; mrgen fix lint corrects %d, and with --rule %d more", fixable, byName)
	case byName > 0:
		help = fmt.Sprintf("; mrgen fix lint --rule corrects %d", byName)
	case fixable > 0:
		help = fmt.Sprintf("; mrgen fix lint corrects %d", fixable)
	}
	say(cmd, "%s%s", count(len(found.Findings), "finding"), help)
	return errDifferences
}

// count returns a number with a noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// listRules returns a line for each rule.
func listRules() []byte {
	var text bytes.Buffer
	for _, r := range lint.Rules() {
		fmt.Fprintf(&text, "%s\t%s\t%s\t%s\n", r.Name, r.Severity, fixWord(r), r.Doc)
	}
	return aligned(text.Bytes())
}

// fixWord says in a word whether mrgen fix lint corrects the findings of a rule.
func fixWord(r lint.Rule) string {
	switch {
	case r.Fix == "":
		return "-"
	case r.Narrows:
		return "fix by name"
	default:
		return "fix"
	}
}

// explainRule describes a rule, or all of them.
func explainRule(name string) ([]byte, error) {
	if name == "all" {
		return ruleReference(), nil
	}
	rules := lint.Rules()
	var names []string
	for _, r := range rules {
		names = append(names, r.Name)
	}
	i, err := find("rule", name, "mrgen lint --list shows the rules", names)
	if err != nil {
		return nil, err
	}
	return []byte(describeRule(rules[i])), nil
}

//go:embed rule.txt.tmpl
var ruleText string

// describeRule describes a rule, in text that is Markdown, too.
func describeRule(r lint.Rule) string { return string(page(ruleText, r)) }

// codeLines indents source, which makes it code in Markdown.
func codeLines(source string) string {
	return strings.ReplaceAll(strings.ReplaceAll("    "+source, "\n", "\n    "), "\n    \n", "\n\n")
}

//go:embed lint.md.tmpl
var lintPage string

// ruleReference returns the reference of all rules as Markdown.
func ruleReference() []byte {
	return page(lintPage, lint.Rules())
}

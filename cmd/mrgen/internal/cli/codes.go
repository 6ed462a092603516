package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newDiagnosticsCommand() *cobra.Command {
	format := "text"
	cmd := &cobra.Command{
		Use:   "diagnostics [CODE]",
		Short: "Show what diagnostics mean",
		Long: `diagnostics shows the code of each diagnostic, what it means, an example, and what to do.
Codes are what programs tell diagnostics by: generate, verify and lint print them with -o json
or -o sarif. They don't change. The findings of mrgen lint have the names of rules.`,
		Example: `  mrgen diagnostics round-trip
  mrgen diagnostics -o markdown > docs/diagnostics.md`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var codes []cobra.Completion
			for _, c := range diag.Codes() {
				if len(args) == 0 {
					codes = append(codes, cobra.CompletionWithDesc(string(c.Code), c.Means))
				}
			}
			return codes, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			codes := diag.Codes()
			if len(args) > 0 {
				var err error
				if codes, err = codesNamed(codes, args[0]); err != nil {
					return err
				}
			}
			text, err := describeCodes(codes, format)
			if err != nil {
				return &internalError{cause: err}
			}
			return write(cmd.OutOrStdout(), text)
		},
	}
	cmd.Flags().VarP(settings.Choice(&format, "format", "text", "markdown", "json"), "output", "o", "text, markdown or json")
	return cmd
}

// codesNamed returns the code of a name.
func codesNamed(codes []diag.CodeReference, name string) ([]diag.CodeReference, error) {
	var names []string
	for i, c := range codes {
		if string(c.Code) == name {
			return codes[i : i+1], nil
		}
		names = append(names, string(c.Code))
	}
	if slices.ContainsFunc(lint.Rules(), func(r lint.Rule) bool { return r.Name == name }) {
		return nil, fmt.Errorf("%s is a rule of lint: mrgen lint --explain %s says what it asks for", name, name)
	}
	if near := suggest(name, names); near != "" {
		return nil, fmt.Errorf("there is no code %s: did you mean %s?", settings.Printable(name), near)
	}
	return nil, fmt.Errorf("there is no code %s: mrgen diagnostics shows the codes", settings.Printable(name))
}

func describeCodes(codes []diag.CodeReference, format string) ([]byte, error) {
	var text bytes.Buffer
	switch format {
	case "json":
		return indented(codes)
	case "markdown":
		if len(codes) > 1 {
			text.WriteString(codesPage)
		}
		for _, c := range codes {
			fmt.Fprintf(&text, "\n## %s\n\n%s\n\n    %s\n\n%s\n", c.Code, markdown(c.Means), c.Example, markdown(c.Remedy))
		}
	default:
		for i, c := range codes {
			if i > 0 {
				text.WriteByte('\n')
			}
			fmt.Fprintf(&text, "%s\n  %s\n  For example:\n    %s\n  %s\n", c.Code, c.Means, c.Example, c.Remedy)
		}
	}
	return bytes.TrimPrefix(text.Bytes(), []byte("\n")), nil
}

var codesPage = strings.TrimSpace(`
# Diagnostics

This page is made by `+"`mrgen diagnostics -o markdown`"+`.

A diagnostic is one line: `+"`file:line:col: what is wrong, and what to do`"+`. An error means that
the output would be wrong, and prevents it. A warning means that the source says something
without effect. Each has a code, by which programs can tell it: `+"`-o json` and `-o sarif`"+` of
`+"`mrgen generate`, `mrgen verify` and `mrgen lint`"+` have it, and it doesn't change. Findings of
`+"`mrgen lint`"+` have the names of [rules](lint.md).
`) + "\n"

package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/report"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newExplainCommand() *cobra.Command {
	format := "text"
	cmd := &cobra.Command{
		Use:   "explain KIND[.FIELD] [packages]",
		Short: "List the fields of a kind, or say why one is as it is",
		Long: `explain KIND lists the fields below spec.forProvider. explain KIND.FIELD says of a
field why it is required or not, which rules are about it, those of the author among
them, which markers it bears, and whether status.atProvider mirrors it; and it lists the
fields of an object. All versions of the kind are explained, or the one before KIND, as in
v1alpha1/VPC.cidrBlock. FIELD is a path below spec.forProvider, or one that begins with
spec or status. If lint.controllers names packages, it also says where their code reads, sends,
sets and compares the field. Nothing is written. Packages default to ./...

` + settingsHelp(),
		Example: `  # Which fields are there?
  mrgen explain VPC ./apis/...

  # Why can I leave out cidrBlock?
  mrgen explain VPC.cidrBlock ./apis/...

  # Fields in lists and maps follow the name of the list or map:
  mrgen explain SecurityGroup.spec.forProvider.ingress.fromPort

  # For scripts:
  mrgen explain VPC -o json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("%s needs a kind or a field: write KIND or KIND.FIELD, as in VPC.region", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: completeFields,
		RunE:              func(cmd *cobra.Command, args []string) error { return explain(cmd, args, format) },
	}
	addFlags(cmd.Flags())
	cmd.Flags().VarP(settings.Choice(&format, "format", "text", "markdown", "json"), "output", "o", "text, markdown or json")
	return cmd
}

func explain(cmd *cobra.Command, args []string, format string) error {
	return answer(cmd, args[1:], func(ctx context.Context, s settings.Settings) ([]report.Explanation, diag.List, error) {
		return report.Explain(ctx, s.Options, args[0], s.Lint.Controllers)
	}, explanationFormats[format])
}

var explanationFormats = map[string]func([]report.Explanation) ([]byte, error){
	"text":     explanationsAsText,
	"json":     explanationsAsJSON,
	"markdown": explanationsAsMarkdown,
}

func explanationsAsText(explanations []report.Explanation) ([]byte, error) {
	var text bytes.Buffer
	for i, e := range explanations {
		if i > 0 {
			text.WriteByte('\n')
		}
		fmt.Fprintf(&text, "%s/%s %s %s\n", e.Group, e.Version, e.Kind, e.Field)
		if e.Pos.IsValid() {
			fmt.Fprintf(&text, "  is declared at %s\n", e.Pos)
		}
		for _, fact := range e.Facts {
			fmt.Fprintf(&text, "  %s\n", fact)
		}
		if len(e.Fields) > 0 {
			fmt.Fprintln(&text, "  has the fields")
			table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
			for _, f := range e.Fields {
				fmt.Fprintf(table, "    %s\t%s\t%s\n", f.Name, f.Type, f.Facts)
			}
			_ = table.Flush() // a buffer takes anything
		}
	}
	return text.Bytes(), nil
}

func explanationsAsJSON(explanations []report.Explanation) ([]byte, error) {
	type explanation struct {
		Group   string                  `json:"group"`
		Version string                  `json:"version"`
		Kind    string                  `json:"kind"`
		Field   string                  `json:"field"`
		File    string                  `json:"file,omitempty"`
		Line    int                     `json:"line,omitempty"`
		Column  int                     `json:"column,omitempty"`
		Facts   []string                `json:"facts"`
		Fields  []report.ExplainedField `json:"fields"`
	}
	all := []explanation{}
	for _, e := range explanations {
		all = append(all, explanation{e.Group, e.Version, e.Kind, e.Field, e.Pos.File, e.Pos.Line, e.Pos.Column, append([]string{}, e.Facts...), append([]report.ExplainedField{}, e.Fields...)})
	}
	return indented(all)
}

func explanationsAsMarkdown(explanations []report.Explanation) ([]byte, error) {
	var text bytes.Buffer
	for i, e := range explanations {
		if i > 0 {
			text.WriteByte('\n')
		}
		fmt.Fprintf(&text, "## %s `%s`\n\n%s/%s", e.Kind, e.Field, e.Group, e.Version)
		if e.Pos.IsValid() {
			fmt.Fprintf(&text, ", declared at `%s`", e.Pos)
		}
		text.WriteByte('\n')
		for i, fact := range e.Facts {
			if i == 0 {
				text.WriteByte('\n')
			}
			fmt.Fprintf(&text, "- %s\n", escaped(fact))
		}
		for i, f := range e.Fields {
			if i == 0 {
				text.WriteString("\n| field | type | |\n|---|---|---|\n")
			}
			fmt.Fprintf(&text, "| `%s` | %s | %s |\n", f.Name, escaped(f.Type), escaped(f.Facts))
		}
	}
	return text.Bytes(), nil
}

// markdownEscaper has Markdown show the characters that it would read, in tables too.
var markdownEscaper = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "&", `\&`, "|", `\|`, "~", `\~`)

func escaped(text string) string { return markdownEscaper.Replace(text) }

package cli

import (
	"bytes"
	"context"
	_ "embed" // of reports
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/report"
	"github.com/mrgen-io/mrgen/generator/settings"
)

func newExplainCommand() *cobra.Command {
	format := "text"
	cmd := &cobra.Command{
		Use:   "explain KIND[.FIELD] [packages]",
		Short: "Explain why a field is required, immutable or mirrored",
		Long: `explain KIND lists the fields below spec.forProvider. explain KIND.FIELD says whether a field is
required and why, which rules and markers it has, and whether status.atProvider mirrors it. FIELD
is a path below spec.forProvider, or one that begins with spec or status. A version before KIND
selects that version, as in v1alpha1/VPC.cidrBlock.`,
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
		RunE: func(cmd *cobra.Command, args []string) error { return explain(cmd, args, format) },
	}
	addFlags(cmd.Flags(), dangerousFlag, markersFlag, minKubernetesFlag)
	cmd.Flags().VarP(settings.Choice(&format, "format", "text", "markdown", "json"), "output", "o", "text, markdown or json")
	return cmd
}

func explain(cmd *cobra.Command, args []string, format string) error {
	return answer(cmd, args[1:], func(ctx context.Context, s settings.Settings) ([]report.Explanation, diag.List, error) {
		return report.Explain(ctx, s.Options.Run(), args[0])
	}, explanationFormats[format])
}

var explanationFormats = map[string]func([]report.Explanation) ([]byte, error){
	"text":     explanationsAsText,
	"json":     explanationsAsJSON,
	"markdown": explanationsAsMarkdown,
}

//go:embed explain.txt.tmpl
var explanationsText string

func explanationsAsText(explanations []report.Explanation) ([]byte, error) {
	return page(explanationsText, alike(explanations)), nil
}

// factLines returns a fact in lines below its field.
func factLines(fact string) string { return strings.TrimLeft(wrap(fact, "      "), " ") }

// fieldTable returns a line for each field.
func fieldTable(fields []report.ExplainedField) string {
	var lines bytes.Buffer
	for _, f := range fields {
		fmt.Fprintf(&lines, "    %s\t%s\t%s\n", f.Name, f.Type, f.Facts)
	}
	return string(aligned(lines.Bytes()))
}

// goPosition matches a position in a Go file.
var goPosition = regexp.MustCompile(`[\w./-]+\.go:\d+:\d+`)

// alike groups explanations that differ only in positions, as for the two scopes of a kind.
func alike(explanations []report.Explanation) [][]report.Explanation {
	var groups [][]report.Explanation
	index := map[string]int{}
	for _, e := range explanations {
		said := goPosition.ReplaceAllString(fmt.Sprint(e.Version, e.Kind, e.Field, e.Facts, e.Fields), "")
		i, found := index[said]
		if !found {
			i = len(groups)
			index[said], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], e)
	}
	return groups
}

func explanationsAsJSON(explanations []report.Explanation) ([]byte, error) {
	type explanation struct {
		Group   string `json:"group"`
		Version string `json:"version"`
		Kind    string `json:"kind"`
		Field   string `json:"field"`
		position
		Facts  []string                `json:"facts"`
		Fields []report.ExplainedField `json:"fields"`
	}
	all := []explanation{}
	for _, e := range explanations {
		all = append(all, explanation{e.Group, e.Version, e.Kind, e.Field, position(e.Pos), append([]string{}, e.Facts...),
			append([]report.ExplainedField{}, e.Fields...)})
	}
	return indented(all)
}

//go:embed explain.md.tmpl
var explanationsMarkdown string

func explanationsAsMarkdown(explanations []report.Explanation) ([]byte, error) {
	return page(explanationsMarkdown, explanations), nil
}

// markdownEscaper escapes the characters that have a meaning in Markdown, in tables too.
var markdownEscaper = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`,
	"<", `\<`, ">", `\>`, "&", `\&`, "|", `\|`, "~", `\~`)

func escaped(text string) string { return markdownEscaper.Replace(text) }

package cli

import (
	"bytes"
	"cmp"
	_ "embed" // of the page
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/breaking"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/report"
	"github.com/mrgen-io/mrgen/generator/settings"
	"github.com/mrgen-io/mrgen/testdata"
)

func newDiagnosticsCommand() *cobra.Command {
	format := "text"
	cmd := &cobra.Command{
		Use:   "diagnostics [CODE]",
		Short: "Explain the codes of messages and rules",
		Long: `diagnostics lists the codes in brackets at the end of messages: diagnostics, the rules of
lint, and the classes of breaking changes. With a CODE, it says what the code means, shows an
example, says what to do, and names the page to read. It knows the names of failures of lives, too.
Codes don't change.`,
		Example: `  mrgen diagnostics round-trip
  mrgen diagnostics -o markdown > docs/diagnostics.md`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := strings.Trim(strings.Join(args, ""), "[]") // pasted with its brackets
			// Rules have a description of their own, except for programs.
			if i := slices.IndexFunc(lint.Rules(), func(r lint.Rule) bool { return r.Name == name }); i >= 0 && format != "json" {
				return write(cmd.OutOrStdout(), []byte(describeRule(lint.Rules()[i])))
			}
			codes := allCodes()
			if len(args) > 0 {
				codes = append(codes, lifeCodes()...)
				var names []string
				for _, c := range codes {
					names = append(names, string(c.Code))
				}
				i, err := find("code", name, "mrgen diagnostics lists the codes", names)
				if err != nil {
					return err
				}
				codes = codes[i : i+1]
			}
			text, err := describeCodes(codes, format)
			return output(cmd, text, err)
		},
	}
	for _, c := range allCodes() {
		cmd.ValidArgs = append(cmd.ValidArgs, cobra.CompletionWithDesc(string(c.Code), c.Means))
	}
	cmd.Flags().VarP(settings.Choice(&format, "format", "text", "markdown", "json"), "output", "o", "text, markdown or json")
	return cmd
}

// A knownCode is a code that may stand in brackets at the end of a message.
type knownCode struct {
	report.CodeReference
	// full, url and level are for code scanning, which shows them beside the reference.
	full, url string
	level     lint.Severity
}

// allCodes returns the codes of diagnostics, of lint's rules, and of the classes of breaking changes.
func allCodes() []knownCode {
	var codes []knownCode
	for _, c := range report.Codes() {
		codes = append(codes, knownCode{c, c.Means + " " + c.Remedy, pageURL + "diagnostics.md#" + string(c.Code), lint.Error})
	}
	for _, r := range lint.Rules() {
		reference := report.CodeReference{
			Code: diag.Code(r.Name), Severity: r.Severity.String(), Guide: "lint.md#" + r.Name, Means: r.Doc, Example: r.Before,
			Remedy: cmp.Or(r.Fix, "Edit the source as the message says."),
		}
		codes = append(codes, knownCode{reference, r.Doc + " " + r.Why, r.URL, r.Severity})
	}
	for _, class := range breaking.Classes() {
		reference := report.CodeReference{
			Code: diag.Code(breakCode(class)), Severity: "error", Guide: "guide/breaking.md", Means: sentence(class.Doc()) + ".",
			Remedy: "Keep the API compatible, or give the reason in breaking.allow in mrgen.yaml.",
		}
		codes = append(codes, knownCode{reference, reference.Means, pageURL + reference.Guide, lint.Error})
	}
	return codes
}

// ofLife matches a cause of failures in the source of lives.
var ofLife = regexp.MustCompile(`cause\{"([^"]+)", "([^"]+)",\s*"([^"]+)"\}`)

// lifeCodes returns the names of failures of lives.
func lifeCodes() (codes []knownCode) {
	source, err := testdata.Life.ReadFile("life/causes.go")
	if err != nil {
		panic(err) // it is embedded
	}
	for _, m := range ofLife.FindAllStringSubmatch(string(source), -1) {
		reference := report.CodeReference{
			Code: diag.Code(m[1]), Severity: "failure of TestLife", Guide: "guide/lives.md#what-a-failure-means", Means: sentence(m[2]) + ".", Remedy: m[3] + ".",
		}
		codes = append(codes, knownCode{CodeReference: reference})
	}
	return codes
}

// pageURL is where the pages of the documentation are.
const pageURL = repositoryURL + "/blob/main/docs/"

func describeCodes(codes []knownCode, format string) ([]byte, error) {
	var text bytes.Buffer
	switch {
	case format == "json":
		return indented(codes)
	case format == "markdown":
		if len(codes) > 1 {
			codes = codes[:len(report.Codes())] // rules come later, and have a page of their own
		}
		text.Write(page(codesPage, codes))
	case len(codes) > 1:
		for _, c := range codes {
			fmt.Fprintf(&text, "%s\t%s\n", c.Code, c.Means)
		}
		return aligned(text.Bytes()), nil
	default:
		c := codes[0]
		fmt.Fprintf(&text, "%s (%s)\n\n%s\n\n", c.Code, c.Severity, c.Means)
		if c.Example != "" {
			fmt.Fprintf(&text, "For example:\n\n  %s\n\n", c.Example)
		}
		fmt.Fprintf(&text, "%s\n\nMore: %s%s\n", c.Remedy, pageURL, c.Guide)
	}
	return bytes.TrimPrefix(text.Bytes(), []byte("\n")), nil
}

//go:embed diagnostics.md.tmpl
var codesPage string

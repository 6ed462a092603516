package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mrgen-io/mrgen/generator/breaking"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/generator/settings"
)

// An outcome is the report of a command: diagnostics, lint's findings, changed files and breaking changes.
type outcome struct {
	diagnostics diag.List
	findings    []lint.Finding
	changes     []run.Change
	// breaks are the breaking changes, or nil if the command doesn't look for them.
	breaks *breaking.Result
	// stale is set if the changes are not made: the files are out of date, as for verify.
	stale bool
}

// An entry is a diagnostic, a finding, a file that is out of date, or something that breaks.
type entry struct {
	code    string
	level   level
	pos     diag.Position
	message string
	// fingerprint stays the same when code moves.
	fingerprint string
}

// A level is a severity in the terms of SARIF and GitHub.
type level struct{ sarif, github string }

var levels = map[lint.Severity]level{
	lint.Off:     {"none", ""}, // of a rule, never of a finding
	lint.Hint:    {"note", "notice"},
	lint.Warning: {"warning", "warning"},
	lint.Error:   {"error", "error"},
}

// severityOf returns the severity of a diagnostic on the scale of findings.
func severityOf(d diag.Diagnostic) lint.Severity {
	if d.Severity == diag.Warning {
		return lint.Warning
	}
	return lint.Error
}

// entries returns the reports in the order in which they are printed.
func (o outcome) entries() []entry {
	var all []entry
	diagnostics := o.diagnostics
	if o.stale {
		diagnostics = append(diagnostics[:len(diagnostics):len(diagnostics)], outOfDate(o.changes)...) // capped, so that append copies
	}
	for _, d := range diagnostics {
		all = append(all, entry{string(d.Code), levels[severityOf(d)], d.Pos, d.Message, string(d.Code) + " " + d.Pos.File + " " + d.Message})
	}
	for _, f := range o.findings {
		place := f.Places[0]
		all = append(all, entry{f.Rule, levels[f.Severity], f.Pos, f.Message, f.Rule + " " + place.Kind + " " + place.Path})
	}
	if o.breaks != nil {
		for i, b := range o.breaks.All() {
			message := breakMessage(b)
			all = append(all,
				entry{breakCode(b.Class), levels[breakSeverityOf(*o.breaks, i)], b.Pos, message, breakCode(b.Class) + " " + b.Subject()})
		}
	}
	return all
}

// outOfDate returns a diagnostic for each change, at the first line of the existing file that differs.
func outOfDate(changes []run.Change) diag.List {
	var diags diag.List
	for _, change := range changes {
		diags = append(diags, diag.Diagnostic{
			Pos: diag.Position{File: change.Path, Line: firstChange(change.Old, change.New)}, Severity: diag.Error, Code: "out-of-date",
			Message: "out of date: run mrgen generate",
		})
	}
	return diags
}

// firstChange returns the number of the first line that differs, or 0 for a new file.
func firstChange(before, after []byte) int {
	if len(before) == 0 {
		return 0
	}
	line := 1
	for i := range before {
		if i == len(after) || before[i] != after[i] {
			break
		}
		// A last newline begins no line.
		if before[i] == '\n' && i+1 < len(before) {
			line++
		}
	}
	return line
}

// textFormat is for people.
const textFormat = "text"

// writers write outcomes in the formats that programs read.
var writers = map[string]func(root string, o outcome) ([]byte, error){
	"json":     writeJSON,
	"sarif":    writeSARIF,
	"github":   writeGitHub,
	"markdown": breaksMarkdown,
}

// printOutcome prints an outcome to standard output, and diagnostics for a person to standard error.
func printOutcome(cmd *cobra.Command, format, root string, o outcome) error {
	if format == textFormat {
		printDiagnostics(cmd, o.diagnostics)
		return printFound(cmd, cmd.OutOrStdout(), o)
	}
	text, err := writers[format](root, o)
	return output(cmd, text, err)
}

// printFound prints a line for each finding, and what breaks, for a person.
func printFound(cmd *cobra.Command, to io.Writer, o outcome) error {
	var text bytes.Buffer
	colors := paletteFor(cmd, to)
	for _, f := range fold(o.findings) {
		fmt.Fprintln(&text, colors.findingLine(f))
	}
	if o.breaks != nil {
		text.Write(breaksText(colors, *o.breaks))
	}
	return write(to, text.Bytes())
}

// folded are the rules with so many findings in some APIs that a person misses the rest.
var folded = []string{"missing-comment", "optional-fields"}

// fold leaves the first finding of each kind for the folded rules, with the number of others.
func fold(findings []lint.Finding) []lint.Finding {
	type group struct{ rule, kind string }
	var left []lint.Finding
	first, more := map[group]int{}, map[group]int{}
	for _, f := range findings {
		of := group{f.Rule, f.Places[0].Kind}
		if _, seen := first[of]; seen && slices.Contains(folded, f.Rule) {
			more[of]++
			continue
		}
		first[of] = len(left)
		left = append(left, f)
	}
	for of, n := range more {
		left[first[of]].Message += fmt.Sprintf("; %d more in %s: -o json lists them", n, of.kind)
	}
	return left
}

// addFormatFlag adds the flag of commands that report, with the formats of one command.
func addFormatFlag(flags *pflag.FlagSet, format *string, more ...string) {
	*format = textFormat
	formats := append([]string{textFormat, "json", "sarif", "github"}, more...)
	flags.VarP(settings.Choice(format, "format", formats...), "output", "o", "text, json, sarif or github (annotations)")
}

// inGitHubActions reports whether a workflow of GitHub runs mrgen.
func inGitHubActions() bool { return os.Getenv("GITHUB_ACTIONS") == "true" }

// A position is a [diag.Position] in JSON.
type position struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// writeJSON returns an object with lists of diagnostics, findings and changes, and the breaking changes if the
// command looks for them.
func writeJSON(_ string, o outcome) ([]byte, error) {
	type place struct {
		Kind string `json:"kind,omitempty"`
		Path string `json:"path"`
	}
	type diagnostic struct {
		Code     string `json:"code"`
		Severity string `json:"severity"`
		position
		Message string `json:"message"`
	}
	type finding struct {
		Rule     string `json:"rule"`
		Severity string `json:"severity"`
		position
		Message string  `json:"message"`
		Places  []place `json:"places"`
		Fixable bool    `json:"fixable"`
	}
	type change struct {
		Action string `json:"action"`
		File   string `json:"file"`
		Line   int    `json:"line,omitempty"`
		Reason string `json:"reason,omitempty"`
	}
	all := struct {
		Diagnostics []diagnostic `json:"diagnostics"`
		Findings    []finding    `json:"findings"`
		Changes     []change     `json:"changes"`
		Breaking    any          `json:"breaking,omitempty"`
	}{[]diagnostic{}, []finding{}, []change{}, nil}
	if o.breaks != nil {
		all.Breaking = breaksReport(*o.breaks)
	}
	for _, d := range o.diagnostics {
		all.Diagnostics = append(all.Diagnostics, diagnostic{string(d.Code), severityOf(d).String(), position(d.Pos), d.Message})
	}
	for _, f := range o.findings {
		var places []place
		for _, p := range f.Places {
			places = append(places, place(p))
		}
		all.Findings = append(all.Findings, finding{f.Rule, f.Severity.String(), position(f.Pos), f.Message, places, f.Fixable})
	}
	for _, c := range o.changes {
		all.Changes = append(all.Changes, change{verb(c), c.Path, firstChange(c.Old, c.New), c.Reason})
	}
	return indented(all)
}

func indented(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return text.Bytes(), err
}

// writeGitHub returns workflow commands that make GitHub Actions show an outcome in a pull request,
// see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands.
func writeGitHub(root string, o outcome) ([]byte, error) {
	var lines bytes.Buffer
	prefix := repositoryPath(root)
	for _, e := range o.entries() {
		annotate(&lines, e.level.github, prefix, e.pos, palette{}.coded(e.message, e.code))
	}
	return lines.Bytes(), nil
}

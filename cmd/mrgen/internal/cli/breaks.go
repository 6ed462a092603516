package cli

import (
	"bytes"
	_ "embed" // of reports
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mrgen-io/mrgen/generator/breaking"
	"github.com/mrgen-io/mrgen/generator/lint"
)

// breaksSummary summarizes the findings in one line.
func breaksSummary(found breaking.Result) string {
	compared := fmt.Sprintf("in %s of %s", count(found.Kinds, "kind"), found.Against)
	switch {
	case found.Own:
		return "nothing can break " + compared + ", since mrgen generates the same ones now: compare with a commit or a release"
	case len(found.All()) == 0:
		return "nothing breaks " + compared
	}
	var counts []string
	for _, class := range breaking.Classes() {
		n := 0
		for _, f := range found.All() {
			if f.Class == class {
				n++
			}
		}
		if n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, class))
		}
	}
	summary := fmt.Sprintf("%s %s: %s", count(len(found.All()), "finding"), compared, strings.Join(counts, ", "))
	if n := len(found.Warnings); n > 0 {
		summary += fmt.Sprintf("; %d only warn", n)
	}
	return summary
}

// compact returns an object on one line.
func compact(object map[string]any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // people read it
	if err := encoder.Encode(object); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(text.String())
}

//go:embed breaks.txt.tmpl
var breaksList string

// breaksText returns what breaks for a person.
func breaksText(colors palette, found breaking.Result) []byte {
	return page(breaksList, struct {
		breaking.Result
		Head func(index int) string
	}{found, func(index int) string { return colors.head(found.All()[index].Pos, breakSeverityOf(found, index)) }})
}

// breakAdvice returns what to do. Allowing the change is always an option.
func breakAdvice(f breaking.Change) string {
	return f.Advice + "; or give a reason in breaking.allow"
}

// breakFact says what changed and what happens to users.
func breakFact(f breaking.Change) string {
	class := string(f.Class)
	if f.Counterexample == nil {
		class = "may break: " + class
	}
	return fmt.Sprintf("%s: %s: %s: %s", f.Subject(), class, f.What, f.Happens)
}

// breakMessage returns a break in one line, for programs.
func breakMessage(f breaking.Change) string {
	message := breakFact(f)
	if c := f.Counterexample; c != nil {
		if c.Object != nil {
			message += ": counterexample " + compact(c.Object)
		}
		message += ": " + c.Says
	}
	return message + ": " + breakAdvice(f)
}

// breakSeverityOf returns the severity of the break at an index of All, where warnings follow errors.
func breakSeverityOf(found breaking.Result, index int) lint.Severity {
	if index >= len(found.Errors) {
		return lint.Warning
	}
	return lint.Error
}

// breaksReport returns the breaking changes as a JSON value.
func breaksReport(found breaking.Result) any {
	type counterexample struct {
		Object map[string]any `json:"object,omitempty"`
		Update map[string]any `json:"update,omitempty"`
		Says   string         `json:"says"`
	}
	type finding struct {
		Severity string `json:"severity"`
		Class    string `json:"class"`
		position
		Kind           string          `json:"kind,omitempty"`
		Version        string          `json:"version,omitempty"`
		Path           string          `json:"path,omitempty"`
		What           string          `json:"what"`
		Happens        string          `json:"happens"`
		Counterexample *counterexample `json:"counterexample,omitempty"`
		Advice         string          `json:"advice"`
		Copies         []string        `json:"copies,omitempty"`
	}
	report := struct {
		Against  string    `json:"against"`
		Kinds    int       `json:"kinds"`
		Findings []finding `json:"findings"`
	}{found.Against, found.Kinds, []finding{}}
	for i, f := range found.All() {
		report.Findings = append(report.Findings, finding{
			breakSeverityOf(found, i).String(), string(f.Class), position(f.Pos), f.Kind, f.Version, f.Path, f.What, f.Happens,
			(*counterexample)(f.Counterexample), f.Advice, f.Copies,
		})
	}
	return report
}

// breakCode returns the code of a class of breaking changes.
func breakCode(class breaking.Class) string { return "breaking-" + string(class) }

//go:embed breaks.md.tmpl
var breaksComment string

// breaksMarkdown returns a comment for a pull request.
func breaksMarkdown(_ string, o outcome) ([]byte, error) {
	var lines []string
	for _, d := range o.diagnostics {
		lines = append(lines, palette{}.diagnosticLine(d))
	}
	return page(breaksComment, struct {
		Lines []string
		Found *breaking.Result
	}{lines, o.breaks}), nil
}

// sentence begins a text with a capital letter.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

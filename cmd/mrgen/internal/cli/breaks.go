package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mrgen-io/mrgen/generator/breaking"
	"github.com/mrgen-io/mrgen/generator/lint"
)

// breaksSummary summarizes the findings in one line.
func breaksSummary(found breaking.Result) string {
	compared := fmt.Sprintf("in %s of %s", count(found.Kinds, "kind"), found.Against)
	if len(found.All()) == 0 {
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

// breaksText returns what breaks for a person.
func breaksText(found breaking.Result) []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, breaksSummary(found))
	for i, f := range found.All() {
		warning := ""
		if i >= len(found.Errors) { // warnings follow the errors
			warning = "warning: "
		}
		fmt.Fprintf(&b, "\n%s: %s%s\n", f.Pos, warning, breakFact(f))
		if c := f.Counterexample; c != nil {
			if c.Object != nil {
				fmt.Fprintf(&b, "  counterexample %d: %s\n", i+1, compact(c.Object))
			}
			if c.Update != nil {
				fmt.Fprintf(&b, "  updated to: %s\n", compact(c.Update))
			}
			fmt.Fprintf(&b, "  now: %s\n", c.Says)
		}
		if len(f.Copies) > 0 {
			fmt.Fprintf(&b, "  also: %s\n", strings.Join(f.Copies, ", "))
		}
		fmt.Fprintf(&b, "  what to do: %s\n", breakAdvice(f))
	}
	return b.Bytes()
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

// breaksMarkdown returns a comment for a pull request.
func breaksMarkdown(_ string, o outcome) ([]byte, error) {
	var b bytes.Buffer
	for _, d := range o.diagnostics {
		fmt.Fprintf(&b, "- %s\n", styles(false).diagnostic(d))
	}
	if o.breaks == nil {
		return b.Bytes(), nil
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	found := *o.breaks
	fmt.Fprintf(&b, "### %s\n", breaksSummary(found))
	for _, f := range found.All() {
		fmt.Fprintf(&b, "\n**%s** `%s`: %s (`%s`)\n\n%s. ", f.Class, f.Subject(), strings.ReplaceAll(f.What, "\n", " "), f.Pos,
			sentence(f.Happens))
		switch w := f.Counterexample; {
		case w == nil:
			b.WriteString("It may break: no counterexample was found.\n")
		case w.Object == nil:
			fmt.Fprintf(&b, "`%s`\n", w.Says)
		default:
			fmt.Fprintf(&b, "This object worked, and now `%s`:\n\n```json\n%s\n```\n", w.Says, compact(w.Object))
			if w.Update != nil {
				fmt.Fprintf(&b, "\nwhen it is updated to\n\n```json\n%s\n```\n", compact(w.Update))
			}
		}
		if len(f.Copies) > 0 {
			fmt.Fprintf(&b, "\nThe same holds for `%s`.\n", strings.Join(f.Copies, "`, `"))
		}
		fmt.Fprintf(&b, "\n%s.\n", sentence(breakAdvice(f)))
	}
	return b.Bytes(), nil
}

// sentence begins a text with a capital letter.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

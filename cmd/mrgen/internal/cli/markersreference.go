package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/markers"
)

// markersWidth is the width of the terminal that the text reference of markers is made for.
const markersWidth = 80

// isOne reports whether a reference describes a single marker, which leaves room for all details.
func isOne(r markers.Reference) bool { return len(r.Read)+len(r.Foreign) == 1 }

// writeMarkersText writes a reference for a terminal.
func writeMarkersText(w io.Writer, r markers.Reference) error {
	var b bytes.Buffer
	full := r.IsFull()
	if full {
		b.WriteString("Markers that mrgen reads\n\n")
	}
	for i := range r.Read {
		writeOwnText(&b, &r.Read[i])
	}
	if full {
		b.WriteString("Types of values\n\n")
		for _, t := range r.Types {
			const column = 30
			doc := linesOf(t.Doc, markersWidth-column)
			fmt.Fprintf(&b, "%-*s%s\n", column, t.Type, doc[0])
			writeIndented(&b, strings.Repeat(" ", column), doc[1:])
		}
		b.WriteString("\nMarkers of other tools\n\n")
	}
	for i := range r.Foreign {
		writeForeignText(&b, &r.Foreign[i], isOne(r))
	}
	_, err := w.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	return err
}

// writeForeignText writes the description of a marker of another tool, and its details if wanted.
func writeForeignText(b *bytes.Buffer, m *markers.ForeignMarker, detailed bool) {
	paragraphs := []string{m.Doc, "Read by " + m.Tool + ".", deprecation(m)}
	if m.On != 0 {
		paragraphs = slices.Insert(paragraphs, 2, "Place: "+m.On.String()+".")
	}
	for _, a := range m.Arguments {
		requirement := "required"
		if a.Optional {
			requirement = "optional"
		}
		paragraph := fmt.Sprintf("%s (%s, %s)", titleOf(a.Name), a.Type, requirement)
		if a.Doc != "" {
			paragraph += ": " + a.Doc
		}
		paragraphs = append(paragraphs, paragraph)
	}
	writeMarker(b, m.Name, paragraphs)
	if detailed && m.Details != "" {
		writeIndented(b, "    ", strings.Split(strings.ReplaceAll(m.Details, "\t", "    "), "\n"))
		b.WriteString("\n")
	}
}

// deprecation says that a marker is deprecated, or returns "" if it isn't.
func deprecation(m *markers.ForeignMarker) string {
	switch {
	case m.Instead != "" && m.Deprecated:
		return "Deprecated: write +" + m.Instead + "."
	case m.Instead != "":
		return "No effect on CRDs: write +" + m.Instead + "."
	case m.Deprecated:
		return "Deprecated."
	}
	return ""
}

func writeOwnText(b *bytes.Buffer, d *markers.Definition) {
	paragraphs := []string{d.Doc, "Place: " + markers.JoinPlaces(d.Places) + "."}
	for i := range d.Arguments {
		a := &d.Arguments[i]
		paragraphs = append(paragraphs, fmt.Sprintf("%s (%s, %s): %s", titleOf(a.Name), valuesOf(a, ""), requirementOf(a, d), a.Doc))
	}
	writeMarker(b, d.Name, append(paragraphs, notesOn(d)...))
	writeIndented(b, "        ", strings.Split(d.Example, "\n"))
	b.WriteString("\n")
}

func writeMarker(b *bytes.Buffer, name string, paragraphs []string) {
	fmt.Fprintf(b, "+%s\n", name)
	for _, p := range paragraphs {
		writeIndented(b, "    ", linesOf(p, markersWidth-4))
	}
	b.WriteString("\n")
}

func writeIndented(b *bytes.Buffer, indent string, lines []string) {
	for _, line := range lines {
		if line != "" {
			b.WriteString(indent)
		}
		b.WriteString(line + "\n")
	}
}

// titleOf returns the name of an argument, or "value" for the one after the equals sign.
func titleOf(name string) string { return cmp.Or(name, "value") }

// valuesOf returns the accepted values of an argument, in quotes, or their type if they can't be listed.
func valuesOf(a *markers.Argument, quote string) string {
	choices := slices.Clone(a.Values())
	if choices == nil {
		return string(a.Type)
	}
	for i, c := range choices {
		choices[i] = quote + c + quote
	}
	return markers.Or(choices)
}

// requirementOf says whether the argument is required.
func requirementOf(a *markers.Argument, d *markers.Definition) string {
	switch {
	case a.Name == "" || len(a.RequiredOn) == len(d.Places):
		return "required"
	case a.InsteadOf != "":
		return "instead of " + a.InsteadOf
	case len(a.RequiredOn) > 0:
		return "required on " + markers.JoinPlaces(a.RequiredOn)
	}
	return "optional"
}

// notesOn returns sentences about other markers at the same place.
func notesOn(d *markers.Definition) []string {
	var notes []string
	if d.Key != "" {
		keys := []string{d.Key}
		for _, a := range d.Arguments {
			if a.InsteadOf == d.Key {
				keys = append(keys, a.Name)
			}
		}
		notes = append(notes, "It may stand several times at one place, each time with another "+markers.Or(keys)+".")
	}
	if d.Needs != "" {
		notes = append(notes, "It needs +"+d.Needs+" at the same place.")
	}
	return notes
}

const markdownIntroduction = `# Markers

A marker is a line of a Go comment that begins with a plus sign, right above the type or field that it is about. It is written alone on its line.

mrgen owns the markers with the prefixes ` + "`+mrgen:` and `+crossplane:generate:`" +
	`. An unknown name, a wrong argument or a wrong place is an error that says what to write instead, and nothing is generated. ` +
	"`+immutable`" +
	` is a convention of Crossplane providers, which mrgen enforces. The end of this page has the markers of other tools. A misspelt one is an error, too, unless ` +
	"`mrgen.yaml` says `markers: warn`" + `; ` + "`mrgen fix markers`" + ` corrects it.

This page is generated: ` + "`mrgen markers -o markdown`" + ` prints it, ` + "`mrgen markers`" + ` prints it for a terminal and ` +
	"`mrgen markers -o json`" + ` for programs. ` + "`mrgen markers NAME`" + ` describes one.

`

// writeMarkersMarkdown writes a reference as a Markdown page.
func writeMarkersMarkdown(w io.Writer, r markers.Reference) error {
	var b bytes.Buffer
	if r.IsFull() {
		b.WriteString(markdownIntroduction)
		b.WriteString("| marker | place |\n|---|---|\n")
		for _, d := range r.Read {
			fmt.Fprintf(&b, "| [`+%s`](#%s) | %s |\n", d.Name, anchor(d.Name), markers.JoinPlaces(d.Places))
		}
	}
	for i := range r.Read {
		writeOwnMarkdown(&b, &r.Read[i])
	}
	if len(r.Types) > 0 {
		b.WriteString("\n## Types of values\n\n| type | how it is written |\n|---|---|\n")
		for _, t := range r.Types {
			fmt.Fprintf(&b, "| %s | %s |\n", t.Type, t.Doc)
		}
	}
	if len(r.Foreign) > 0 {
		b.WriteString(foreignIntroduction)
		for _, m := range r.Foreign {
			meaning := strings.TrimSpace(m.Doc + " " + deprecation(&m))
			fmt.Fprintf(&b, "| `+%s` | %s | %s | %s | %s |\n", m.Name, m.Tool, m.On, argumentList(&m), inTable.Replace(meaning))
		}
	}
	if isOne(r) && len(r.Foreign) == 1 && r.Foreign[0].Details != "" {
		fmt.Fprintf(&b, "\n```text\n%s\n```\n", r.Foreign[0].Details)
	}
	_, err := w.Write(bytes.TrimPrefix(b.Bytes(), []byte("\n")))
	return err
}

const foreignIntroduction = "\n## Markers of other tools\n\n" +
	"mrgen reads the markers of `controller-gen crd` and `controller-gen object`, and ignores the others. " +
	"Names that go on after one with `…` are the same marker. An argument in parentheses may be left out.\n\n" +
	"| marker | read by | place | arguments | meaning |\n|---|---|---|---|---|\n"

// argumentList returns the arguments with their types, for a table.
func argumentList(m *markers.ForeignMarker) string {
	var list []string
	for _, a := range m.Arguments {
		entry := a.Type
		if a.Name != "" {
			entry = "`" + a.Name + "` " + a.Type
		}
		if a.Optional {
			entry = "(" + entry + ")"
		}
		list = append(list, entry)
	}
	if m.Family {
		list = append(list, "`…`")
	}
	return strings.Join(list, ", ")
}

// inTable escapes the characters that Markdown would not show in a table.
var inTable = strings.NewReplacer("|", `\|`, "*", `\*`, "<", `\<`)

func writeOwnMarkdown(b *bytes.Buffer, d *markers.Definition) {
	fmt.Fprintf(b, "\n## `+%s`\n\n%s\n\nPlace: %s.\n", d.Name, d.Doc, markers.JoinPlaces(d.Places))
	if len(d.Arguments) > 0 {
		b.WriteString("\n| argument | holds | given | meaning |\n|---|---|---|---|\n")
	}
	for i := range d.Arguments {
		a := &d.Arguments[i]
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", titleOf(a.Name), valuesOf(a, "`"), requirementOf(a, d), a.Doc)
	}
	for _, note := range notesOn(d) {
		fmt.Fprintf(b, "\n%s\n", note)
	}
	fmt.Fprintf(b, "\n```go\n%s\n```\n", d.Example)
}

// anchor returns the fragment that GitHub gives to the heading of a marker.
func anchor(name string) string { return strings.ToLower(strings.ReplaceAll(name, ":", "")) }

// writeMarkersJSON writes a reference as JSON, in the order of the other formats.
func writeMarkersJSON(w io.Writer, r markers.Reference) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(markers.Reference{ // [], never null
		Read:    append([]markers.Definition{}, r.Read...),
		Types:   append([]markers.ArgumentTypeDoc{}, r.Types...),
		Foreign: append([]markers.ForeignMarker{}, r.Foreign...),
	})
}

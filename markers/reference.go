package markers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// textWidth is the width of the terminal that the text reference is made for.
const textWidth = 80

// WriteText writes the reference of all markers for a terminal.
func WriteText(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString("Markers that mrgen owns\n\n")
	for i := range definitions {
		definitions[i].writeText(&b)
	}
	b.WriteString("Types of values\n\n")
	for _, t := range argumentTypeDocs {
		writeEntry(&b, string(t.Type), t.Doc)
	}
	b.WriteString("\nMarkers of Kubernetes tools that mrgen reads\n\n")
	for _, f := range foreignMarkers {
		writeEntry(&b, "+"+f.Name, f.Doc)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (d *Definition) writeText(b *bytes.Buffer) {
	fmt.Fprintf(b, "+%s\n", d.Name)
	writeIndented(b, "    ", wrap(d.Doc, textWidth-4))
	writeIndented(b, "    ", wrap("Place: "+joinPlaces(d.Places)+".", textWidth-4))
	for i := range d.Arguments {
		a := &d.Arguments[i]
		line := fmt.Sprintf("%s (%s, %s): %s", a.title(), a.values(), a.requirement(d), a.Doc)
		writeIndented(b, "    ", wrap(line, textWidth-4))
	}
	for _, note := range d.notes() {
		writeIndented(b, "    ", wrap(note, textWidth-4))
	}
	b.WriteString("\n")
	writeIndented(b, "        ", strings.Split(d.Example, "\n"))
	b.WriteString("\n")
}

// writeEntry writes a name and what it means beside each other.
func writeEntry(b *bytes.Buffer, name, doc string) {
	const column = 30
	for i, line := range wrap(doc, textWidth-column) {
		if i > 0 {
			name = ""
		}
		fmt.Fprintf(b, "%-*s%s\n", column, name, line)
	}
}

func writeIndented(b *bytes.Buffer, indent string, lines []string) {
	for _, line := range lines {
		if line != "" {
			b.WriteString(indent)
		}
		b.WriteString(line + "\n")
	}
}

// title returns what a document calls the argument.
func (a *Argument) title() string {
	if a.Name == "" {
		return "value"
	}
	return a.Name
}

// values returns what a document says that the argument may hold.
func (a *Argument) values() string {
	if choices := a.choices(); choices != nil {
		return joinOr(choices)
	}
	return string(a.Type)
}

// requirement returns in words whether the argument is required.
func (a *Argument) requirement(d *Definition) string {
	switch {
	case a.Name == "" || len(a.RequiredOn) == len(d.Places):
		return "required"
	case a.InsteadOf != "":
		return "instead of " + a.InsteadOf
	case len(a.RequiredOn) > 0:
		return "required on " + joinPlaces(a.RequiredOn)
	}
	return "optional"
}

// notes returns what a document says about the markers at the same place.
func (d *Definition) notes() []string {
	var notes []string
	if d.Key != "" {
		keys := []string{d.Key}
		if substitute := d.substitute(d.Key); substitute != nil {
			keys = append(keys, substitute.Name)
		}
		notes = append(notes, "It may stand several times at one place, each time with another "+joinOr(keys)+".")
	}
	if d.Needs != "" {
		notes = append(notes, "It needs +"+d.Needs+" at the same place.")
	}
	return notes
}

const markdownIntroduction = `# Markers

A marker is a line of a Go comment that begins with a plus sign, right above the type or field that it is about. It is written alone on its line.

mrgen owns the markers with the prefixes ` + "`+mrgen:` and `+crossplane:generate:`" + `. An unknown name, a wrong argument or a wrong place is an error that says what to write instead, and nothing is generated. Markers of other tools are left alone; those that mrgen reads too are at the end of this page.

This page is generated: ` + "`mrgen markers -o markdown`" + ` prints it, ` + "`mrgen markers`" + ` prints it for a terminal and ` + "`mrgen markers -o json`" + ` for programs.

`

// WriteMarkdown writes the reference of all markers as a Markdown page.
func WriteMarkdown(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString(markdownIntroduction)
	b.WriteString("| marker | place |\n|---|---|\n")
	for _, d := range definitions {
		fmt.Fprintf(&b, "| [`+%s`](#%s) | %s |\n", d.Name, anchor(d.Name), joinPlaces(d.Places))
	}
	for i := range definitions {
		definitions[i].writeMarkdown(&b)
	}
	b.WriteString("\n## Types of values\n\n| type | how it is written |\n|---|---|\n")
	for _, t := range argumentTypeDocs {
		fmt.Fprintf(&b, "| %s | %s |\n", t.Type, t.Doc)
	}
	b.WriteString("\n## Markers of Kubernetes tools that mrgen reads\n\n" +
		"All but `+immutable` mean what they mean to controller-gen.\n\n| marker | meaning |\n|---|---|\n")
	for _, f := range foreignMarkers {
		fmt.Fprintf(&b, "| `+%s` | %s |\n", f.Name, f.Doc)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (d *Definition) writeMarkdown(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n## `+%s`\n\n%s\n\nPlace: %s.\n", d.Name, d.Doc, joinPlaces(d.Places))
	if len(d.Arguments) > 0 {
		b.WriteString("\n| argument | holds | given | meaning |\n|---|---|---|---|\n")
	}
	for i := range d.Arguments {
		a := &d.Arguments[i]
		holds := a.values()
		if choices := a.choices(); choices != nil {
			holds = joinOr(quote(choices))
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", a.title(), holds, a.requirement(d), a.Doc)
	}
	for _, note := range d.notes() {
		fmt.Fprintf(b, "\n%s\n", note)
	}
	fmt.Fprintf(b, "\n```go\n%s\n```\n", d.Example)
}

// anchor returns the fragment that GitHub gives to the heading of a marker: the
// lower-case letters and digits of it.
func anchor(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, ":", ""))
}

// reference is the JSON form of the reference.
type reference struct {
	Markers []Definition      `json:"markers"`
	Types   []argumentTypeDoc `json:"types"`
	Others  []foreignMarker   `json:"others"`
}

// WriteJSON writes the reference of all markers as a JSON object with three
// lists, each in the order of the other forms:
//
//   - markers: the markers that mrgen owns, as [Definition] has them. The names
//     bear no plus sign. places and requiredOn hold the values of [Place].
//   - types: type and doc of each [ArgumentType].
//   - others: name and doc of the markers of other tools that mrgen reads. A name
//     that ends with an asterisk stands for all with that beginning.
//
// Members may be added to the objects; those that exist keep their meaning.
func WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(reference{Markers: definitions, Types: argumentTypeDocs, Others: foreignMarkers})
}

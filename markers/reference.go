package markers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// textWidth is the width of the terminal that the text reference is made for.
const textWidth = 80

// A Reference describes markers.
type Reference struct {
	owned   []Definition
	types   []argumentTypeDoc
	foreign []foreignMarker
}

// FullReference describes every marker that mrgen owns, and those of other tools that
// it knows.
func FullReference() Reference {
	return Reference{owned: definitions, types: argumentTypeDocs, foreign: foreign()}
}

// Names returns the names of all markers, without their plus signs, sorted.
func Names() []string {
	var names []string
	for _, d := range definitions {
		names = append(names, d.Name)
	}
	for _, m := range foreign() {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return names
}

// ReferenceOf describes the marker with a name, and those whose names go on after it
// and a colon. The plus sign may be left out. If there is none, it returns the nearest
// name, "" if none is near.
func ReferenceOf(name string) (r Reference, near string, found bool) {
	name = written(strings.TrimPrefix(name, "+"))
	matches := func(other string) bool { return other == name || name != "" && strings.HasPrefix(other, name+":") }
	used := map[ArgumentType]bool{}
	for _, d := range definitions {
		if matches(d.Name) {
			r.owned = append(r.owned, d)
			for _, a := range d.Arguments {
				used[a.Type] = true
			}
		}
	}
	for _, m := range foreign() {
		if matches(m.Name) {
			r.foreign = append(r.foreign, m)
		}
	}
	if len(r.owned)+len(r.foreign) == 0 {
		if d := nearestDefinition(name); d != nil && isOwned(name, "") {
			return r, d.Name, false
		}
		near, _ = nearestForeign(name)
		if near == "" {
			near, _ = Nearest(name, Names())
		}
		return r, near, false
	}
	for _, t := range argumentTypeDocs {
		if used[t.Type] {
			r.types = append(r.types, t)
		}
	}
	return r, "", true
}

// isOne reports whether the reference is about one marker, of which everything is said.
func (r Reference) isOne() bool { return len(r.owned)+len(r.foreign) == 1 }

// WriteText writes the reference for a terminal.
func (r Reference) WriteText(w io.Writer) error {
	var b bytes.Buffer
	full := len(r.owned) == len(definitions)
	if full {
		b.WriteString("Markers that mrgen owns\n\n")
	}
	for i := range r.owned {
		r.owned[i].writeText(&b)
	}
	if full {
		b.WriteString("Types of values\n\n")
		for _, t := range r.types {
			writeEntry(&b, string(t.Type), t.Doc)
		}
		b.WriteString("\nMarkers of other tools\n\n")
	}
	for i := range r.foreign {
		r.foreign[i].writeText(&b, r.isOne())
	}
	_, err := w.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	return err
}

// writeText writes what is known of the marker of another tool, and if it is detailed,
// all that the tool says of it.
func (m *foreignMarker) writeText(b *bytes.Buffer, detailed bool) {
	fmt.Fprintf(b, "+%s\n", m.Name)
	writeIndented(b, "    ", wrap(m.Doc, textWidth-4))
	for _, note := range m.notes() {
		writeIndented(b, "    ", wrap(note, textWidth-4))
	}
	for _, a := range m.Arguments {
		line := fmt.Sprintf("%s (%s)", a.title(), a.holds())
		if a.Doc != "" {
			line += ": " + a.Doc
		}
		writeIndented(b, "    ", wrap(line, textWidth-4))
	}
	b.WriteString("\n")
	if detailed && m.Details != "" {
		writeIndented(b, "    ", strings.Split(strings.ReplaceAll(m.Details, "\t", "    "), "\n"))
		b.WriteString("\n")
	}
}

// notes returns what a document says of the marker beside its meaning.
func (m *foreignMarker) notes() []string {
	notes := []string{"Read by " + m.Tool + "."}
	if m.on != 0 {
		notes = append(notes, "Place: "+m.on.String()+".")
	}
	switch {
	case m.Instead != "":
		notes = append(notes, "Deprecated: write +"+m.Instead+".")
	case m.Deprecated:
		notes = append(notes, "Deprecated.")
	}
	return notes
}

// title returns what a document calls the argument.
func (a *foreignArgument) title() string {
	if a.Name == "" {
		return "value"
	}
	return a.Name
}

// holds returns what a document says that the argument may hold, and whether it is
// required.
func (a *foreignArgument) holds() string {
	if a.Optional {
		return a.Type + ", optional"
	}
	return a.Type + ", required"
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

mrgen owns the markers with the prefixes ` + "`+mrgen:` and `+crossplane:generate:`" + `. An unknown name, a wrong argument or a wrong place is an error that says what to write instead, and nothing is generated. Those of other tools are at the end of this page. A comment that was meant to be one of them, and that its tool would pass over in silence, is an error too, unless ` + "`mrgen.yaml` says `markers: warn`" + `; ` + "`mrgen fix markers`" + ` puts right what is certain.

This page is generated: ` + "`mrgen markers -o markdown`" + ` prints it, ` + "`mrgen markers`" + ` prints it for a terminal and ` + "`mrgen markers -o json`" + ` for programs. ` + "`mrgen markers NAME`" + ` prints what is known of one.

`

// WriteMarkdown writes the reference as a Markdown page.
func (r Reference) WriteMarkdown(w io.Writer) error {
	var b bytes.Buffer
	if len(r.owned) == len(definitions) {
		b.WriteString(markdownIntroduction)
		b.WriteString("| marker | place |\n|---|---|\n")
		for _, d := range r.owned {
			fmt.Fprintf(&b, "| [`+%s`](#%s) | %s |\n", d.Name, anchor(d.Name), joinPlaces(d.Places))
		}
	}
	for i := range r.owned {
		r.owned[i].writeMarkdown(&b)
	}
	if len(r.types) > 0 {
		b.WriteString("\n## Types of values\n\n| type | how it is written |\n|---|---|\n")
		for _, t := range r.types {
			fmt.Fprintf(&b, "| %s | %s |\n", t.Type, t.Doc)
		}
	}
	if len(r.foreign) > 0 {
		b.WriteString(foreignIntroduction)
		for _, m := range r.foreign {
			fmt.Fprintf(&b, "| `+%s` | %s | %s | %s | %s |\n", m.Name, m.Tool, m.on, m.argumentList(), inTable(m.docAndInstead()))
		}
	}
	if r.isOne() && len(r.foreign) == 1 && r.foreign[0].Details != "" {
		fmt.Fprintf(&b, "\n```text\n%s\n```\n", r.foreign[0].Details)
	}
	_, err := w.Write(bytes.TrimPrefix(b.Bytes(), []byte("\n")))
	return err
}

const foreignIntroduction = "\n## Markers of other tools\n\n" +
	"mrgen reads those of `controller-gen crd` and `controller-gen object`, and `+immutable`, and leaves the others alone. " +
	"Names that go on after one with `…` are the same marker. An argument in parentheses may be left out.\n\n" +
	"| marker | read by | place | arguments | meaning |\n|---|---|---|---|---|\n"

// argumentList returns the arguments with their types, for a table.
func (m *foreignMarker) argumentList() string {
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

// docAndInstead returns what the marker means, and what stands for it if it is deprecated.
func (m *foreignMarker) docAndInstead() string {
	notes := m.notes()
	if last := notes[len(notes)-1]; m.Deprecated {
		return m.Doc + " " + last
	}
	return m.Doc
}

// inTable escapes what ends the cell of a table, or is formatting.
func inTable(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "<", `\<`).Replace(text)
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

// WriteJSON writes the reference as a JSON object with three lists, each in the order of
// the other forms:
//
//   - markers: the markers that mrgen owns, as [Definition] has them. The names
//     bear no plus sign. places and requiredOn hold the values of [Place].
//   - types: type and doc of each [ArgumentType] that they use.
//   - others: the markers of other tools, with name, tool and doc, and what else is known
//     of them: details, deprecated, instead, places (package, type or field), arguments
//     with name, type, optional and doc, and family, which tells that names which go on
//     after this one are the same marker.
//
// Members may be added to the objects; those that exist keep their meaning.
func (r Reference) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(struct {
		Markers []Definition      `json:"markers"`
		Types   []argumentTypeDoc `json:"types"`
		Others  []foreignMarker   `json:"others"`
	}{list(r.owned), list(r.types), list(r.foreign)})
}

// list returns an empty list for one that is nil, which JSON tells apart.
func list[T any](of []T) []T {
	if of == nil {
		return []T{}
	}
	return of
}

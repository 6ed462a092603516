package markers

import (
	"bytes"
	"cmp"
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
	read    []Definition
	types   []argumentTypeDoc
	foreign []foreignMarker
}

// FullReference describes every marker that mrgen reads as its own, and the known markers of other tools.
func FullReference() Reference {
	return Reference{read: described, types: argumentTypeDocs, foreign: ofOtherTools()}
}

// ofOtherTools returns the markers that the reference describes in one line each.
func ofOtherTools() []foreignMarker {
	return slices.DeleteFunc(slices.Clone(foreign()), func(m foreignMarker) bool { return m.Tool == conventionTool })
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

// ReferenceOf describes the markers that have the name, or that begin with it and a colon. The name may have a
// plus sign. Otherwise, near is the most similar name, or "".
func ReferenceOf(name string) (r Reference, near string, found bool) {
	name = written(strings.TrimPrefix(name, "+"))
	matches := func(other string) bool { return other == name || name != "" && strings.HasPrefix(other, name+":") }
	used := map[ArgumentType]bool{}
	for _, d := range described {
		if matches(d.Name) {
			r.read = append(r.read, d)
			for _, a := range d.Arguments {
				used[a.Type] = true
			}
		}
	}
	for _, m := range ofOtherTools() {
		if matches(m.Name) {
			r.foreign = append(r.foreign, m)
		}
	}
	if len(r.read)+len(r.foreign) == 0 {
		// mrgen's own names first: "mrgen:referense" means one of them.
		if d := nearestDefinition(name); d != nil && isOwned(name, "") {
			return r, d.Name, false
		}
		near, _ = nearestForeign(name)
		if near == "" {
			near, _ = Nearest(name, Names()) // outside the namespaces, any similar name helps
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

// isOne reports whether the reference describes a single marker, which leaves room for all details.
func (r Reference) isOne() bool { return len(r.read)+len(r.foreign) == 1 }

// WriteText writes the reference for a terminal.
func (r Reference) WriteText(w io.Writer) error {
	var b bytes.Buffer
	full := len(r.read) == len(described)
	if full {
		b.WriteString("Markers that mrgen reads\n\n")
	}
	for i := range r.read {
		r.read[i].writeText(&b)
	}
	if full {
		b.WriteString("Types of values\n\n")
		for _, t := range r.types {
			const column = 30
			doc := wrap(t.Doc, textWidth-column)
			fmt.Fprintf(&b, "%-*s%s\n", column, t.Type, doc[0])
			writeIndented(&b, strings.Repeat(" ", column), doc[1:])
		}
		b.WriteString("\nMarkers of other tools\n\n")
	}
	for i := range r.foreign {
		r.foreign[i].writeText(&b, r.isOne())
	}
	_, err := w.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	return err
}

// writeText writes the description of the marker, and its details if wanted.
func (m *foreignMarker) writeText(b *bytes.Buffer, detailed bool) {
	paragraphs := append([]string{m.Doc, "Read by " + m.Tool + "."}, m.deprecation())
	if m.on != 0 {
		paragraphs = slices.Insert(paragraphs, 2, "Place: "+m.on.String()+".")
	}
	for _, a := range m.Arguments {
		requirement := "required"
		if a.Optional {
			requirement = "optional"
		}
		paragraph := fmt.Sprintf("%s (%s, %s)", title(a.Name), a.Type, requirement)
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

// deprecation says that the marker is deprecated, or returns "" if it isn't.
func (m *foreignMarker) deprecation() string {
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

func (d *Definition) writeText(b *bytes.Buffer) {
	paragraphs := []string{d.Doc, "Place: " + joinPlaces(d.Places) + "."}
	for i := range d.Arguments {
		a := &d.Arguments[i]
		paragraphs = append(paragraphs, fmt.Sprintf("%s (%s, %s): %s", title(a.Name), a.values(""), a.requirement(d), a.Doc))
	}
	writeMarker(b, d.Name, append(paragraphs, d.notes()...))
	writeIndented(b, "        ", strings.Split(d.Example, "\n"))
	b.WriteString("\n")
}

func writeMarker(b *bytes.Buffer, name string, paragraphs []string) {
	fmt.Fprintf(b, "+%s\n", name)
	for _, p := range paragraphs {
		writeIndented(b, "    ", wrap(p, textWidth-4))
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

// title returns the name of an argument, or "value" for the one after the equals sign.
func title(name string) string { return cmp.Or(name, "value") }

// values returns the accepted values of an argument, in quotes, or their type if they can't be listed.
func (a *Argument) values(quote string) string {
	choices := slices.Clone(a.choices())
	if choices == nil {
		return string(a.Type)
	}
	for i, c := range choices {
		choices[i] = quote + c + quote
	}
	return joinOr(choices)
}

// requirement says whether the argument is required.
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

// notes returns sentences about other markers at the same place.
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

mrgen owns the markers with the prefixes ` + "`+mrgen:` and `+crossplane:generate:`" +
	`. An unknown name, a wrong argument or a wrong place is an error that says what to write instead, and nothing is generated. ` +
	"`+immutable`" +
	` is a convention of Crossplane providers, which mrgen enforces. The end of this page has the markers of other tools. A misspelt one is an error, too, unless ` +
	"`mrgen.yaml` says `markers: warn`" + `; ` + "`mrgen fix markers`" + ` corrects it.

This page is generated: ` + "`mrgen markers -o markdown`" + ` prints it, ` + "`mrgen markers`" + ` prints it for a terminal and ` +
	"`mrgen markers -o json`" + ` for programs. ` + "`mrgen markers NAME`" + ` describes one.

`

// WriteMarkdown writes the reference as a Markdown page.
func (r Reference) WriteMarkdown(w io.Writer) error {
	var b bytes.Buffer
	if len(r.read) == len(described) {
		b.WriteString(markdownIntroduction)
		b.WriteString("| marker | place |\n|---|---|\n")
		for _, d := range r.read {
			fmt.Fprintf(&b, "| [`+%s`](#%s) | %s |\n", d.Name, anchor(d.Name), joinPlaces(d.Places))
		}
	}
	for i := range r.read {
		r.read[i].writeMarkdown(&b)
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
			meaning := strings.TrimSpace(m.Doc + " " + m.deprecation())
			fmt.Fprintf(&b, "| `+%s` | %s | %s | %s | %s |\n", m.Name, m.Tool, m.on, m.argumentList(), inTable.Replace(meaning))
		}
	}
	if r.isOne() && len(r.foreign) == 1 && r.foreign[0].Details != "" {
		fmt.Fprintf(&b, "\n```text\n%s\n```\n", r.foreign[0].Details)
	}
	_, err := w.Write(bytes.TrimPrefix(b.Bytes(), []byte("\n")))
	return err
}

const foreignIntroduction = "\n## Markers of other tools\n\n" +
	"mrgen reads the markers of `controller-gen crd` and `controller-gen object`, and ignores the others. " +
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

// inTable escapes the characters that Markdown would not show in a table.
var inTable = strings.NewReplacer("|", `\|`, "*", `\*`, "<", `\<`)

func (d *Definition) writeMarkdown(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n## `+%s`\n\n%s\n\nPlace: %s.\n", d.Name, d.Doc, joinPlaces(d.Places))
	if len(d.Arguments) > 0 {
		b.WriteString("\n| argument | holds | given | meaning |\n|---|---|---|---|\n")
	}
	for i := range d.Arguments {
		a := &d.Arguments[i]
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", title(a.Name), a.values("`"), a.requirement(d), a.Doc)
	}
	for _, note := range d.notes() {
		fmt.Fprintf(b, "\n%s\n", note)
	}
	fmt.Fprintf(b, "\n```go\n%s\n```\n", d.Example)
}

// anchor returns the fragment that GitHub gives to the heading of a marker.
func anchor(name string) string { return strings.ToLower(strings.ReplaceAll(name, ":", "")) }

// WriteJSON writes the reference as a JSON object with three lists, in the order of the other formats:
//
//   - markers: the markers that mrgen owns, and +immutable, with the fields of [Definition]. Names
//     have no plus sign. places and requiredOn hold values of [Place].
//   - types: type and doc of each [ArgumentType] that these use.
//   - others: the markers of other tools, with name, tool and doc, and where they apply:
//     details, deprecated, instead, places (package, type or field), arguments with name,
//     type, optional and doc, and family, which is true if all names that begin with this
//     one belong to the marker.
//
// Later versions may add members, and don't change the meaning of existing ones.
func (r Reference) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(struct {
		Markers []Definition      `json:"markers"`
		Types   []argumentTypeDoc `json:"types"`
		Others  []foreignMarker   `json:"others"`
	}{append([]Definition{}, r.read...), append([]argumentTypeDoc{}, r.types...), append([]foreignMarker{}, r.foreign...)}) // [], never null
}

package cli

import (
	"bytes"
	"cmp"
	_ "embed" // of the templates
	"slices"
	"strings"
	"text/template"

	"github.com/mrgen-io/mrgen/markers"
)

// markersWidth is the width of the terminal that the text reference of markers is made for.
const markersWidth = 80

var (
	//go:embed markers.md.tmpl
	markersMarkdown string
	//go:embed markers.txt.tmpl
	markersText string
)

// markersFunctions are functions that only these templates call.
var markersFunctions = template.FuncMap{
	"anchor":    anchor,
	"arguments": argumentList,
	"below":     func(text string) string { return indentedLines("    ", linesOf(text, markersWidth-4)) },
	"beside": func(column int, text string) string {
		return strings.Join(linesOf(text, markersWidth-column), "\n"+strings.Repeat(" ", column))
	},
	"cells":       func(texts ...string) string { return inTable.Replace(strings.TrimSpace(strings.Join(texts, " "))) },
	"deprecation": deprecation,
	"indented":    func(indent, text string) string { return indentedLines(indent, strings.Split(text, "\n")) },
	"isOne":       func(r markers.Reference) bool { return len(r.Read)+len(r.Foreign) == 1 }, // with room for all details
	"notes":       notesOn,
	"places":      markers.JoinPlaces,
	"requirement": requirementOf,
	"title":       func(name string) string { return cmp.Or(name, "value") }, // of the one after the equals sign
	"untabbed":    func(text string) string { return strings.ReplaceAll(text, "\t", "    ") },
	"values":      valuesOf,
}

// markersAsText returns a reference for a terminal.
func markersAsText(r markers.Reference) ([]byte, error) { return markersPage(markersText, r), nil }

// markersAsMarkdown returns a reference as a Markdown page.
func markersAsMarkdown(r markers.Reference) ([]byte, error) {
	return markersPage(markersMarkdown, r), nil
}

func markersPage(text string, r markers.Reference) []byte {
	return append(bytes.Trim(page(text, r), "\n"), '\n')
}

// indentedLines returns lines below each other.
func indentedLines(indent string, lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		if line != "" {
			b.WriteString(indent)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// deprecation says that a marker is deprecated, or returns "" if it isn't.
func deprecation(m markers.ForeignMarker) string {
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

// valuesOf returns the accepted values of an argument, in quotes, or their type if they can't be listed.
func valuesOf(a markers.Argument, quote string) string {
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
func requirementOf(a markers.Argument, d markers.Definition) string {
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
func notesOn(d markers.Definition) []string {
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

// argumentList returns the arguments with their types, for a table.
func argumentList(m markers.ForeignMarker) string {
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

// anchor returns the fragment that GitHub gives to the heading of a marker.
func anchor(name string) string { return strings.ToLower(strings.ReplaceAll(name, ":", "")) }

// markersAsJSON returns a reference as JSON, in the order of the other formats.
func markersAsJSON(r markers.Reference) ([]byte, error) {
	return indented(markers.Reference{ // [], never null
		Read:    append([]markers.Definition{}, r.Read...),
		Types:   append([]markers.ArgumentTypeDoc{}, r.Types...),
		Foreign: append([]markers.ForeignMarker{}, r.Foreign...),
	})
}

// Package textedit applies edits to a text, and remembers where its parts come from.
package textedit

import (
	"bytes"
	"cmp"
	"slices"
)

// An Edit replaces the bytes of a text from Start up to End.
type Edit struct {
	Start, End int
	Text       string
}

// A Span is a part of an edited text: from offset At on, the text is the source's from offset Source on, or new.
type Span struct {
	At, Source int
	IsNew      bool
}

// Apply returns the part of a text from start to end with the edits in it, and the origins of its parts. Edits at one
// place are made in their order in the list. Edits within another one, or outside the part, are dropped.
func Apply(content []byte, edits []Edit, start, end int) (edited []byte, spans []Span, dropped []Edit) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int {
		if a.Start == b.Start && a.Start != a.End && b.Start != b.End { // the outer one of two replacements wins
			return b.End - a.End
		}
		return cmp.Or(a.Start-b.Start, a.End-b.End) // insertions come before replacements
	})
	var out bytes.Buffer
	at := start
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > end {
			dropped = append(dropped, e)
			continue
		}
		if e.Start > at {
			spans = append(spans, Span{At: out.Len(), Source: at})
			out.Write(content[at:e.Start])
		}
		if e.Text != "" {
			spans = append(spans, Span{At: out.Len(), Source: e.Start, IsNew: true})
			out.WriteString(e.Text)
		}
		at = e.End
	}
	spans = append(spans, Span{At: out.Len(), Source: at})
	out.Write(content[at:end])
	return out.Bytes(), spans, dropped
}

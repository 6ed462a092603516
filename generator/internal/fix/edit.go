package fix

import (
	"cmp"
	"fmt"
	"slices"
)

// An edit replaces the bytes of a text from start up to end.
type edit struct {
	start, end int
	text       string
}

// apply makes edits in a text. All other bytes stay as they are. Edits at one place
// are made in the order that they are listed in. Edits that overlap, or lie outside
// the text, are a mistake of ours.
func apply(text []byte, edits []edit) ([]byte, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	var edited []byte
	done := 0
	for _, e := range edits {
		if e.start < done || e.end < e.start || e.end > len(text) {
			return nil, fmt.Errorf("the edit of bytes %d to %d overlaps another one, or lies outside the text", e.start, e.end)
		}
		edited = append(append(edited, text[done:e.start]...), e.text...)
		done = e.end
	}
	return append(edited, text[done:]...), nil
}

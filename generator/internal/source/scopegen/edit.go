package scopegen

import (
	"bytes"
	"fmt"
	"go/format"
	"go/scanner"
	"go/token"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
)

// An edit replaces the text between two offsets.
type edit struct {
	start, end int
	text       string
}

// span is a part of an edited text: what it has from an offset on is that of the source from
// another one on, or new.
type span struct {
	at, source int
	isNew      bool
}

// apply returns the part of a text from start to end with the edits in it, and where its parts
// come from. An edit within another one has no effect.
func apply(content []byte, edits []edit, start, end int) ([]byte, []span) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int {
		switch {
		case a.start != b.start:
			return a.start - b.start
		case a.start == a.end || b.start == b.end:
			return a.end - b.end // what is inserted stands before
		default:
			return b.end - a.end
		}
	})
	var out bytes.Buffer
	var spans []span
	at := start
	for _, e := range edits {
		if e.start < at || e.end > end {
			continue
		}
		if e.start > at {
			spans = append(spans, span{at: out.Len(), source: at})
			out.Write(content[at:e.start])
		}
		if e.text != "" {
			spans = append(spans, span{at: out.Len(), source: e.start, isNew: true})
			out.WriteString(e.text)
		}
		at = e.end
	}
	spans = append(spans, span{at: out.Len(), source: at})
	out.Write(content[at:end])
	return out.Bytes(), spans
}

// sourceOf returns the offset in the source of an offset in the edited text.
func sourceOf(spans []span, at int) int {
	i, found := slices.BinarySearchFunc(spans, at, func(s span, at int) int { return s.at - at })
	if !found {
		i--
	}
	if i < 0 {
		return 0
	}
	if s := spans[i]; !s.isNew {
		return s.source + at - s.at
	}
	return spans[i].source
}

// lexemes returns the tokens and comments of a file, apart from those that formatting adds and removes.
func lexemes(content []byte) []gosyntax.Token {
	return slices.DeleteFunc(slices.Collect(gosyntax.Tokens(content, scanner.ScanComments)), func(t gosyntax.Token) bool {
		return t.Kind == token.SEMICOLON || t.Kind == token.COMMA
	})
}

// finish returns the formatted file with a header before it, and where its text comes from. The
// name is that of the source.
func (c *copier) finish(f *sourceFile, header string, edited []byte, spans []span) ([]byte, []scope.SourceMark, error) {
	formatted, err := format.Source(edited)
	if err != nil {
		return nil, nil, fmt.Errorf("the copy of %s does not parse: %w", f.name, err)
	}
	before, after := lexemes(edited), lexemes(formatted)
	if len(before) != len(after) {
		return nil, nil, fmt.Errorf("the copy of %s has %d tokens, and %d when it is formatted", f.name, len(before), len(after))
	}
	tokens := c.fset.File(f.syntax.FileStart)
	var marks []scope.SourceMark
	for i, lexeme := range after {
		// Formatting sorts imports: what is no longer at its place has that of its neighbour.
		at := tokens.PositionFor(tokens.Pos(min(sourceOf(spans, before[i].Offset), tokens.Size())), false)
		mark := scope.SourceMark{Offset: len(header) + lexeme.Offset, Line: at.Line, Column: at.Column}
		if n := len(marks); n == 0 || !follows(marks[n-1], mark, formatted, len(header)) {
			marks = append(marks, mark)
		}
	}
	return append([]byte(header), formatted...), marks, nil
}

// follows reports whether a place is on the line of the one before, with the same difference
// to its source.
func follows(before, mark scope.SourceMark, content []byte, header int) bool {
	distance := mark.Offset - before.Offset
	return mark.Line == before.Line && mark.Column == before.Column+distance &&
		!bytes.Contains(content[before.Offset-header:mark.Offset-header], []byte("\n"))
}

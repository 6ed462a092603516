package scopecopies

import (
	"bytes"
	"fmt"
	"go/format"
	"go/scanner"
	"go/token"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/textedit"
)

// sourceOf returns the offset in the source of an offset in the edited text.
func sourceOf(spans []textedit.Span, at int) int {
	i, found := slices.BinarySearchFunc(spans, at, func(s textedit.Span, at int) int { return s.At - at })
	if !found {
		i--
	}
	if i < 0 {
		return 0
	}
	if s := spans[i]; !s.IsNew {
		return s.Source + at - s.At
	}
	return spans[i].Source
}

// lexemes returns the tokens and comments of a file, except tokens that formatting adds and removes.
func lexemes(content []byte) []gosyntax.Token {
	return slices.DeleteFunc(slices.Collect(gosyntax.Tokens(content, scanner.ScanComments)), func(t gosyntax.Token) bool {
		return t.Kind == token.SEMICOLON || t.Kind == token.COMMA
	})
}

// finish returns the formatted file with a header before it, and where its text comes from. The
// name is that of the source.
func (c *copier) finish(f *sourceFile, header string, edited []byte, spans []textedit.Span) ([]byte, []modules.SourceMark, error) {
	formatted, err := format.Source(edited)
	if err != nil {
		return nil, nil, fmt.Errorf("the copy of %s does not parse: %w", f.name, err)
	}
	before, after := lexemes(edited), lexemes(formatted)
	tokens := c.fset.File(f.syntax.FileStart)
	var marks []modules.SourceMark
	next := 0
	for _, lexeme := range after {
		isComment := lexeme.Kind == token.COMMENT
		for !isComment && before[next].Kind == token.COMMENT { // formatting removes empty lines of comments
			next++
		}
		// Formatting sorts imports: a moved import has its neighbour's position. So has a line that it adds to a comment.
		at := tokens.PositionFor(tokens.Pos(min(sourceOf(spans, before[next].Offset), tokens.Size())), false)
		if isComment == (before[next].Kind == token.COMMENT) && next < len(before)-1 {
			next++
		}
		mark := modules.SourceMark{Offset: len(header) + lexeme.Offset, Line: at.Line, Column: at.Column}
		if n := len(marks); n == 0 || !follows(marks[n-1], mark, formatted, len(header)) {
			marks = append(marks, mark)
		}
	}
	return append([]byte(header), formatted...), marks, nil
}

// follows reports whether a place is on the line of the one before, with the same difference
// to its source.
func follows(before, mark modules.SourceMark, content []byte, header int) bool {
	distance := mark.Offset - before.Offset
	return mark.Line == before.Line && mark.Column == before.Column+distance &&
		!bytes.Contains(content[before.Offset-header:mark.Offset-header], []byte("\n"))
}

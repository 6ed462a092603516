// Package goedit edits authors' Go files, and the lines of other files, as bytes: text that no edit covers
// stays as it is.
package goedit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/textedit"
)

// A Text is a file to edit by lines, counted from 1.
type Text struct {
	content []byte
	// lines are the offsets of the lines' beginnings, and of the end of the last line.
	lines []int
	edits []textedit.Edit
}

// NewText returns a text without edits.
func NewText(content []byte) *Text {
	t := &Text{content: content, lines: []int{0}}
	at := 0
	for line := range bytes.Lines(content) {
		at += len(line)
		t.lines = append(t.lines, at)
	}
	return t
}

// Line returns a line before all edits, without its line break, or "" if there is no such line.
func (t *Text) Line(n int) string {
	start, end := t.line(n)
	return strings.TrimSuffix(strings.TrimSuffix(string(t.content[start:end]), "\n"), "\r")
}

// line returns the offsets of a line's beginning and of its end after the line break.
func (t *Text) line(n int) (start, end int) {
	if n < 1 || n >= len(t.lines) {
		return 0, 0
	}
	return t.lines[n-1], t.lines[n]
}

// ReplaceLine replaces a line by several, and keeps its line break.
func (t *Text) ReplaceLine(n int, lines ...string) {
	start, _ := t.line(n)
	t.replace(start, start+len(t.Line(n)), strings.Join(lines, t.lineBreak(start)))
}

// InsertLines adds lines below a line; 0 stands for the beginning.
func (t *Text) InsertLines(n int, lines ...string) {
	at := t.lines[min(max(n, 0), len(t.lines)-1)]
	eol := t.lineBreak(at)
	text := strings.Join(lines, eol) + eol
	// The last line has no line break: end it first.
	if at > 0 && t.content[at-1] != '\n' {
		text = eol + strings.TrimSuffix(text, eol)
	}
	t.insert(at, text)
}

// RemoveLine removes a line with its line break.
func (t *Text) RemoveLine(n int) {
	start, end := t.line(n)
	t.replace(start, end, "")
}

func (t *Text) replace(start, end int, text string) {
	t.edits = append(t.edits, textedit.Edit{Start: start, End: end, Text: text})
}

func (t *Text) insert(at int, text string) { t.replace(at, at, text) }

// isEdited reports whether an edit touches a line.
func (t *Text) isEdited(n int) bool {
	start, end := t.line(n)
	return slices.ContainsFunc(t.edits, func(e textedit.Edit) bool { return e.End > start && e.Start < end })
}

// Bytes returns the text with the edits. Edits at one place are made in order. An edit that overlaps another,
// or lies outside the text, is a bug in mrgen.
func (t *Text) Bytes() ([]byte, error) {
	edited, _, dropped := textedit.Apply(t.content, t.edits, 0, len(t.content))
	if len(dropped) > 0 {
		return nil, fmt.Errorf("the edit of bytes %d to %d overlaps another one, or lies outside the text", dropped[0].Start, dropped[0].End)
	}
	return edited, nil
}

// indent returns the white space at the beginning of an offset's line, as far as it is before the offset.
func (t *Text) indent(offset int) string {
	before := t.before(offset)
	return before[:len(before)-len(strings.TrimLeft(before, " \t"))]
}

// before returns the part of an offset's line before the offset.
func (t *Text) before(offset int) string {
	return string(t.content[bytes.LastIndexByte(t.content[:offset], '\n')+1 : offset])
}

// lineBreak returns the characters that end the line at an offset.
func (t *Text) lineBreak(offset int) string {
	// The last line may have no line break: use the file's first.
	end := offset + bytes.IndexByte(t.content[offset:], '\n')
	if end < offset {
		end = bytes.IndexByte(t.content, '\n')
	}
	if end > 0 && t.content[end-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

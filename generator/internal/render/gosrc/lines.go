package gosrc

import (
	"bytes"
	"strings"
)

// Lines is Go code that is formatted as it is written, line by line: to format code
// afterwards takes longer than all else that is done to write it. The zero value has no
// lines.
type Lines struct {
	bytes.Buffer
	indent int
	// blank is set after an empty line.
	blank bool
}

// Line writes a line, in parts.
func (l *Lines) Line(parts ...string) {
	for range l.indent {
		l.WriteByte('\t')
	}
	for _, part := range parts {
		l.WriteString(part)
	}
	l.WriteByte('\n')
	l.blank = false
}

// Blank writes an empty line, unless the line before is one.
func (l *Lines) Blank() {
	if !l.blank {
		l.WriteByte('\n')
		l.blank = true
	}
}

// Block writes a line that ends in an opening brace, what body writes, and the closing
// brace.
func (l *Lines) Block(opening string, body func()) {
	l.Line(opening, " {")
	l.Indented(body)
	l.Line("}")
}

// Indented has body write lines that are indented more.
func (l *Lines) Indented(body func()) {
	l.indent++
	body()
	l.indent--
}

// Function writes a function after an empty line and a line of documentation.
func (l *Lines) Function(doc, signature string, body func()) {
	l.Blank()
	l.Line("// ", doc)
	l.Block("func "+signature, body)
}

// An Element is one of a composite literal, with a value or the elements of the literal
// that it has in place of one.
type Element struct {
	Key, Value string
	Elements   []Element
}

// Literal writes a composite literal with an element a line, between two parts of code:
// the first one ends in the type of the literal.
func (l *Lines) Literal(before string, elements []Element, after string) {
	l.Line(before, "{")
	l.Indented(func() {
		for i, e := range elements {
			if e.Elements != nil {
				l.Literal(e.Key+": "+e.Value, e.Elements, ",")
				continue
			}
			l.Line(e.Key, ":", strings.Repeat(" ", widthAround(elements, i)-len(e.Key)+1), e.Value, ",")
		}
	})
	l.Line("}", after)
}

// widthAround returns the width of the longest key of an element and those next to it,
// up to the next literal: gofmt aligns their values.
func widthAround(elements []Element, i int) int {
	width := 0
	first := i
	for first > 0 && elements[first-1].Elements == nil {
		first--
	}
	for _, e := range elements[first:] {
		if e.Elements != nil {
			break
		}
		width = max(width, len(e.Key))
	}
	return width
}

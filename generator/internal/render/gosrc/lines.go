package gosrc

import (
	"bytes"
	"math"
	"strings"
)

// Lines is Go code that is formatted as it is written, line by line: formatting code afterwards takes longer than
// everything else about writing it. The zero value has no lines.
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

// Block writes a line that ends in an opening brace, then the lines that body writes, and the closing brace.
func (l *Lines) Block(opening string, body func()) {
	l.Line(opening, " {")
	l.Indented(body)
	l.Line("}")
}

// Indented calls body, whose lines are indented more.
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

// An Element is an element of a composite literal, with a value or, in place of one, the elements of a nested literal.
type Element struct {
	Key, Value string
	Elements   []Element
}

// Literal writes a composite literal with an element a line, between two parts of code. The first one ends in the type
// of the literal.
func (l *Lines) Literal(before string, elements []Element, after string) {
	l.Line(before, "{")
	l.Indented(func() {
		for left := elements; len(left) > 0; {
			if e := left[0]; e.Elements != nil {
				l.Literal(e.Key+": "+e.Value, e.Elements, ",")
				left = left[1:]
				continue
			}
			n, width := section(left)
			for _, e := range left[:n] {
				l.Line(e.Key, ":", strings.Repeat(" ", width-len(e.Key)+1), e.Value, ",")
			}
			left = left[n:]
		}
	})
	l.Line("}", after)
}

// section returns how many of the first elements gofmt aligns, and the width of their keys.
func section(elements []Element) (n, width int) {
	const long, much = 40, 2.5
	sum := 0.0 // of logarithms, for the geometric mean
	// A nested literal begins a new section.
	for ; n < len(elements) && elements[n].Elements == nil; n++ {
		size := len(elements[n].Key)
		if n > 0 && (size > long || len(elements[n-1].Key) > long) {
			ratio := float64(size) / math.Exp(sum/float64(n))
			// So does a long key that is much longer or shorter than the ones before.
			if ratio >= much || much*ratio <= 1 {
				break
			}
		}
		sum += math.Log(float64(size))
		width = max(width, size)
	}
	return n, width
}

package markers

import "fmt"

// A ProblemKind tells what a problem means for the output.
type ProblemKind uint8

const (
	// Invalid markers are ours, and can't have their effect.
	Invalid ProblemKind = iota
	// Misspelt texts were meant to be markers, and nobody reads them.
	Misspelt
	// WithoutEffect markers are well-formed, and nobody reads them where they are. If they
	// are those of mrgen alone, they are Invalid: what they ask for is missing.
	WithoutEffect
)

// A Problem says what is wrong with a marker, and what to do about it.
type Problem struct {
	// Offset is the byte in the text of the marker, without the plus sign, where
	// the problem is.
	Offset int
	// Message is one line.
	Message string
	// Kind is Invalid unless the marker is unknown, or another tool's.
	Kind ProblemKind
	// Meant is the name of the marker that a misspelt one was most likely meant to be, ""
	// if none is.
	Meant string
	// Correction puts a misspelt marker right. It is nil if it takes a person to tell
	// what was meant.
	Correction *Correction
}

// A Correction replaces a part of the text of a marker.
type Correction struct {
	// Offset and Length delimit the part, in bytes.
	Offset, Length int
	// Text takes its place.
	Text string
}

// Apply returns a text with the correction made.
func (c *Correction) Apply(text string) string {
	return text[:c.Offset] + c.Text + text[c.Offset+c.Length:]
}

// without returns a problem with a well-formed marker that can't have its effect.
func (d *Definition) without(format string, args ...any) *Problem {
	p := problemf(0, format, args...)
	p.Kind = d.Unread()
	return p
}

func problemf(offset int, format string, args ...any) *Problem {
	return &Problem{Offset: offset, Message: fmt.Sprintf(format, args...)}
}

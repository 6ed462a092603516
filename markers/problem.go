package markers

import "fmt"

// A ProblemKind tells what a problem means for the output.
type ProblemKind uint8

const (
	// Invalid markers are mrgen's own. They ask for something that the output would lack.
	Invalid ProblemKind = iota
	// Misspelt texts were meant to be markers, but no tool reads them.
	Misspelt
	// WithoutEffect markers are well-formed, but no tool reads them at their place. Markers
	// that mrgen alone defines are Invalid instead.
	WithoutEffect
)

// A Problem says what is wrong with a marker, and what to do about it.
type Problem struct {
	// Offset is where the problem is in the text of the marker, in bytes after the plus sign.
	Offset int
	// Message is one line. Like says the same of several markers, with a verb for their number; it
	// may be empty.
	Message, Like string
	// Kind is Invalid unless the marker is unknown, or another tool's.
	Kind ProblemKind
	// Words is set if only words follow a marker. Where a sentence goes on from the line above, they
	// are prose.
	Words bool
	// Meant is the name of the marker that a misspelt one probably stands for, or "".
	Meant string
	// Correction corrects a misspelt marker. It is nil if the intention is not certain.
	Correction *Correction
}

// A Correction replaces Length bytes at Offset in the text of a marker by Text.
type Correction struct {
	Offset, Length int
	Text           string
}

// Apply returns the corrected text.
func (c *Correction) Apply(text string) string {
	return text[:c.Offset] + c.Text + text[c.Offset+c.Length:]
}

// without returns the problem of a well-formed marker that is without its effect.
func (d *Definition) without(format string, args ...any) *Problem {
	p := problemf(0, format, args...)
	p.Kind = d.Unread()
	return p
}

func problemf(offset int, format string, args ...any) *Problem {
	return &Problem{Offset: offset, Message: fmt.Sprintf(format, args...)}
}

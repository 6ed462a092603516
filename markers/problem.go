package markers

import (
	"fmt"
	"slices"
	"strings"
)

// A ProblemKind says how serious a problem is for the output.
type ProblemKind uint8

const (
	// Invalid markers are mrgen's own, and without them the output would lack something.
	Invalid ProblemKind = iota
	// Misspelt texts were meant to be markers, but no tool reads them.
	Misspelt
	// WithoutEffect markers are well-formed, but no tool reads them at their place. mrgen's own are Invalid
	// instead.
	WithoutEffect
)

// A Problem describes an error in a marker and how to correct it.
type Problem struct {
	// Offset is the position in the text of the marker, in bytes after the plus sign.
	Offset int
	// Message is one line. Like, which may be empty, is the message for several markers of one kind, with a
	// verb for their number.
	Message, Like string
	// Kind is Invalid unless the marker is unknown or another tool's.
	Kind ProblemKind
	// Words is set if only words follow a marker. They are prose if the line continues a sentence.
	Words bool
	// Meant is the name of the marker that a misspelt one probably stands for, or "".
	Meant string
	// Correction corrects a misspelt marker. It is nil if the intention is not certain.
	Correction *Correction
	// Suggestions are the names in the message that a misspelt one may stand for, if these are several, or "".
	Suggestions string
}

// orName separates names of markers in a message, and in suggestions.
const orName = " or +"

// A Correction replaces Length bytes at Offset in the text of a marker by Text.
type Correction struct {
	Offset, Length int
	Text           string
}

// Apply returns the corrected text.
func (c *Correction) Apply(text string) string {
	return text[:c.Offset] + c.Text + text[c.Offset+c.Length:]
}

// Choose returns the problem with the one suggested name that has an ending, if there are others.
func (p *Problem) Choose(ending string) *Problem {
	fits := slices.DeleteFunc(strings.Split(p.Suggestions, orName), func(name string) bool { return !strings.HasSuffix(name, ending) })
	if ending == "" || len(fits) != 1 {
		return p
	}
	chosen := *p
	chosen.Message = strings.Replace(p.Message, p.Suggestions, fits[0], 1)
	return &chosen
}

// without returns the problem of a well-formed marker that has no effect.
func (d *Definition) without(format string, args ...any) *Problem {
	return problemf(d.Unread(), 0, format, args...)
}

func problemf(kind ProblemKind, offset int, format string, args ...any) *Problem {
	return &Problem{Kind: kind, Offset: offset, Message: fmt.Sprintf(format, args...)}
}

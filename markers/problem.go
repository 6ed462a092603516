package markers

import "fmt"

// A Problem says what is wrong with a marker, and what to do about it.
type Problem struct {
	// Offset is the byte in the text of the marker, without the plus sign, where
	// the problem is.
	Offset int
	// Message is one line.
	Message string
}

func problemf(offset int, format string, args ...any) *Problem {
	return &Problem{Offset: offset, Message: fmt.Sprintf(format, args...)}
}

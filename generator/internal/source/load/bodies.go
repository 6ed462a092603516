package load

import "bytes"

// withoutBodies returns source without the bodies of functions, since they are most of the
// work for the parser. It overwrites the source. Line breaks stay, as do blanks before the
// closing brace, and so do lines and columns of what is left; offsets change. Bodies with
// markers stay as well, see [dropBodies].
//
// It finds functions that are declared as gofmt formats them, at the start of a line. It
// may leave source that does not parse as it is.
func withoutBodies(source []byte) []byte {
	s := &bodyScanner{source: source}
	kept, rest := source[:0], 0
	for s.next < len(source) {
		atLineStart := s.next == 0 || source[s.next-1] == '\n'
		if !atLineStart || !bytes.HasPrefix(source[s.next:], []byte("func ")) {
			if s.skip() != '\n' {
				s.skipPlain()
			}
			continue
		}
		s.next += len("func ")
		s.marked = false
		if !s.enterBody() {
			continue
		}
		start := s.next
		if !s.leave() {
			break
		}
		if s.marked {
			continue
		}
		kept = append(kept, source[rest:start]...)
		rest = s.next - 1
		kept = appendBlank(kept, source[start:rest])
	}
	return append(kept, source[rest:]...)
}

// appendBlank appends the least text that ends at the same line and column as a body does.
func appendBlank(to, body []byte) []byte {
	lastLine := bytes.LastIndexByte(body, '\n') + 1
	for range bytes.Count(body[:lastLine], []byte("\n")) {
		to = append(to, '\n')
	}
	for range body[lastLine:] {
		to = append(to, ' ')
	}
	return to
}

// bodyScanner scans Go source for strings, comments and brackets.
type bodyScanner struct {
	source []byte
	// next is the offset of the next byte.
	next int
	// marked is set if a marker was skipped.
	marked bool
}

// skipPlain skips characters that are neither line breaks nor brackets, and begin nothing that
// may hold some.
func (s *bodyScanner) skipPlain() {
	for s.next < len(s.source) && !isNotable[s.source[s.next]] {
		s.next++
	}
}

var isNotable = func() (notable [256]bool) {
	for _, c := range []byte("\n()[]{}\"'`/") {
		notable[c] = true
	}
	return notable
}()

// skip skips a comment, a literal that may hold any text, or another character, and
// returns the first one of it.
func (s *bodyScanner) skip() byte {
	first := s.source[s.next]
	s.next++
	switch first {
	case '"', '\'':
		for s.next < len(s.source) && s.source[s.next] != first && s.source[s.next] != '\n' {
			if s.source[s.next] == '\\' {
				s.next++
			}
			s.next++
		}
		s.next++
	case '`':
		s.skipPast("`")
	case '/':
		switch {
		case bytes.HasPrefix(s.source[s.next:], []byte("/")):
			comment, _, _ := bytes.Cut(s.source[s.next+1:], []byte("\n"))
			s.next += 1 + len(comment)
			s.marked = s.marked || bytes.HasPrefix(bytes.TrimSpace(comment), []byte("+"))
		case bytes.HasPrefix(s.source[s.next:], []byte("*")):
			s.next++
			s.skipPast("*/")
		}
	}
	s.next = min(s.next, len(s.source))
	return first
}

// skipPast skips everything up to the end of a text.
func (s *bodyScanner) skipPast(text string) {
	if i := bytes.Index(s.source[s.next:], []byte(text)); i >= 0 {
		s.next += i + len(text)
	} else {
		s.next = len(s.source)
	}
}

// enterBody skips the rest of a function's declaration, up to and including the brace
// that opens the body. It reports false if there is no body.
func (s *bodyScanner) enterBody() bool {
	for s.next < len(s.source) {
		start := s.next
		switch s.skip() {
		case '(', '[':
			if !s.leave() {
				return false
			}
		case '{':
			before := bytes.TrimRight(s.source[:start], " \t")
			if !bytes.HasSuffix(before, []byte("struct")) && !bytes.HasSuffix(before, []byte("interface")) {
				return true
			}
			if !s.leave() {
				return false
			}
		case '\n':
			return false
		}
	}
	return false
}

// leave skips everything up to the bracket that closes one which has been skipped, and that
// bracket. It reports false if it is missing.
func (s *bodyScanner) leave() bool {
	for depth := 1; ; {
		s.skipPlain()
		if s.next == len(s.source) {
			return false
		}
		switch s.skip() {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth == 0 {
			return true
		}
	}
}

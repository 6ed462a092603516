package encode

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v2"
)

// foldAt is the column after which the next space ends a line.
const foldAt = 80

// maxKey is the length up to which keys are written without a question mark.
const maxKey = 128

// A style is the form of a scalar.
type style uint8

const (
	// other is any form that is rare: the emitter decides.
	other style = iota
	plain
	singleQuoted
	literal
)

// styleOf returns the form of a scalar. It knows the forms of printable ASCII and line breaks, and follows stringv in
// encode.go and yaml_emitter_analyze_scalar in emitterc.go of go.yaml.in/yaml/v2.
func styleOf(s string) style {
	if s == "" || s[0] == ' ' || s[0] == '\n' || s[len(s)-1] == ' ' {
		return other
	}
	style := plain
	if first := s[0]; first == '.' && len(s) > 1 && isLetter(s[1]) {
		// A JSON path, such as .metadata.creationTimestamp. It is never a number.
	} else if strings.IndexByte("+-.0123456789", first) >= 0 {
		return other // may look like a number or a time
	} else if strings.IndexByte("#,[]{}&*!|>'\"%@`", first) >= 0 {
		style = singleQuoted
	}
	if reserved[s] { // YAML 1.1 reads it as another type
		return other
	}
	lines := false
	for i := range len(s) {
		last := i+1 == len(s)
		switch c := s[i]; {
		case c == '\n':
			if s[i-1] == ' ' || last && s[i-1] == '\n' {
				return other
			}
			lines = true
		case c < ' ' || c > '~':
			return other
		case c == ':' || c == '?' && i == 0:
			if last || s[i+1] == ' ' { // YAML would read it as the end of a key
				style = singleQuoted
			}
		case c == '#' && i > 0 && s[i-1] == ' ': // begins a comment
			style = singleQuoted
		}
	}
	if lines {
		return literal
	}
	return style
}

// reserved are the words that YAML 1.1 doesn't read as strings. See resolve.go of go.yaml.in/yaml/v2.
var reserved = map[string]bool{
	"y": true, "Y": true, "yes": true, "Yes": true, "YES": true, "on": true, "On": true, "ON": true,
	"n": true, "N": true, "no": true, "No": true, "NO": true, "off": true, "Off": true, "OFF": true,
	"true": true, "True": true, "TRUE": true, "false": true, "False": true, "FALSE": true,
	"~": true, "null": true, "Null": true, "NULL": true,
	".nan": true, ".NaN": true, ".NAN": true, ".inf": true, ".Inf": true, ".INF": true,
}

// text writes a string.
func (e *encoder) text(s string, at position) {
	switch styleOf(s) {
	case plain:
		e.out = append(e.out, ' ')
		e.fold(s, at)
		e.out = append(e.out, '\n')
	case singleQuoted:
		e.out = append(e.out, " '"...)
		e.fold(strings.ReplaceAll(s, "'", "''"), at)
		e.out = append(e.out, "'\n"...)
	case literal:
		e.literal(s, at)
	default:
		e.emitted(s, at)
	}
}

// fold writes text, and breaks lines that get too long at a space between words.
func (e *encoder) fold(s string, at position) {
	column := utf8.RuneCount(e.out[bytes.LastIndexByte(e.out, '\n')+1:])
	for {
		// The part up to a space that may end the line.
		end := max(0, foldAt+1-column)
		for end < len(s) && (s[end] != ' ' || s[end-1] == ' ' || s[end+1] == ' ') { // YAML drops spaces around a line break
			end++
		}
		if end >= len(s) {
			e.out = append(e.out, s...)
			return
		}
		e.out = append(append(e.out, s[:end]...), '\n')
		e.spaces(at.indent + 2)
		s, column = s[end+1:], at.indent+2
	}
}

// literal writes text in lines of its own.
func (e *encoder) literal(s string, at position) {
	e.out = append(e.out, " |"...)
	body, ended := strings.CutSuffix(s, "\n")
	if !ended {
		e.out = append(e.out, '-') // no line break at the end
	}
	e.out = append(e.out, '\n')
	for line := range strings.SplitSeq(body, "\n") {
		if line != "" {
			e.spaces(at.indent + 2)
		}
		e.out = append(append(e.out, line...), '\n')
	}
}

// emitted writes a string with the emitter, in a document where the string has the same place.
func (e *encoder) emitted(s string, at position) {
	if !readable(s) {
		e.failed = true
		return
	}
	depth := at.indent / 2
	document := map[string]any{strings.Repeat("k", at.key): s}
	if at.item {
		document = map[string]any{"k": []any{s}}
	}
	// Each level is a line with its indentation and "k:".
	before := at.indent + at.key + len(":")
	for level := range depth {
		before += 2*level + len("k:\n")
		document = map[string]any{"k": document}
	}
	if at.item {
		before += at.indent + len("k:\n")
	}
	content, err := yaml.Marshal(document)
	if err != nil {
		e.failed = true
		return
	}
	e.out = append(e.out, content[before:]...)
}

// readable reports whether a YAML parser reads a string back from its JSON, where these characters are not escaped.
func readable(s string) bool {
	return !strings.ContainsAny(s, "\x7f\ufeff\ufffe\uffff") && !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 && r < 0xa0 })
}

// key writes a key and returns its length.
func (e *encoder) key(s string) int {
	start := len(e.out)
	if styleOf(s) == plain {
		e.out = append(e.out, s...)
	} else {
		content, err := yaml.Marshal(map[string]int{s: 0})
		written, simple := bytes.CutSuffix(content, []byte(": 0\n"))
		isComplex := err != nil || !simple || bytes.HasPrefix(written, []byte("? "))
		if isComplex || !readable(s) {
			e.failed = true
			return 0
		}
		e.out = append(e.out, written...)
	}
	length := utf8.RuneCount(e.out[start:])
	if len(e.out)-start > maxKey { // the emitter writes it with a question mark
		e.failed = true
	}
	return length
}

// float writes a number that isn't an int64.
func (e *encoder) float(f float64) {
	if f >= 1<<63 && f <= 1<<64 { // sigs.k8s.io/yaml writes unsigned integers, of which the float has lost digits
		e.failed = true
	}
	e.plain(strconv.FormatFloat(f, 'g', -1, 64))
}

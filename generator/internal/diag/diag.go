// Package diag holds what mrgen tells its users about their source: positioned
// diagnostics, and lists of them in a stable order.
//
// It is a leaf: every other package may import it.
package diag

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Position names a place in a file.
type Position struct {
	// File is a slash-separated path relative to the module root, or an
	// absolute path if the file lies outside the module.
	File string
	// Line counts from 1; 0 means that the whole file is meant.
	Line int
	// Column counts bytes from 1; 0 means that the whole line is meant.
	Column int
}

// IsValid reports whether p names at least a file.
func (p Position) IsValid() bool { return p.File != "" }

// IsOutside reports whether p names a file that belongs to another module, which the author
// can't edit: one outside the folder of the module, or one that is vendored.
func (p Position) IsOutside() bool {
	return p.File != "" && (!filepath.IsLocal(filepath.FromSlash(p.File)) || strings.Contains("/"+p.File, "/vendor/"))
}

// String returns file:line:col, less the parts that are not known.
func (p Position) String() string {
	s := p.File
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line)
		if p.Column > 0 {
			s += ":" + strconv.Itoa(p.Column)
		}
	}
	return s
}

// Compare orders positions by file, line and column.
func (p Position) Compare(q Position) int {
	return cmp.Or(
		strings.Compare(p.File, q.File),
		cmp.Compare(p.Line, q.Line),
		cmp.Compare(p.Column, q.Column),
	)
}

// Severity tells whether a diagnostic prevents output.
type Severity uint8

const (
	// Error diagnostics prevent any output.
	Error Severity = iota
	// Warning diagnostics are printed and prevent nothing.
	Warning
)

// A Code names the rule that a diagnostic stems from, for tests and for the
// titles of CI annotations, for example "unknown-marker".
type Code string

// A Diagnostic says what is wrong at a place in the user's source or settings,
// and what to do about it.
type Diagnostic struct {
	Pos      Position
	Severity Severity
	Code     Code
	// Message is one line: what is wrong, and what to do. It names no position.
	Message string
	// Like is the message that stands for all diagnostics of the same severity, code and
	// Like, with %d for their number. It is empty if each is to be told of.
	Like string
}

// As returns the diagnostic as one of those that a message stands for, see
// [Diagnostic.Like].
func (d Diagnostic) As(format string, args ...any) Diagnostic {
	d.Like = oneLine(fmt.Sprintf(format, args...))
	return d
}

// String returns the diagnostic as one line: "file:line:col: message", with
// "warning: " before the message of a warning.
func (d Diagnostic) String() string {
	var b strings.Builder
	if d.Pos.IsValid() {
		b.WriteString(d.Pos.String())
		b.WriteString(": ")
	}
	if d.Severity == Warning {
		b.WriteString("warning: ")
	}
	b.WriteString(d.Message)
	return b.String()
}

// Errorf returns an error diagnostic. Line breaks in the message become spaces,
// so that a diagnostic is always one line.
func Errorf(pos Position, code Code, format string, args ...any) Diagnostic {
	return Diagnostic{Pos: pos, Severity: Error, Code: code, Message: oneLine(fmt.Sprintf(format, args...))}
}

// Warningf returns a warning diagnostic, see [Errorf].
func Warningf(pos Position, code Code, format string, args ...any) Diagnostic {
	return Diagnostic{Pos: pos, Severity: Warning, Code: code, Message: oneLine(fmt.Sprintf(format, args...))}
}

// Ours returns the message for a mistake of mrgen, not of its user.
func Ours(cause string) string {
	return "internal error: " + oneLine(cause) + ": please report it at https://github.com/mrgen-io/mrgen/issues"
}

// And joins words for a sentence: "a, b and c". There must be one at least.
func And(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Cause returns the cause of an error of the file system without the operations
// and the paths around it: the position of a diagnostic names the file, and an
// absolute path means nothing on another machine.
func Cause(err error) error {
	for {
		var pathError *fs.PathError
		var linkError *os.LinkError
		switch {
		case errors.As(err, &pathError):
			err = pathError.Err
		case errors.As(err, &linkError):
			err = linkError.Err
		default:
			return err
		}
	}
}

// A List is a collection of diagnostics.
type List []Diagnostic

// HasErrors reports whether any diagnostic in l is an error.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// mostAlike is how many warnings may say the same of different places before they are
// grouped.
const mostAlike = 3

// Grouped returns the diagnostics of l, with the first of several that are alike in place
// of all of them: those that say so, and many warnings of one text. Errors of one text
// stay, since each is to be put right.
func (l List) Grouped() List {
	type group struct {
		severity Severity
		code     Code
		text     string
	}
	of := func(d Diagnostic) group {
		if d.Like != "" {
			return group{d.Severity, d.Code, d.Like}
		}
		return group{d.Severity, d.Code, d.Message}
	}
	counts := map[group]int{}
	for _, d := range l {
		counts[of(d)]++
	}
	var grouped List
	for _, d := range l {
		switch n := counts[of(d)]; {
		case n == 0: // another one stands for it
			continue
		case d.Like != "" && n > 1:
			counts[of(d)] = 0
			d.Message = strings.Replace(d.Like, "%d", strconv.Itoa(n), 1)
		case d.Like == "" && n > mostAlike && d.Severity == Warning:
			counts[of(d)] = 0
			d.Message += fmt.Sprintf(" (and %d more such)", n-1)
		}
		grouped = append(grouped, d)
	}
	return grouped
}

// Sorted returns the diagnostics of l ordered by position, severity and message,
// without duplicates. It does not change l.
func (l List) Sorted() List {
	s := slices.Clone(l)
	slices.SortFunc(s, func(a, b Diagnostic) int {
		return cmp.Or(
			a.Pos.Compare(b.Pos),
			cmp.Compare(a.Severity, b.Severity),
			strings.Compare(a.Message, b.Message),
			cmp.Compare(a.Code, b.Code),
		)
	})
	return slices.Compact(s)
}

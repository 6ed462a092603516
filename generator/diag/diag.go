// Package diag has the diagnostics that mrgen reports about users' source: each with a position, in lists with
// a stable order.
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
	// File is a slash-separated path, relative to the module root if the file is in the module.
	File string
	// Line counts from 1, and is 0 for the whole file.
	Line int
	// Column counts bytes from 1, and is 0 for the whole line.
	Column int
}

// IsValid reports whether p names at least a file.
func (p Position) IsValid() bool { return p.File != "" }

// IsOutside reports whether p is in another module's file, vendored or not, which the author can't edit.
func (p Position) IsOutside() bool {
	return p.File != "" && (!filepath.IsLocal(filepath.FromSlash(p.File)) || strings.Contains("/"+p.File, "/vendor/"))
}

// String returns file:line:col without the unknown parts.
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

// A Severity says whether a diagnostic prevents output.
type Severity uint8

const (
	// Error diagnostics prevent any output.
	Error Severity = iota
	// Warning diagnostics don't prevent output.
	Warning
)

// A Code names the check that produced a diagnostic, for example "unknown-marker".
type Code string

// A Diagnostic describes a problem at a place in the user's source or settings, and the remedy.
type Diagnostic struct {
	Pos      Position
	Severity Severity
	Code     Code
	// Message is one line: the problem and the remedy. It doesn't contain the position.
	Message string
	// Like is the message that replaces several diagnostics with the same severity, code and Like, with %d for
	// their number. If it is empty, each diagnostic is reported by itself.
	Like string
	// Cause, if not empty, is the message of a warning without its arguments. Many warnings of one cause are reported
	// as one.
	Cause string
}

// As returns the diagnostic with [Diagnostic.Like] set.
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

// Errorf returns an error diagnostic. It replaces white space in the message, line breaks included, by single
// spaces.
func Errorf(pos Position, code Code, format string, args ...any) Diagnostic {
	return Diagnostic{Pos: pos, Severity: Error, Code: code, Message: oneLine(fmt.Sprintf(format, args...))}
}

// Warningf returns a warning diagnostic, see [Errorf].
func Warningf(pos Position, code Code, format string, args ...any) Diagnostic {
	return Diagnostic{Pos: pos, Severity: Warning, Code: code, Message: oneLine(fmt.Sprintf(format, args...))}
}

// Internal returns the message for a bug in mrgen.
func Internal(cause string) string {
	return "internal error: " + oneLine(cause) + ": please report it at https://github.com/mrgen-io/mrgen/issues"
}

// And joins words for a sentence: "a, b and c". There must be at least one.
func And(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Cause returns the cause of a file system error, without operation and path: the diagnostic's position names
// the file, and messages must not depend on the machine.
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

// Errors returns the errors in l.
func (l List) Errors() List {
	return slices.DeleteFunc(slices.Clone(l), func(d Diagnostic) bool { return d.Severity != Error })
}

// Sorted returns the diagnostics of l sorted by position, severity and message, without
// duplicates. It does not change l.
func (l List) Sorted() List {
	s := slices.Clone(l)
	slices.SortFunc(s, func(a, b Diagnostic) int {
		return cmp.Or(
			a.Pos.Compare(b.Pos),
			cmp.Compare(a.Severity, b.Severity),
			strings.Compare(a.Message, b.Message),
			cmp.Compare(a.Code, b.Code),
			strings.Compare(a.Like, b.Like),
			strings.Compare(a.Cause, b.Cause),
		)
	})
	return slices.Compact(s)
}

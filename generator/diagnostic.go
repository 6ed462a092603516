package generator

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
)

// A Position is a place in a file.
type Position struct {
	// File is a slash-separated path, relative to the module root if the file is in the module.
	File string
	// Line counts from 1, and is 0 for the whole file.
	Line int
	// Column counts bytes from 1, and is 0 for the whole line.
	Column int
}

// IsValid reports whether p names at least a file.
func (p Position) IsValid() bool { return diag.Position(p).IsValid() }

// IsOutside reports whether p is in a file of another module, vendored or not.
func (p Position) IsOutside() bool { return diag.Position(p).IsOutside() }

// String returns file:line:col without the unknown parts.
func (p Position) String() string { return diag.Position(p).String() }

// Compare orders positions by file, line and column.
func (p Position) Compare(q Position) int { return diag.Position(p).Compare(diag.Position(q)) }

// A Severity says whether a diagnostic prevents output.
type Severity = diag.Severity

// The severities of diagnostics. Errors prevent any output.
const (
	Error   = diag.Error
	Warning = diag.Warning
)

// A Diagnostic says what is wrong at a place in the user's source or settings, and what to do
// about it.
type Diagnostic struct {
	Pos      Position
	Severity Severity
	// Code names the check, as in "unknown-marker". [Codes] has all of them.
	Code string
	// Message is one line: what is wrong, and what to do. It names no position.
	Message string
	// Like is the message by which [Grouped] replaces several diagnostics with the same Like, with
	// %d for their number. It may be empty.
	Like string
}

// String returns the diagnostic as one line: "file:line:col: message", with "warning: " before the
// message of a warning.
func (d Diagnostic) String() string { return d.internal().String() }

func (d Diagnostic) internal() diag.Diagnostic {
	return diag.Diagnostic{Pos: diag.Position(d.Pos), Severity: d.Severity, Code: diag.Code(d.Code), Message: d.Message, Like: d.Like}
}

// HasErrors reports whether any of the diagnostics is an error.
func HasErrors(diags []Diagnostic) bool {
	return slices.ContainsFunc(diags, func(d Diagnostic) bool { return d.Severity == Error })
}

// Grouped returns one diagnostic in place of several that are alike.
func Grouped(diags []Diagnostic) []Diagnostic { return public(internal(diags).Grouped()) }

// sorted returns diagnostics for users, sorted and without duplicates.
func sorted(diags diag.List) []Diagnostic { return public(diags.Sorted()) }

// public returns diagnostics for users.
func public(diags diag.List) []Diagnostic {
	return each(diags, func(d diag.Diagnostic) Diagnostic {
		return Diagnostic{Pos: Position(d.Pos), Severity: d.Severity, Code: string(d.Code), Message: d.Message, Like: d.Like}
	})
}

// internal takes back what [public] does.
func internal(diags []Diagnostic) diag.List { return each(diags, Diagnostic.internal) }

// each returns what a function makes of the elements of a list, and nil for none.
func each[T, U any](list []T, of func(T) U) []U {
	var all []U
	for _, element := range list {
		all = append(all, of(element))
	}
	return all
}

// A CodeReference says what diagnostics with a code are about.
type CodeReference struct {
	Code string `json:"code"`
	// Means says what is wrong, Example is such a diagnostic, and Remedy says what to do.
	Means   string `json:"means"`
	Example string `json:"example"`
	Remedy  string `json:"remedy"`
}

// Codes returns the codes of all diagnostics, sorted.
func Codes() []CodeReference {
	return each(diag.Codes, func(c diag.CodeReference) CodeReference {
		return CodeReference{string(c.Code), c.Means, c.Example, c.Remedy}
	})
}

// Package linter finds departures of an API from the patterns of Crossplane's providers: rules as data, their
// findings, and the exceptions to them.
//
// A rule looks at the kinds, with the Go types and schemas that other stages have made. It knows no other rule,
// no syntax trees and no way to edit source.
package linter

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A Severity says how much a finding matters.
type Severity uint8

const (
	// Off rules don't run.
	Off Severity = iota
	// Hint findings are worth a look, and don't fail the command.
	Hint
	// Warning findings make the API harder to use than necessary.
	Warning
	// Error findings harm users.
	Error
)

var severities = []string{"off", "hint", "warning", "error"}

// String returns the word for the severity.
func (s Severity) String() string { return severities[s] }

// ParseSeverity returns the severity that a word stands for.
func ParseSeverity(word string) (Severity, bool) {
	i := slices.Index(severities, word)
	return Severity(max(i, 0)), i >= 0
}

// A Rule looks for one departure from the patterns.
type Rule struct {
	// Name in kebab case.
	Name string
	// Doc describes in one sentence what the rule demands.
	Doc    string
	Source Source
	// Why is the benefit for users.
	Why string
	// Severity of the findings, unless the settings have another.
	Severity Severity
	// Read is how many findings on real providers were read, and Worth how many of them are worth mending.
	Read, Worth int
	// Once is set if the findings are one fact about the provider: the first one counts the others.
	Once bool
	// Yields are rules whose finding at a position says the same as this rule's: the latter is left out.
	Yields []*Rule
	Fix    Fix
	// Run looks at the API and reports through the pass.
	Run func(*Pass)
}

// A Source is the document and heading that a rule comes from.
type Source struct{ Name, URL string }

// A Fix describes the correction of a rule's findings.
type Fix struct {
	// Doc describes the edit in one sentence. It is empty for rules without a fix.
	Doc string
	// Narrows is set if the API server refuses objects after the edit that it accepted before. Such a fix needs
	// the rule's name.
	Narrows bool
}

// A Subject is the place of a finding in the objects of a kind. The kind is empty if the finding is about none.
type Subject struct{ Kind, Path string }

// A Finding is a departure from a pattern.
type Finding struct {
	Rule     string
	Severity Severity
	Pos      diag.Position
	// Places are the subjects of the finding, sorted: several kinds may share a type.
	Places  []Subject
	Message string
	// Edits correct it. They are empty if only the author can.
	Edits []diag.Edit

	// mayBeWritten is set if the finding counts in a file that mrgen wrote.
	mayBeWritten bool
	// format is the message without its arguments.
	format string
	// excepted are the markers that may accept the finding, for each place.
	excepted [][]model.Marker
}

// String returns the finding as one line.
func (f Finding) String() string {
	severity := ""
	if f.Severity != Error {
		severity = f.Severity.String() + ": "
	}
	return fmt.Sprintf("%s: %s%s (%s)", f.Pos, severity, f.Message, f.Rule)
}

func sortFindings(findings []Finding) {
	slices.SortFunc(findings, func(a, b Finding) int {
		return cmp.Or(a.Pos.Compare(b.Pos), strings.Compare(a.Rule, b.Rule), strings.Compare(a.Message, b.Message))
	})
}

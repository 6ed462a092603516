// Package linter says where an API departs from the patterns that Crossplane's providers
// follow: rules as data, what they find, and what of that is meant.
//
// A rule looks at the kinds, with their Go types and schemas, as other stages have made
// them. It knows no other rule, and neither syntax trees nor how source is edited.
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
	// Off findings are not looked for.
	Off Severity = iota
	// Hint findings are worth a look, and don't count.
	Hint
	// Warning findings make the API harder to use than need be.
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
	// Doc says in one sentence what the rule asks for.
	Doc string
	// Source is the document that says so, and the heading in it, and URL where it is.
	Source, URL string
	// Why says what users have of it.
	Why string
	// Before and After are source with a finding, and without it.
	Before, After string
	// Severity of the findings, if the settings don't say otherwise.
	Severity Severity
	Fix      Fix
	// Controllers is set if the rule looks at the code of controllers. It only runs if the API has
	// [API.Code].
	Controllers bool
	// Run looks at the API and reports through the pass.
	Run func(*Pass)
}

// A Fix says how a finding of a rule is put right.
type Fix struct {
	// Doc says in one sentence what is edited. It is empty if nothing is.
	Doc string
	// Narrows is set if the API server refuses objects after the edit that it accepted
	// before. Such a fix is made where it is asked for by name.
	Narrows bool
}

// A Subject is where in the objects of a kind a finding is. The kind is empty if the finding
// is about none.
type Subject struct{ Kind, Path string }

// A Finding is a departure from a pattern.
type Finding struct {
	Rule     string
	Severity Severity
	Pos      diag.Position
	// Places are what the finding is about, sorted: several kinds may share a type.
	Places  []Subject
	Message string
	// Edits put it right. There are none if that takes an author.
	Edits []diag.Edit

	// excepted are the markers that may say that the finding is meant, for each place.
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

// Package provenance has what was decided about the fields of a kind, as plain data. Who reads
// it need not link the parser of CEL, as package rules does.
package provenance

import (
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A Decision records what was decided about a field of spec.forProvider, and why.
type Decision struct {
	// Field leads from the root of the schema to the field.
	Field schema.Path
	// Pos is where the field is declared.
	Pos diag.Position
	// Reason begins with a verb: "stays required, since …".
	Reason string
	// Required is set if it was decided whether the field is required, and Alone if nothing stands in for
	// it where its rule requires it, such as a reference.
	Required, Alone bool
	// Immutable is set if it was decided whether the field is immutable. Tolerance lists
	// the changes that its rule allows.
	Immutable bool
	Tolerance Tolerance
	// Rule is the rule that was added, or nil.
	Rule *Rule
}

// A Tolerance lists the changes that the rule of an immutable field allows.
type Tolerance struct {
	// Observed is set if any change is allowed while the resource is only observed, and
	// Reference if references are compared by what they refer to, or may give way to the value.
	Observed, Reference bool

	// Empty is set if an empty value counts as unset, Form if values count as equal that Go
	// writes the same way, and Omission if a value that Go omits part of may change, so that the
	// API server accepts updates from Go.
	Empty, Form, Omission bool
}

// A Rule is a rule in a schema.
type Rule struct {
	// Path leads from the root of the schema to the one that holds the rule.
	Path schema.Path
	// Index is that of the rule in the schema's list.
	Index int
	// Subject says what the rule demands: "vpcId can't be changed once set".
	Subject string
}

// OfRule returns the decision that added the rule of a schema with that index, or nil.
func OfRule(all []Decision, path schema.Path, index int) *Decision {
	for i, d := range all {
		if d.Rule != nil && d.Rule.Index == index && d.Rule.Path.Compare(path) == 0 {
			return &all[i]
		}
	}
	return nil
}

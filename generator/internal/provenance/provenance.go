// Package provenance describes the decisions about the fields of a kind, as plain data. Its readers don't link the CEL
// parser, which package rules needs.
package provenance

import (
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A Decision records a decision about a field of spec.forProvider, and the reason.
type Decision struct {
	// Field leads from the root of the schema to the field.
	Field schema.Path
	// Pos is where the field is declared.
	Pos diag.Position
	// Reason begins with a verb: "stays required, since …".
	Reason string
	// Required is set if the decision is about whether the field is required. Alone is set if nothing can replace the
	// field where its rule requires it, such as a reference.
	Required, Alone bool
	// Immutable is set if the decision is about whether the field is immutable. Tolerance lists the changes that its
	// rule allows.
	Immutable bool
	Tolerance Tolerance
	// Rule is the rule that was added, or nil.
	Rule *Rule
}

// A Tolerance lists the changes that the rule of an immutable field allows.
type Tolerance struct {
	// Observed is set if any change is allowed while the resource is observe-only. Reference is set if references to the
	// same object are equal, or if the resolved value may replace the reference.
	Observed, Reference bool

	// Empty is set if an empty value counts as unset. Form is set if values are equal that Go writes the same way.
	// Omission is set if a value may change when Go omits a part of it, so that the API server accepts updates from Go.
	Empty, Form, Omission bool
}

// A Rule is a rule in a schema.
type Rule struct {
	// Path leads from the root of the schema to the one that holds the rule.
	Path schema.Path
	// Index is the index of the rule in the schema's list.
	Index int
	// Subject says what the rule demands: "vpcId can't be changed once set".
	Subject string
}

// A Note is a fact about a field, such as "is sent by Create as Name".
type Note struct {
	Pos  diag.Position // where the field is declared
	Fact string
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

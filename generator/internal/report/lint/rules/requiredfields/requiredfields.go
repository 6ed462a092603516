// Package requiredfields is about the rule required-fields.
package requiredfields

import (
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint"
	"github.com/mrgen-io/mrgen/markers"
)

// Rule is the rule.
var Rule = &lint.Rule{
	Name:   "required-fields",
	Doc:    "A required field of spec is not a pointer, or JSON omits it, and it has no contrary marker.",
	Source: "Managed Resources API Patterns, Pointer Types and Markers",
	URL:    "https://github.com/crossplane/crossplane/blob/main/design/one-pager-managed-resource-api-design.md#pointer-types-and-markers",
	Why:    "Go writes null for a pointer that is not set and not omitted, and a field that is marked both required and optional says two things to readers.",
	Before: `// Name of the bucket.
Name *string ` + "`" + `json:"name"` + "`" + ``,
	After: `// Name of the bucket.
// +kubebuilder:validation:Required
Name *string ` + "`" + `json:"name,omitempty"` + "`" + ``,
	Severity: lint.Warning,
	Fix:      lint.Fix{Doc: "It adds omitempty to the tag of a pointer, marks the field as required, and removes the marker without effect."},
	Run:      run,
}

// desired are the parts of spec.
const desired = lint.ForProvider | lint.InitProvider | lint.Spec

func run(p *lint.Pass) {
	for _, f := range p.ManagedFields() {
		if !f.In(desired) || f.IsValue() {
			continue
		}
		optional, required := f.Marker(lint.Optionals...), f.Marker(lint.Requireds...)
		switch {
		case optional != nil && required != nil && f.Required:
			p.Field(f, lint.RemoveMarkers(f, lint.Optionals...), "%s is marked both +%s and +%s; the first wins: remove the second", f.Name, required.Text, optional.Text)
		case optional != nil && required != nil:
			p.Field(f, lint.RemoveMarkers(f, lint.Requireds...), "%s is marked both +%s and +%s; the first wins: remove the second", f.Name, optional.Text, required.Text)
		case f.Required && f.Type.Kind == model.Pointer && !f.Omits():
			edits := []lint.Edit{lint.AddOption(f, "omitempty")}
			if required == nil {
				edits = append(edits, lint.AddMarker(f, markers.ValidationRequired))
			}
			p.Field(f, edits, "%s is required and a pointer that JSON doesn't omit, so that Go writes null for none: add omitempty, and mark it +%s", f.Name, markers.ValidationRequired)
		}
	}
}

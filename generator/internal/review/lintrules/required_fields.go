package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var requiredFields = &linter.Rule{
	Name:     "required-fields",
	Doc:      "A required field of spec is not a pointer, or JSON omits it, and it has no contrary marker.",
	Source:   apiPatterns.section("Pointer Types and Markers", "#pointer-types-and-markers"),
	Why:      "Go writes null for an unset pointer without omitempty, and a field that is marked both required and optional confuses readers.",
	Severity: linter.Warning,
	Read:     4, Worth: 2,
	Fix: linter.Fix{Doc: "It adds omitempty to a pointer's tag, marks the field as required, and removes the marker without effect."},
	Run: linter.EachField(checkRequiredFields),
}

// requiredFieldsDesired are the parts of spec.
const requiredFieldsDesired = linter.ForProvider | linter.InitProvider | linter.Spec

func checkRequiredFields(p *linter.Pass, f *linter.Field) {
	if !f.In(requiredFieldsDesired) || f.IsValue() {
		return
	}
	optional, required := f.Marker(linter.Optionals...), f.Marker(linter.Requireds...)
	switch {
	case optional != nil && required != nil && f.Required:
		p.Field(f, linter.RemoveMarkers(f, linter.Optionals...),
			"%s is marked both +%s and +%s; the first wins: remove the second", f.Name, required.Text, optional.Text)
	case optional != nil && required != nil:
		p.Field(f, linter.RemoveMarkers(f, linter.Requireds...),
			"%s is marked both +%s and +%s; the first wins: remove the second", f.Name, optional.Text, required.Text)
	case f.Required && f.Type.Kind == model.Pointer && !f.Omits():
		edits := []diag.Edit{linter.AddOption(f, "omitempty")}
		if required == nil {
			edits = append(edits, linter.AddMarker(f, markers.ValidationRequired))
		}
		p.Field(f, edits, "%s is required and a pointer that JSON doesn't omit, so that Go writes null for none: add omitempty, and mark it +%s",
			f.Name, markers.ValidationRequired)
	}
}

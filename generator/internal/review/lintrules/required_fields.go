package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var requiredFields = &linter.Rule{
	Name:     "required-fields",
	Doc:      "A field of spec is not marked both required and optional, and an identifier that may be omitted is marked optional.",
	Source:   apiPatterns.section("Pointer Types and Markers", "#pointer-types-and-markers"),
	Why:      "Only one of the markers has an effect, and readers can't tell which. Without an identifier, no resource is found.",
	Severity: linter.Warning,
	Fix:      linter.Fix{Doc: "It removes the marker without effect."},
	Run:      linter.EachField(checkRequiredFields),
}

func checkRequiredFields(p *linter.Pass, f *linter.Field) {
	if !f.In(optionalFieldsDesired) || f.IsValue() {
		return
	}
	identifier := f.OwnMarker(markers.Identifier)
	optional, required := f.Marker(linter.Optionals...), f.Marker(linter.Requireds...)
	switch {
	case optional != nil && required != nil && f.Required:
		p.Field(f, linter.RemoveMarkers(f, linter.Optionals...),
			"%s is marked both +%s and +%s; the first wins: remove the second", f.Name, required.Text, optional.Text)
	case optional != nil && required != nil:
		p.Field(f, linter.RemoveMarkers(f, linter.Requireds...),
			"%s is marked both +%s and +%s; the first wins: remove the second", f.Name, optional.Text, required.Text)
	case identifier != nil && !f.Required && optional == nil && f.Part == linter.ForProvider:
		p.Field(f, nil, "%s is an identifier that its tag makes optional: remove omitempty, or mark it +optional if the resource is found without it", f.Name)
	}
}

package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var referenceValue = &linter.Rule{
	Name:     "reference-value",
	Doc:      "A required value that a reference may stand in for has omitempty in its tag.",
	Source:   apiPatterns.section("Pointer Types and Markers: edge case", "#pointer-types-and-markers"),
	Why:      "Without it, users must write a value beside a reference, and Go sends an empty value that no reference replaces.",
	Severity: linter.Error,
	Read:     4, Worth: 4,
	Fix: linter.Fix{Doc: "It adds omitempty to the tag. If the value was required, it requires the value, its reference or its selector."},
	Run: linter.EachField(checkReferenceValue),
}

func checkReferenceValue(p *linter.Pass, f *linter.Field) {
	if f.In(linter.ForProvider|linter.InitProvider|linter.Spec) && f.IsValue() && f.Required && !f.Omits() {
		omit := linter.EditField(f)
		omit.OmitReferenced = true
		p.Field(f, []diag.Edit{omit},
			"%s is required although a reference may stand in for it: run mrgen fix lint, which requires one of both", f.Name)
	}
}

package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var immutableDefault = &linter.Rule{
	Name:   "immutable-default",
	Doc:    "An immutable field of spec.forProvider has no default.",
	Source: apiPatterns.section("Immutable Properties", "#immutable-properties"),
	Why: "The API server writes the default into every object that doesn't set the field, which can't be changed then: " +
		"an external resource with another value can't be imported. Without a default, late initialization fills the field with the API's value.",
	Severity: linter.Hint,
	Read:     3, Worth: 3,
	Run: linter.EachField(checkImmutableDefault),
}

func checkImmutableDefault(p *linter.Pass, f *linter.Field) {
	if f.Part == linter.ForProvider && f.HasDefault() && f.IsImmutable() && canBeFilled(p, f) {
		p.Field(f, nil,
			"%s is immutable and has a default, which nobody chose: remove the default, so that late initialization fills the field, or remove +%s",
			f.Name, markers.Immutable)
	}
}

// canBeFilled reports whether late initialization can set the field. It sets neither identifiers
// nor what is not observed, nor what Go always writes.
func canBeFilled(p *linter.Pass, f *linter.Field) bool {
	return f.OwnMarker(markers.Identifier) == nil && p.Secret(f.Field) == "" && f.Unset() != model.Written
}

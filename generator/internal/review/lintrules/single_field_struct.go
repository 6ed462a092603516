package lintrules

import (
	"regexp"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var singleFieldStruct = &linter.Rule{
	Name:     "single-field-struct",
	Doc:      "The one field of an optional struct of spec is required.",
	Source:   apiPatterns.section("Optional Embedded Structs with One Field", "#optional-embedded-structs-with-one-field"),
	Why:      "An empty struct means nothing, and users who write one by mistake are not told.",
	Severity: linter.Off,
	Read:     9, Worth: 3,
	Fix: linter.Fix{Doc: "It marks the field as required.", Narrows: true},
	Run: linter.EachField(checkSingleFieldStruct),
}

func checkSingleFieldStruct(p *linter.Pass, f *linter.Field) {
	if !f.In(linter.ForProvider|linter.InitProvider|linter.Spec) || f.Required || !f.IsOnlyField() || singleFieldStructMayBeEmpty(f) {
		return
	}
	p.Field(f, append(linter.RemoveMarkers(f, linter.Optionals...), linter.AddMarker(f, markers.ValidationRequired)),
		"%s is the one field of %s, which is optional, so that an empty %s is accepted: require %s", f.Name, f.JSONParent.Name,
		f.ParentField.JSONName, f.Name)
}

// singleFieldStructMayBeEmpty reports whether an empty struct may mean something: a struct in a struct is one
// of several variants in many an API, and a comment may say what is taken without the field.
func singleFieldStructMayBeEmpty(f *linter.Field) bool {
	return f.Type.Deref().Kind == model.Struct || f.HasDefault() ||
		meaning.MatchString(f.Doc+f.JSONParent.Doc+f.ParentField.Doc)
}

var meaning = regexp.MustCompile(`(?i)\b(empty|default|defaults|omitted|not (set|specified|provided))\b`)

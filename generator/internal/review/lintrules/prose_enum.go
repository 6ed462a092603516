package lintrules

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/review/prose"
	"github.com/mrgen-io/mrgen/markers"
)

var proseEnum = &linter.Rule{
	Name:     "prose-enum",
	Doc:      "Values that a comment lists are in the schema.",
	Source:   apiPatterns.section("Pointer Types and Markers: example", "#example"),
	Why:      "The API server refuses a value with a typo, which the external API would refuse later, if at all.",
	Severity: linter.Hint,
	Read:     12, Worth: 11,
	Fix: linter.Fix{Doc: "It adds the values as an enumeration.", Narrows: true},
	Run: linter.EachField(checkProseEnum),
}

func checkProseEnum(p *linter.Pass, f *linter.Field) {
	isDesired := f.Part&(linter.ForProvider|linter.InitProvider|linter.Spec) != 0
	if !isDesired || !f.IsText() || f.IsReference() || isLimited(f) {
		return
	}
	values := prose.Values(f.Doc)
	if len(values) < 2 {
		return
	}
	p.Field(f, []diag.Edit{linter.AddMarker(f, markers.Enum+"="+strings.Join(values, ";"))},
		"the comment of %s lists its values, and the schema accepts any: mark it +%s=%s", f.Name, markers.Enum, strings.Join(values, ";"))
}

// isLimited reports whether the schema limits the values of a field.
func isLimited(f *linter.Field) bool {
	return model.Named(slices.Concat(f.Markers, f.Type.Deref().AllMarkers()), markers.Enum, markers.K8sEnum, markers.Pattern,
		markers.Format) != nil
}

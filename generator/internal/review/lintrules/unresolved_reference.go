package lintrules

import (
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var unresolvedReference = &linter.Rule{
	Name:     "unresolved-reference",
	Doc:      "A reference or selector beside a field with the rest of its name resolves to that field.",
	Source:   apiPatterns.section("Cross Resource References", ""),
	Why:      "Without the marker on the field, users can set the reference, and nothing reads it.",
	Severity: linter.Warning,
	Run:      linter.EachField(checkUnresolvedReference),
}

func checkUnresolvedReference(p *linter.Pass, f *linter.Field) {
	if f.Part&(linter.ForProvider|linter.InitProvider) == 0 || f.Value() != nil || !f.IsReference() || f.Kind.Object.Methods["ResolveReferences"] {
		return
	}
	if value := valueBeside(f); value != nil && model.Named(value.Markers, markers.ReferenceType) == nil {
		p.Field(f, nil, "%s is never resolved, since %s has no reference marker: mark it +%s with its kind", f.Name, value.Name, markers.ReferenceType)
	}
}

// valueBeside returns the field that a reference or selector is about by its name, or nil.
func valueBeside(f *linter.Field) *model.Field {
	for _, ending := range []string{"Ref", "Refs", "Selector"} {
		if name, found := strings.CutSuffix(f.Name, ending); found {
			if value := f.JSONParent.GoField(name); value != nil {
				return value
			}
		}
	}
	return nil
}

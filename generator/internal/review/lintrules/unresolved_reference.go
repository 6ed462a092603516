package lintrules

import (
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var unresolvedReference = &linter.Rule{
	Name:     "unresolved-reference",
	Doc:      "A reference or selector beside a field with the rest of its name resolves to that field, and to no other one.",
	Source:   apiPatterns.section("Cross Resource References", ""),
	Why:      "Without the marker on the field, users can set the reference, and nothing reads it.",
	Severity: linter.Warning,
	Run: func(p *linter.Pass) {
		linter.EachField(checkUnresolvedReference)(p)
		linter.EachField(checkSharedReference)(p)
	},
}

// checkSharedReference reports a field that shares its reference with an earlier one, although one object has no two values for them.
func checkSharedReference(p *linter.Pass, f *linter.Field) {
	reference, _ := f.ReferenceNames()
	if reference == "" {
		return
	}
	for _, earlier := range f.DeclaringStruct.Fields {
		if earlier.Name == f.Name {
			return
		}
		of := func(name string) bool {
			own, other := f.OwnMarker(name), earlier.OwnMarker(name)
			if own == nil || other == nil {
				return own == other
			}
			return own.Text == other.Text
		}
		used, _ := earlier.ReferenceNames()
		if used == reference && !(of(markers.ReferenceType) && !of(markers.ReferenceExtractor)) {
			p.Field(f, nil, "%s is the reference of %s, too, so that both get the value of one object: name and declare another one with +%s",
				reference, earlier.Name, markers.ReferenceFieldName)
		}
	}
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

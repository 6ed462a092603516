package lintrules

import (
	"regexp"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var unresolvedReference = &linter.Rule{
	Name:     "unresolved-reference",
	Doc:      "A reference or selector beside a field with the rest of its name resolves to that field, to no other one, and to the kind that the field names.",
	Source:   apiPatterns.section("Cross Resource References", ""),
	Why:      "Without the marker on the field, users can set the reference, and nothing reads it.",
	Severity: linter.Warning,
	Run: func(p *linter.Pass) {
		linter.EachField(checkUnresolvedReference)(p)
		linter.EachField(checkSharedReference)(p)
		linter.EachField(checkNamedKind)(p)
	},
}

// nameEnding matches what a field's name has after the kind that it is about.
var nameEnding = regexp.MustCompile(`(?:id|identifier|name|arn|uid|uri|link|url)?s?$`)

// checkNamedKind reports a reference to a kind other than the one that the field names. That is in the field's group, or the only one of its
// name.
func checkNamedKind(p *linter.Pass, f *linter.Field) {
	reference := f.OwnMarker(markers.ReferenceType)
	if reference == nil || f.Part&(linter.ForProvider|linter.InitProvider) == 0 {
		return
	}
	target := reference.Value.Text("")
	target = target[strings.LastIndexAny(target, "./")+1:]
	named := nameEnding.ReplaceAllString(strings.ToLower(f.JSONName), "")
	if named == "" || target == "" || strings.Contains(strings.ToLower(target), named) || strings.Contains(named, strings.ToLower(target)) {
		return
	}
	meant := map[string]string{} // the kinds with that name, by their groups
	for _, k := range p.Managed() {
		if strings.ToLower(k.Object.Name) != named || namespaced(k) != namespaced(f.Kind) {
			continue
		}
		meant[k.CRD.Spec.Group] = k.Object.Name
	}
	own := f.Kind.CRD.Spec.Group
	for group, name := range meant {
		if group == own || len(meant) == 1 {
			p.Field(f, nil, "%s gets the external name of a %s, although there is a kind %s: name that with +%s",
				f.Name, target, name, markers.ReferenceType)
		}
	}
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

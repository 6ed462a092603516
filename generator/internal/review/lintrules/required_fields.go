package lintrules

import (
	"context"
	"regexp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

var requiredFields = &linter.Rule{
	Name:     "required-fields",
	Doc:      "Spec is required if a field in it is, and a field of spec is what its comment says, not marked both required and optional, or required with a default.",
	Source:   apiPatterns.section("Pointer Types and Markers", "#pointer-types-and-markers"),
	Why:      "Only one of the markers has an effect, and readers can't tell which. Without an identifier, no resource is found.",
	Severity: linter.Warning,
	Fix:      linter.Fix{Doc: "It removes the marker without effect."},
	Run: func(p *linter.Pass) {
		for _, k := range p.Kinds {
			checkRequiredParts(p, k)
			for _, f := range k.Fields {
				checkRequiredFields(p, f)
			}
		}
	},
}

// checkRequiredParts finds parts that objects may lack, and then lack what these parts require.
func checkRequiredParts(p *linter.Pass, k *linter.Kind) {
	root := k.Root(k.Version)
	judge, err := apiserver.NewObjectValidator(root.Schema)
	if err != nil {
		return
	}
	accepts := func(object map[string]any) bool { return len(judge.Refusals(context.Background(), object)) == 0 }
	without, with := map[string]any{}, map[string]any{"spec": map[string]any{}}
	for _, at := range []schema.Cursor{root.Property("spec"), root.Follow(forProvider)} {
		if at.Schema != nil && accepts(without) && !accepts(with) {
			p.Cursor(k, at, "objects may lack %s, and then the fields that it requires: mark it +%s", nameOf(at), markers.Required)
		}
		without, with = with, map[string]any{"spec": map[string]any{"forProvider": map[string]any{}}}
	}
}

func checkRequiredFields(p *linter.Pass, f *linter.Field) {
	optional, required := f.Marker(linter.Optionals...), f.Marker(linter.Requireds...)
	if required != nil && f.HasDefault() {
		p.Field(f, nil, "%s is marked +%s and has a default, so that objects without it are accepted: remove one of them", f.Name, required.Text)
	}
	if !f.In(optionalFieldsDesired) || f.IsValue() {
		return
	}
	identifier := f.OwnMarker(markers.Identifier)
	switch {
	case optional != nil && required != nil && f.Required:
		p.Field(f, linter.RemoveMarkers(f, linter.Optionals...),
			"%s is marked both +%s and +%s; the first wins: remove the second", f.Name, required.Text, optional.Text)
	case optional != nil && required != nil:
		p.Field(f, linter.RemoveMarkers(f, linter.Requireds...),
			"%s is marked both +%s and +%s; the first wins: remove the second", f.Name, optional.Text, required.Text)
	case identifier != nil && !f.Required && optional == nil && f.Part == linter.ForProvider:
		p.Field(f, nil, "%s is an identifier that its tag makes optional: remove omitempty, or mark it +optional if the resource is found without it", f.Name)
	case required == nil && !f.Required && saysRequired.MatchString(strings.Join(strings.Fields(f.Doc), " ")) && !isGiven(f):
		remedy := "mark it +" + markers.Required
		if optional != nil {
			remedy += " in place of +" + optional.Text
		}
		p.Field(f, nil, "%s is optional, although its comment says that it's required: %s, or correct the comment", f.Name, remedy)
	}
}

// saysRequired matches a comment that says that a field is required, on no condition but on those of management policies.
var saysRequired = regexp.MustCompile(`(?i)(?:^|[.:] )(?:(?:it|this|(?:this |the )?(?:field|value|parameter|member|property)) (?:is|are) )?required(?:\.|$| when managementPolicies)`)

// isGiven reports whether a field has a default, or a rule of a schema around it names it.
func isGiven(f *linter.Field) bool {
	if f.HasDefault() {
		return true
	}
	all := f.Path()
	root := f.Kind.Root(f.Kind.Version)
	for i := range all {
		if at := root.Follow(all[:i]); at.Schema != nil && slices.ContainsFunc(at.Schema.XValidations, func(r apiextensionsv1.ValidationRule) bool {
			return strings.Contains(r.Rule, f.JSONName)
		}) {
			return true
		}
	}
	return false
}

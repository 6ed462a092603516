package lintrules

import (
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

var mutableIdentifier = &linter.Rule{
	Name:     "mutable-identifier",
	Doc:      "An identifier of the external resource is immutable.",
	Source:   apiPatterns.section("Immutable Properties", "#immutable-properties"),
	Why:      "A controller finds the external resource by its identifiers. If one changes, it creates another resource, and never deletes the first.",
	Severity: linter.Warning,
	Fix:      linter.Fix{Doc: "It marks identifiers immutable.", Narrows: true},
	Run:      linter.EachField(checkMutableIdentifier),
}

func checkMutableIdentifier(p *linter.Pass, f *linter.Field) {
	if m := f.OwnMarker(markers.Identifier); f.Part == linter.ForProvider && m != nil && f.Type.Deref().Kind == model.Map {
		p.At(f, m.Pos, f.Markers, nil, "%s has many values, and no resource is found by them: remove the marker +%s", f.Name, markers.Identifier)
		return
	}
	if f.Part == linter.ForProvider && f.OwnMarker(markers.Identifier) != nil && !f.IsImmutable() && !isCompared(f) {
		p.Field(f, []diag.Edit{linter.AddMarker(f, markers.Immutable)},
			"%s is an identifier that may change, and then the external resource is orphaned: mark it +%s", f.Name, markers.Immutable)
	}
}

// isCompared reports whether a rule of the author compares the field with its old value.
func isCompared(f *linter.Field) bool {
	at, path := f.Kind.APIVersion().Schema.OpenAPIV3Schema, f.Path()
	for i, step := range path {
		if hasRule(at, "oldSelf", "."+f.JSONName) {
			return true
		}
		if at = schema.Child(at, step); at == nil {
			return false
		}
		if i == len(path)-1 && hasRule(at, "oldSelf") {
			return true
		}
	}
	return false
}

// hasRule reports whether a schema has a rule with all of some texts.
func hasRule(s *apiextensionsv1.JSONSchemaProps, texts ...string) bool {
	return slices.ContainsFunc(s.XValidations, func(r apiextensionsv1.ValidationRule) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(r.Rule, text) })
	})
}

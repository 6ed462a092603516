package lintrules

import (
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

var omittedEmptyList = &linter.Rule{
	Name:   "omitted-empty-list",
	Doc:    "The tag of an optional list or map of spec.forProvider has omitzero, which keeps an empty one, in place of omitempty.",
	Source: linter.Source{Name: "encoding/json, Marshal", URL: "https://pkg.go.dev/encoding/json#Marshal"},
	Why: "Users write [] or {} to remove all values. With omitempty, the first update from Go drops it: the field isn't compared, " +
		"and late initialization fills it again. The rule applies where mrgen writes Diff, and if go.mod requires Go 1.24 and " +
		"k8s.io/apimachinery v0.34.0, which know omitzero.",
	Severity: linter.Warning,
	Fix:      linter.Fix{Doc: "It writes omitzero in place of omitempty."},
	Run:      linter.EachField(checkOmittedEmptyList),
}

func checkOmittedEmptyList(p *linter.Pass, f *linter.Field) {
	// Only mrgen's own Diff is known to take an empty list for something else than an unset one.
	if !f.OmitEmpty || f.Required || !f.Kind.HasDiff() {
		return
	}
	if p.WantsOmitZero(f) && omittedEmptyListMayBeEmpty(f) {
		p.Field(f, []diag.Edit{linter.ReplaceOption(f, "omitempty", "omitzero")},
			"%s can't be set to none, since Go omits it when it is empty: write omitzero in place of omitempty in its tag", f.Name)
	}
}

// omittedEmptyListMayBeEmpty reports whether the API server takes an empty list or map for something else than an
// unset one: it has no minimum, and no rule reads it, for which the two may differ.
func omittedEmptyListMayBeEmpty(f *linter.Field) bool {
	root, path := f.Kind.CRD.Spec.Versions[f.Kind.Version].Schema.OpenAPIV3Schema, f.Path()
	at := schema.At(root, path)
	switch {
	case at == nil:
		return false
	case at.MinItems != nil && *at.MinItems > 0, at.MinProperties != nil && *at.MinProperties > 0:
		return false // an empty one is refused
	}
	for i := range path {
		isRead := func(r apiextensionsv1.ValidationRule) bool { return strings.Contains(r.Rule, "."+f.JSONName) }
		if slices.ContainsFunc(schema.At(root, path[:i]).XValidations, isRead) {
			return false
		}
	}
	return len(at.XValidations) == 0
}

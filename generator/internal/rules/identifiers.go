package rules

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// relaxIdentifiers makes required identifiers of forProvider that have a reference optional in the schema. For each, it
// adds a rule to spec: the identifier, its reference or its selector is required.
func (a *applier) relaxIdentifiers() {
	parameters := a.part(forProvider)
	desired := newOperand(parameters, parameters.Always())
	if desired == nil {
		return
	}
	l := objectPair{desired: desired}
	for _, name := range slices.Sorted(slices.Values(desired.Schema.Required)) {
		at := desired.Property(name)
		f := at.Field
		switch {
		case !isIdentifier(f), len(desired.Type.Companions(f)) == 0: // nothing else could supply the value
			continue
		case f.Unset() == model.Written, at.Schema.Default != nil, at.Schema.Nullable, !desired.canRead(name):
			continue // a rule couldn't tell whether it is set
		}
		a.dropRequired(at.Path)
		// The rule reads no management policies: observe-only resources need the identifier, too.
		a.add(schema.Properties("spec"), at.Path[1:].Names(), apiextensionsv1.ValidationRule{
			Rule:    cel.Or(slices.Concat(l.absent(), l.hasOrRefersTo(name))...).Short().String(),
			Message: name + " is required, or a reference or selector for it",
			Reason:  new(apiextensionsv1.FieldValueRequired),
		}, provenance.Decision{Field: at.Path, Pos: at.Pos, Required: true, Reason: "is required unless its reference or selector is set"})
	}
}

// isIdentifier reports whether a field, which may be nil, is needed to find the external resource.
func isIdentifier(f *model.Field) bool { return f != nil && f.OwnMarker(markers.Identifier) != nil }

package apitypes

import (
	"go/types"
	"strings"

	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// kindMarker returns the name and position of a marker that only kinds have among the markers of a type, or "".
func (b *builder) kindMarker(name *types.TypeName) (string, diag.Position) {
	for _, m := range b.index.at(name.Pos()).markers {
		if !strings.HasPrefix(m.Text, "kubebuilder:") || strings.HasPrefix(m.Text, markers.ValidationPrefix) {
			continue // most markers
		}
		for _, parsed := range b.source.parsed([]model.Marker{m}, ctmarkers.DescribesType) {
			// Generators of types skip the version of all types, kinds or not.
			if parsed.IsOfKinds() && parsed.Name != markers.SkipVersion {
				return parsed.Name, m.Pos
			}
		}
	}
	return "", diag.Position{}
}

// notKind reports markers of kinds on a type that isn't one. Types in packages with a group may be meant as kinds.
func (b *builder) notKind(name *types.TypeName, mayBeKind bool) {
	if marker, at := b.kindMarker(name); marker != "" {
		b.diags = append(b.diags, diag.Errorf(at, codeMarker,
			"+%s is for kinds, and %s is not one: embed metav1.TypeMeta and metav1.ObjectMeta, or remove the marker", marker, name.Name()))
	}
	for _, m := range b.index.at(name.Pos()).markers {
		if m.Text != markers.ObjectRoot+"=true" || !mayBeKind {
			continue
		}
		structType, _ := name.Type().Underlying().(*types.Struct)
		kind, _, _ := types.LookupFieldOrMethod(types.NewPointer(name.Type()), true, name.Pkg(), "GetObjectKind")
		items, _, _ := types.LookupFieldOrMethod(name.Type(), false, name.Pkg(), "Items")
		switch isObject := kind != nil || structType != nil && embeds(structType, "TypeMeta"); {
		case !isObject:
			b.diags = append(b.diags, diag.Errorf(m.Pos, codeMarker,
				"%s lacks metav1.TypeMeta, so its deep copy isn't a runtime.Object: embed metav1.TypeMeta, or remove the marker", name.Name()))
		case items != nil:
			b.diags = append(b.diags, diag.Errorf(m.Pos, codeMarker, "%s is no list, since it lacks metav1.ListMeta: embed it", name.Name()))
		default: // the content of a file, such as a configuration, is an object without metadata
			b.diags = append(b.diags, diag.Warningf(m.Pos, codeMarker,
				"%s gets no CRD, since it lacks metav1.ObjectMeta: embed it, or declare what is only in files in a package without +%s", name.Name(),
				markers.GroupName))
		}
	}
}

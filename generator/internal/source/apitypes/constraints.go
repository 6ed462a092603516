package apitypes

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/controllertools"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// FieldConstraints returns the constraints on the value of a field, from its markers.
func (s *Source) FieldConstraints(f *model.Field) constraint.Set {
	return constraints(s.parsed(f.Markers, ctmarkers.DescribesField), f.Type, nil)
}

// TypeConstraints returns the constraints on values of a declared type, from its markers.
func (s *Source) TypeConstraints(t *model.Type) constraint.Set {
	if t.Package == "" || t.Local && !isK8sEnum(t.Markers) {
		set := constraints(s.parsed(t.Markers, ctmarkers.DescribesType), t, nil)
		for _, of := range model.OneOfs(t.Markers) {
			set.OneOf = append(set.OneOf, constraint.OneOf{Fields: of.Fields, AtMost: of.Exactly, AtLeast: true})
		}
		return set
	}
	// Markers in other modules aren't in the model, and +k8s:enum needs the declaration.
	context, err := s.schemaContext(s.Program.Package(t.Package), t)
	if err != nil {
		return constraint.Set{Unknown: []string{err.Error()}}
	}
	var all []parsedMarker
	for _, name := range slices.Sorted(maps.Keys(context.TypeInfo.Markers)) {
		for _, value := range context.TypeInfo.Markers[name] {
			all = append(all, parsedMarker{name, value})
		}
	}
	return constraints(all, t, context)
}

// isK8sEnum reports whether a marker makes the constants of a type its values.
func isK8sEnum(list []model.Marker) bool {
	return slices.ContainsFunc(list, func(m model.Marker) bool { return m.Text == markers.K8sEnum })
}

// schemaContext returns the declaration of a type in a package.
func (s *Source) schemaContext(pkg *loader.Package, t *model.Type) (*crdmarkers.SchemaContext, error) {
	if pkg == nil {
		return nil, fmt.Errorf("package %s is not loaded", t.Package)
	}
	var found *ctmarkers.TypeInfo
	err := ctmarkers.EachType(s.Collector, pkg, func(info *ctmarkers.TypeInfo) {
		if info.Name == t.Name {
			found = info
		}
	})
	switch {
	case err != nil:
		return nil, err
	case found == nil:
		return nil, fmt.Errorf("package %s declares no %s", t.Package, t.Name)
	}
	return &crdmarkers.SchemaContext{Package: pkg, TypeInfo: found}, nil
}

// A parsedMarker is a marker of controller-tools, by its name.
type parsedMarker struct {
	name  string
	value any
}

// parsed returns the markers that controller-tools knows.
func (s *Source) parsed(list []model.Marker, target ctmarkers.TargetType) []parsedMarker {
	var all []parsedMarker
	for _, m := range list {
		if definition := s.Collector.Lookup("+"+m.Text, target); m.Value == nil && definition != nil {
			// Errors were reported when the markers were collected, or are reported by a run over their package.
			if value, err := definition.Parse("+" + m.Text); err == nil {
				all = append(all, parsedMarker{definition.Name, value})
			}
		}
	}
	return all
}

// constraints applies markers as controller-tools does: see applyMarkers in its
// pkg/crd/schema.go.
func constraints(list []parsedMarker, t *model.Type, context *crdmarkers.SchemaContext) constraint.Set {
	set := constraint.Set{Schema: *outline(t)}
	var applied []parsedMarker
	for _, m := range list {
		switch value := m.value.(type) {
		case crdmarkers.AtMostOneOf:
			set.OneOf = append(set.OneOf, constraint.OneOf{Fields: value, AtMost: true})
		case crdmarkers.AtLeastOneOf:
			set.OneOf = append(set.OneOf, constraint.OneOf{Fields: value, AtLeast: true})
		case crdmarkers.ExactlyOneOf:
			set.OneOf = append(set.OneOf, constraint.OneOf{Fields: value, AtMost: true, AtLeast: true})
		case crd.SchemaMarker:
			applied = append(applied, m)
		}
	}
	priority := func(m parsedMarker) crdmarkers.ApplyPriority {
		if m, ok := m.value.(crdmarkers.ApplyPriorityMarker); ok {
			return m.ApplyPriority()
		}
		return crdmarkers.ApplyPriorityDefault
	}
	slices.SortStableFunc(applied, func(a, b parsedMarker) int { return cmp.Compare(priority(a), priority(b)) })
	for _, m := range applied {
		to := &set.Schema
		if m.name == controllertools.ItemsMarkers && to.Items != nil { // +kubebuilder:validation:items: is about the items
			to = to.Items.Schema
		}
		if err := m.value.(crd.SchemaMarker).ApplyToSchema(context, to); err != nil {
			set.Unknown = append(set.Unknown, m.name)
		}
	}
	return set
}

// outline returns the part of a type's schema that markers look at: JSON types.
func outline(t *model.Type) *apiextensionsv1.JSONSchemaProps {
	t = t.Deref()
	schema := &apiextensionsv1.JSONSchemaProps{Type: t.JSONType()}
	if schema.Type == "array" {
		schema.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{Type: t.Elem.Deref().JSONType()}}
	}
	return schema
}

package controllertools

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A ParsedMarker is a marker that controller-tools knows. Markers of schemas share a name.
type ParsedMarker struct {
	Name  string
	value any
}

// Parse parses a marker without its plus sign. It returns false for a marker that controller-tools doesn't know, or
// rejects.
func Parse(collector *ctmarkers.Collector, text string, target ctmarkers.TargetType) (ParsedMarker, bool) {
	definition := collector.Lookup("+"+text, target)
	if definition == nil {
		return ParsedMarker{}, false
	}
	value, err := definition.Parse("+" + text)
	return ParsedMarker{definition.Name, value}, err == nil
}

// IsOfKinds reports whether the marker applies to the definition of a kind, and not to a schema.
func (m ParsedMarker) IsOfKinds() bool {
	switch m.value.(type) {
	case crd.SpecMarker, crd.Marker:
		return true
	}
	return false
}

// Scope returns the scope that a marker of a kind sets, or "".
func (m ParsedMarker) Scope() string {
	resource, _ := m.value.(crdmarkers.Resource)
	return resource.Scope
}

// A Declaration is the declaration of a type, which some markers look at.
type Declaration struct{ of crdmarkers.SchemaContext }

// Declared returns the declaration of a type in a package.
func Declared(collector *ctmarkers.Collector, pkg *loader.Package, name string) (*Declaration, error) {
	var found *ctmarkers.TypeInfo
	err := ctmarkers.EachType(collector, pkg, func(info *ctmarkers.TypeInfo) {
		if info.Name == name {
			found = info
		}
	})
	switch {
	case err != nil:
		return nil, err
	case found == nil:
		return nil, fmt.Errorf("package %s declares no %s", loader.NonVendorPath(pkg.PkgPath), name)
	}
	return &Declaration{crdmarkers.SchemaContext{Package: pkg, TypeInfo: found}}, nil
}

// Markers returns the markers of the type.
func (d *Declaration) Markers() []ParsedMarker {
	var all []ParsedMarker
	for _, name := range slices.Sorted(maps.Keys(d.of.TypeInfo.Markers)) {
		for _, value := range d.of.TypeInfo.Markers[name] {
			all = append(all, ParsedMarker{name, value})
		}
	}
	return all
}

// context returns the declaration as controller-tools has it, or nil.
func (d *Declaration) context() *crdmarkers.SchemaContext {
	if d == nil {
		return nil
	}
	return &d.of
}

// Constraints applies the markers of a field, or of a type, to the schema of a type as controller-tools does: see
// applyMarkers in its pkg/crd/schema.go. The declaration may be nil.
func Constraints(list []ParsedMarker, t *model.Type, d *Declaration) constraint.Set {
	set := constraint.Set{Schema: *Outline(t)}
	var applied []ParsedMarker
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
	priority := func(m ParsedMarker) crdmarkers.ApplyPriority {
		if m, ok := m.value.(crdmarkers.ApplyPriorityMarker); ok {
			return m.ApplyPriority()
		}
		return crdmarkers.ApplyPriorityDefault
	}
	slices.SortStableFunc(applied, func(a, b ParsedMarker) int { return cmp.Compare(priority(a), priority(b)) })
	for _, m := range applied {
		to := &set.Schema
		if m.Name == ItemsMarkers && to.Items != nil { // +kubebuilder:validation:items: is about the items
			to = to.Items.Schema
		}
		if err := m.value.(crd.SchemaMarker).ApplyToSchema(d.context(), to); err != nil {
			set.Unknown = append(set.Unknown, m.Name)
		}
	}
	return set
}

// Contradict reports whether the order of two markers of one name makes a difference to a schema that all markers are
// applied to. The declaration may be nil.
func Contradict(all apiextensionsv1.JSONSchemaProps, a, b ParsedMarker, d *Declaration) bool {
	if a.Name == ItemsMarkers && all.Items != nil {
		all = *all.Items.Schema
	}
	last := func(markers ...ParsedMarker) *apiextensionsv1.JSONSchemaProps {
		applied := all
		for _, m := range markers {
			marker, ok := m.value.(crd.SchemaMarker)
			if !ok || marker.ApplyToSchema(d.context(), &applied) != nil {
				return nil // it writes to nothing, or is for other types, which is an error already
			}
		}
		return &applied
	}
	ab, ba := last(a, b), last(b, a)
	if ab == nil || ba == nil {
		return false
	}
	// Rules and keys of lists add up: only their order differs.
	ab.XValidations, ba.XValidations = nil, nil
	ab.XListMapKeys, ba.XListMapKeys = nil, nil
	return !reflect.DeepEqual(ab, ba)
}

// Outline returns the part of a type's schema that markers look at: JSON types.
func Outline(t *model.Type) *apiextensionsv1.JSONSchemaProps {
	t = t.Deref()
	schema := &apiextensionsv1.JSONSchemaProps{Type: t.JSONType()}
	if schema.Type == "array" {
		schema.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{Type: t.Elem.Deref().JSONType()}}
	}
	return schema
}

package apitypes

import (
	"fmt"

	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/controllertools"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// FieldConstraints returns the constraints on the value of a field, from its markers.
func (s *Source) FieldConstraints(f *model.Field) constraint.Set {
	return controllertools.Constraints(s.parsed(f.Markers, ctmarkers.DescribesField), f.Type, nil)
}

// TypeConstraints returns the constraints on values of a declared type, from its markers.
func (s *Source) TypeConstraints(t *model.Type) constraint.Set {
	if t.Package == "" || t.Local && model.Named(t.Markers, markers.K8sEnum) == nil {
		set := controllertools.Constraints(s.parsed(t.Markers, ctmarkers.DescribesType), t, nil)
		for _, of := range model.OneOfs(t.Markers) {
			set.OneOf = append(set.OneOf, constraint.OneOf{Fields: of.Fields, AtMost: of.Exactly, AtLeast: true})
		}
		return set
	}
	// Markers in other modules aren't in the model, and +k8s:enum needs the declaration.
	declared, err := s.declared(t)
	if err != nil {
		return constraint.Set{Unknown: []string{err.Error()}}
	}
	return controllertools.Constraints(declared.Markers(), t, declared)
}

// declared returns the declaration of a type.
func (s *Source) declared(t *model.Type) (*controllertools.Declaration, error) {
	pkg := s.Program.Package(t.Package)
	if pkg == nil {
		return nil, fmt.Errorf("package %s is not loaded", t.Package)
	}
	return controllertools.Declared(s.Collector, pkg, t.Name)
}

// parsed returns the markers that controller-tools knows. Errors were reported when the markers were collected, or are
// reported by a run over their package.
func (s *Source) parsed(list []model.Marker, target ctmarkers.TargetType) []controllertools.ParsedMarker {
	var all []controllertools.ParsedMarker
	for _, m := range list {
		if m.Value != nil {
			continue
		}
		if parsed, known := controllertools.Parse(s.Collector, m.Text, target); known {
			all = append(all, parsed)
		}
	}
	return all
}

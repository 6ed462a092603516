package crd

import (
	"github.com/mrgen-io/mrgen/generator/internal/controllertools"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// forms has the form of each type that the observation stage declares. These types demand nothing by markers,
// but contain types of other modules, which may.
type forms map[flavor.TypeName]controllertools.Form

func formsOf(m *model.Model) forms {
	all := forms{}
	add := func(part *model.Field, form controllertools.Form) {
		if part == nil {
			return
		}
		for t := range part.Type.Leaves() {
			if t.Derived {
				all[flavor.TypeName{Package: t.Package, Name: t.Name}] = form
			}
		}
	}
	for _, o := range m.Managed() {
		add(o.Spec.Part("initProvider"), controllertools.Initial)
		add(o.Status.Part("atProvider"), controllertools.Observed)
	}
	return all
}

// of returns the form of a type.
func (f forms) of(t flavor.TypeName) controllertools.Form {
	// References keep their required names: without one, they refer to nothing.
	if mirroring.IsCrossplane(t.Package) {
		return controllertools.Whole
	}
	return f[t]
}

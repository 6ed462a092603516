package crd

import (
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/stages/crd/flatten"
)

// forms has the form of each type that the observation stage declares. These types demand nothing by markers,
// but contain types of other modules, which may.
type forms map[flavor.TypeName]flatten.Form

func formsOf(m *model.Model) forms {
	all := forms{}
	add := func(part *model.Field, form flatten.Form) {
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
		add(o.Spec.Part("initProvider"), flatten.Initial)
		add(o.Status.Part("atProvider"), flatten.Observed)
	}
	return all
}

// of returns the form of a type.
func (f forms) of(ident crd.TypeIdent) flatten.Form {
	path := loader.NonVendorPath(ident.Package.PkgPath)
	// References keep their required names: without one, they refer to nothing.
	if mirroring.IsCrossplane(path) {
		return flatten.Whole
	}
	return f[flavor.TypeName{Package: path, Name: ident.Name}]
}

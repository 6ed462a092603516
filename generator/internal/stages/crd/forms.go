package crd

import (
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/stages/crd/flatten"
)

// forms has a form for each type that the observation stage declares. The stage writes no markers there that
// demand anything, but it uses types of other modules as they are.
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

// of returns the form of a type. References keep their names: without one, they refer to nothing.
func (f forms) of(ident crd.TypeIdent) flatten.Form {
	path := loader.NonVendorPath(ident.Package.PkgPath)
	if mirroring.IsCrossplane(path) {
		return flatten.Whole
	}
	return f[flavor.TypeName{Package: path, Name: ident.Name}]
}

package crd

import (
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/stages/crd/flatten"
)

// forms are those of the types that the observation stage declares. It writes no markers that demand
// anything there, but has no say in the types of other modules that it uses as they are.
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

// of returns the form of a type. A reference without a name is none, whoever merges it.
func (f forms) of(ident crd.TypeIdent) flatten.Form {
	path := loader.NonVendorPath(ident.Package.PkgPath)
	if mirroring.IsCrossplane(path) {
		return flatten.Whole
	}
	return f[flavor.TypeName{Package: path, Name: ident.Name}]
}

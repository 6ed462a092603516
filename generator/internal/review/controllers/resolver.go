package controllers

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// defaultResolvers returns where the reconcilers of kinds are made that have no resolver of references, by kind. It looks
// at the package of a controller, and at packages without controllers, which may set up those of others.
func (a *analysis) defaultResolvers() map[Kind]Site {
	owners := map[*types.Package]bool{}
	for _, c := range a.controllers {
		owners[c.external.Obj().Pkg()] = true
	}
	made, resolving := map[*types.Package]Site{}, map[*types.Package]bool{} // of nil, by packages without controllers
	for _, fn := range a.functions {
		pkg := declaredIn(fn)
		if !owners[pkg] {
			pkg = nil
		}
		for call := range callsIn(fn) {
			switch name := fullName(call.Common()); {
			case strings.HasSuffix(name, "/managed.NewReconciler"):
				made[pkg] = a.at(call)
			case strings.HasSuffix(name, "/managed.WithReferenceResolver"):
				resolving[pkg] = true
			}
		}
	}
	all := map[Kind]Site{}
	for _, c := range a.controllers {
		pkg := c.external.Obj().Pkg()
		at, own := made[pkg]
		if !own {
			at = made[nil]
		}
		if at == (Site{}) || resolving[pkg] || resolving[nil] {
			continue
		}
		for _, k := range c.kinds {
			all[a.kinds[k]] = at
		}
	}
	return all
}

// declaredIn returns the package that declares a function, nil if it is synthetic.
func declaredIn(fn *ssa.Function) *types.Package {
	if o := genericOf(fn).Object(); o != nil {
		return o.Pkg()
	}
	if fn.Parent() != nil {
		return declaredIn(fn.Parent())
	}
	return nil
}

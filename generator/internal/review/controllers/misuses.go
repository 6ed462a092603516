package controllers

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// sorting are the functions that sort a list in place.
var sorting = map[string]bool{
	"sort.Strings": true, "sort.Ints": true, "sort.Slice": true, "sort.SliceStable": true, "sort.Sort": true, "sort.Stable": true,
	"slices.Sort": true, "slices.SortFunc": true, "slices.SortStableFunc": true, "slices.Reverse": true,
}

// eachCall calls visit with the calls of functions in a set, in the order of the source.
func (a *analysis) eachCall(in map[*ssa.Function]bool, visit func(ssa.CallInstruction)) {
	for _, fn := range a.functions {
		if !in[fn] {
			continue
		}
		for call := range callsIn(fn) {
			visit(call)
		}
	}
}

// sorted adds where observing a resource sorts its fields in place.
func (a *analysis) sorted(of func(*types.Var) *Field) {
	for _, c := range a.controllers {
		a.eachCall(c.observing, func(call ssa.CallInstruction) {
			if !sorting[nameOf(call.Common())] {
				return
			}
			for _, f := range a.origins(call.Common().Args[0], c.observing, true) {
				field := of(f)
				field.Sorted = append(field.Sorted, a.site(place{fn: call.Parent(), pos: call.Pos()}))
			}
		})
	}
}

// foreign adds where controllers of a kind choose the namespace of a secret that they read by a field.
func (a *analysis) foreign(of func(*types.Var) *Field) {
	for _, c := range a.controllers {
		all := a.callees.reach(c.observe, c.create, c.update, c.remove)
		for _, fn := range a.functions {
			if !all[fn] || !readsSecret(fn) {
				continue
			}
			for in := range instructions(fn) {
				store, ok := in.(*ssa.Store)
				if !ok {
					continue
				}
				_, f := a.selection(store.Addr)
				if f == nil || f.Name() != "Namespace" || f.Pkg() == nil || f.Pkg().Path() != "k8s.io/apimachinery/pkg/types" {
					continue
				}
				for _, origin := range a.origins(store.Val, all, false) {
					field := of(origin)
					if field.Foreign == nil {
						field.Foreign = map[Kind][]Site{}
					}
					for _, named := range c.kinds {
						k := a.kinds[named]
						field.Foreign[k] = append(field.Foreign[k], a.site(place{fn: fn, pos: store.Pos()}))
					}
				}
			}
		}
	}
}

// readsSecret reports whether a function gets a secret from Kubernetes.
func readsSecret(fn *ssa.Function) bool {
	for c := range callsIn(fn) {
		if !c.Common().IsInvoke() || c.Common().Method.Name() != "Get" || !strings.Contains(packageCalled(c.Common()), "controller-runtime/pkg/client") {
			continue
		}
		for _, argument := range c.Common().Args {
			if box, ok := argument.(*ssa.MakeInterface); ok && types.TypeString(box.X.Type(), nil) == "*k8s.io/api/core/v1.Secret" {
				return true
			}
		}
	}
	return false
}

// unnamed returns the controllers that find resources by their external names, which nothing sets: neither
// an initializer nor the controller.
func (a *analysis) unnamed() []*controller {
	perPackage := map[*types.Package]int{}
	for _, c := range a.controllers {
		perPackage[c.external.Obj().Pkg()]++
	}
	var all []*controller
	for _, c := range a.controllers {
		pkg := c.external.Obj().Pkg()
		if perPackage[pkg] != 1 || !a.withoutInitializers(pkg) {
			continue
		}
		gets, sets := false, false
		a.eachCall(c.observing, func(call ssa.CallInstruction) {
			gets = gets || strings.HasSuffix(nameOf(call.Common()), "/meta.GetExternalName")
		})
		for _, fn := range a.functions {
			if fn.Pkg != nil && fn.Pkg.Pkg == pkg || c.observing[fn] || c.changing[fn] {
				sets = sets || setsName(fn)
			}
		}
		if gets && !sets {
			all = append(all, c)
		}
	}
	return all
}

// withoutInitializers reports whether the reconciler in a package has no initializer.
func (a *analysis) withoutInitializers(pkg *types.Package) bool {
	none := false
	for _, fn := range a.functions {
		if fn.Pkg == nil || fn.Pkg.Pkg != pkg {
			continue
		}
		for c := range callsIn(fn) {
			if !strings.HasSuffix(nameOf(c.Common()), "/managed.WithInitializers") {
				continue
			}
			list, ok := c.Common().Args[0].(*ssa.Const)
			if !ok || !list.IsNil() {
				return false
			}
			none = true
		}
	}
	return none
}

// setsName reports whether a function may set an external name: by the function for it, as an annotation,
// or in what Create returns.
func setsName(fn *ssa.Function) bool {
	for in := range instructions(fn) {
		switch in := in.(type) {
		case ssa.CallInstruction:
			name := nameOf(in.Common())
			if strings.HasSuffix(name, "/meta.SetExternalName") || strings.HasSuffix(name, ".SetAnnotations") || strings.HasSuffix(name, "/meta.AddAnnotations") {
				return true
			}
		case *ssa.MapUpdate: // of annotations
			if m, ok := in.Map.Type().Underlying().(*types.Map); ok && types.Identical(m.Elem(), types.Typ[types.String]) {
				return true
			}
		case *ssa.FieldAddr:
			if s, ok := pointee(in.X.Type()).Underlying().(*types.Struct); ok && s.Field(in.Field).Name() == "ExternalNameAssigned" {
				return true
			}
		}
	}
	return false
}

package controllers

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A tracer goes back from a value to the fields that it was read from, and to where their object comes
// from.
type tracer struct {
	*analysis
	// in tells which functions call those that are gone through.
	in map[*ssa.Function]bool
	// original is set if an object counts that is the resource itself, and no copy of it.
	original bool
	found    map[*types.Var]bool
	seen     map[tracing]bool
}

type tracing struct {
	value ssa.Value
	field *types.Var
}

// origins returns the fields of API packages that a value was read from, as a list or whatever else two
// values may share, if original is set.
func (a *analysis) origins(v ssa.Value, in map[*ssa.Function]bool, original bool) []*types.Var {
	t := &tracer{analysis: a, in: in, original: original, found: map[*types.Var]bool{}, seen: map[tracing]bool{}}
	t.back(v, nil)
	return slices.Collect(maps.Keys(t.found))
}

// back goes back from a value, on the way to the object that has a field if one was passed.
func (t *tracer) back(v ssa.Value, field *types.Var) {
	if t.seen[tracing{v, field}] || len(t.seen) > 2000 {
		return
	}
	t.seen[tracing{v, field}] = true
	switch v := v.(type) {
	case *ssa.FieldAddr, *ssa.Field:
		t.selected(v, field)
	case *ssa.UnOp, *ssa.ChangeType, *ssa.MakeInterface, *ssa.Slice, *ssa.IndexAddr, *ssa.TypeAssert:
		t.back(operand(v), field)
	case *ssa.Phi:
		for _, e := range v.Edges {
			t.back(e, field)
		}
	case *ssa.Convert:
		if !t.original || isReference(v.X.Type()) {
			t.back(v.X, field)
		}
	case *ssa.Extract:
		if a, ok := v.Tuple.(*ssa.TypeAssert); ok {
			t.back(a.X, field)
		}
	case *ssa.Alloc: // a variable: what is stored in it
		stored := storedIn(v)
		if len(stored) == 1 || !t.original { // otherwise, what it has may be a copy by then
			for _, s := range stored {
				t.back(s, field)
			}
		}
	case *ssa.FreeVar:
		for _, p := range t.passed[v] {
			t.back(p.argument, field)
		}
	case *ssa.Parameter:
		t.parameter(v, field)
	case *ssa.Call:
		if !t.original && isHelper(v.Common()) && len(v.Call.Args) > 0 {
			t.back(v.Call.Args[0], field)
		}
	}
}

// storedIn returns the values that are stored in a variable.
func storedIn(v *ssa.Alloc) []ssa.Value {
	var all []ssa.Value
	for _, r := range *v.Referrers() {
		if s, ok := r.(*ssa.Store); ok && s.Addr == v {
			all = append(all, s.Val)
		}
	}
	return all
}

// selected goes on from a field to the object that has it.
func (t *tracer) selected(v ssa.Value, field *types.Var) {
	base, f := t.selection(v)
	if field == nil && t.apis[f.Pkg()] {
		field = f
		if !t.original {
			t.found[field] = true
			return
		}
	}
	t.back(base, field)
}

// parameter goes on to the arguments. The resource itself is the parameter of a method of a controller.
func (t *tracer) parameter(v *ssa.Parameter, field *types.Var) {
	for _, c := range t.controllers {
		for _, fn := range []*ssa.Function{c.observe, c.create, c.update, c.remove} {
			if v.Parent() == fn && v == fn.Params[len(fn.Params)-1] {
				if field != nil && t.in[fn] {
					t.found[field] = true
				}
				return
			}
		}
	}
	for _, p := range t.passed[v] {
		if caller := p.argument.Parent(); p.site != nil && t.in[p.site.Parent()] || caller != nil && t.in[caller] {
			t.back(p.argument, field)
		}
	}
}

package controllers

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// published returns the keys of connection secrets that a controller publishes, and whether these are all:
// no key is made at run time, and no map comes from elsewhere.
func (a *analysis) published(c *controller) (keys map[string]bool, all bool) {
	keys, all = map[string]bool{}, true
	reached := a.callees.reach(c.observe, c.create, c.update)
	for _, fn := range a.functions {
		if !reached[fn] {
			continue
		}
		for in := range instructions(fn) {
			switch in := in.(type) {
			case *ssa.MapUpdate:
				if !isDetails(in.Map.Type()) {
					continue
				}
				if key, ok := in.Key.(*ssa.Const); ok && key.Value != nil {
					keys[constant.StringVal(key.Value)] = true
				} else {
					all = false
				}
			case *ssa.Store:
				_, f := a.selection(in.Addr)
				if f != nil && isDetails(in.Val.Type()) && f.Name() == "ConnectionDetails" && f.Pkg() != nil && strings.HasSuffix(f.Pkg().Path(), "/managed") && !a.isMade(in.Val, 0) {
					all = false
				}
			}
		}
	}
	return keys, all
}

func isDetails(t types.Type) bool {
	m, ok := t.Underlying().(*types.Map)
	return ok && types.Identical(m.Elem(), types.NewSlice(types.Typ[types.Byte]))
}

// isMade reports whether the module makes a map, entry by entry.
func (a *analysis) isMade(v ssa.Value, depth int) bool {
	if depth > 10 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Const, *ssa.MakeMap:
		return true
	case *ssa.ChangeType:
		return a.isMade(v.X, depth+1)
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !a.isMade(e, depth+1) })
	case *ssa.Extract:
		call, ok := v.Tuple.(*ssa.Call)
		return ok && a.makes(call, v.Index, depth)
	case *ssa.Call:
		return a.makes(v, 0, depth)
	}
	return false
}

// makes reports whether all functions that a call may call make the map that is its i-th result. Methods
// of types that mrgen writes have keys that the author declares.
func (a *analysis) makes(call *ssa.Call, i, depth int) bool {
	found, others := a.callees.of(call.Common())
	if others {
		return false
	}
	for _, fn := range found {
		for _, block := range fn.Blocks {
			if r, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return); ok && !a.isMade(r.Results[i], depth+1) {
				return false
			}
		}
	}
	return true
}

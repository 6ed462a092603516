package controllers

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A use is where a field is read and written.
type use struct{ read, written []place }

// uses returns what code does with fields.
func (a *analysis) uses() map[*types.Var]*use {
	all := map[*types.Var]*use{}
	of := func(f *types.Var) *use {
		f = f.Origin()
		if all[f] == nil {
			all[f] = &use{}
		}
		return all[f]
	}
	for _, fn := range a.functions {
		for in := range instructions(fn) {
			switch in := in.(type) {
			case *ssa.FieldAddr:
				a.ofAddress(in, of(a.fieldOf(in.X.Type(), in.Field)), place{fn: fn, pos: in.Pos()}, 0)
			case *ssa.Field:
				known := of(a.fieldOf(in.X.Type(), in.Field))
				known.read = append(known.read, place{fn: fn, pos: in.Pos()})
			}
		}
	}
	a.spread(of)
	return all
}

// ofAddress adds what is done with the address of a field.
func (a *analysis) ofAddress(v ssa.Value, u *use, at place, depth int) {
	if depth > 10 || v.Referrers() == nil {
		return
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == v {
				u.written = append(u.written, place{fn: at.fn, pos: r.Pos()})
			}
			if r.Val == v { // the address is a value: whoever has it may do both
				u.read, u.written = append(u.read, at), append(u.written, at)
			}
		case *ssa.FieldAddr: // a field of the field, with a use of its own if its struct is one of the API
			if f := a.fieldOf(r.X.Type(), r.Field); !a.apis[f.Pkg()] {
				a.ofAddress(r, u, at, depth+1)
			}
		case *ssa.IndexAddr:
			a.ofAddress(r, u, at, depth+1)
		case *ssa.UnOp:
			u.read = append(u.read, at)
			a.ofLoaded(r, u, at, 0)
		case *ssa.DebugRef:
		default:
			u.read, u.written = append(u.read, at), append(u.written, at)
		}
	}
}

// ofLoaded adds what is written through a value that was read from a field: entries of a map, items of a
// list, or what a pointer leads to.
func (a *analysis) ofLoaded(v ssa.Value, u *use, at place, depth int) {
	if depth > 5 || v.Referrers() == nil || !isReference(v.Type()) {
		return
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.MapUpdate:
			if r.Map == v {
				u.written = append(u.written, place{fn: at.fn, pos: r.Pos()})
			}
		case *ssa.Store:
			if r.Addr == v {
				u.written = append(u.written, place{fn: at.fn, pos: r.Pos()})
			}
		case *ssa.IndexAddr:
			a.ofLoaded(r, u, at, depth+1)
		case *ssa.Call: // which may do so
			if _, isBuiltin := r.Call.Value.(*ssa.Builtin); !isBuiltin && !isCopy(r.Common()) {
				u.written = append(u.written, at)
			}
		}
	}
}

// spread adds what is done with structs as wholes.
func (a *analysis) spread(of func(*types.Var) *use) {
	for s, escapes := range a.escapes {
		var read, written []place
		for _, e := range escapes {
			if e.read && read == nil {
				read = []place{e.at}
			}
			if e.written && written == nil {
				written = []place{e.at}
			}
		}
		seen := map[*types.Struct]bool{}
		var below func(s *types.Struct)
		below = func(s *types.Struct) {
			if seen[s] {
				return
			}
			seen[s] = true
			for f := range s.Fields() {
				u := of(f)
				u.read, u.written = append(u.read, read...), append(u.written, written...)
				for _, inner := range a.structsIn(f.Type()) {
					below(inner)
				}
			}
		}
		below(s)
	}
}

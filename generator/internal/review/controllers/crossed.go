package controllers

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A mapped is a field of one struct that has the value of a field of another one, set at a place.
type mapped struct {
	to, from             *types.Var
	toStruct, fromStruct *types.Struct
	at                   place
}

// crossed adds where fields have the value of a field of another name, while the one of their own name is
// there and nothing reads it, or is mapped the other way round. One of the structs is of the API: that is
// said of its field with that name.
func (a *analysis) crossed(of func(own *types.Var) *Field) {
	byFunction := map[*ssa.Function][]mapped{}
	read := map[*ssa.Function]map[*types.Var]bool{}
	for _, fn := range a.functions {
		outer := fn
		for outer.Parent() != nil {
			outer = outer.Parent()
		}
		if read[outer] == nil {
			read[outer] = map[*types.Var]bool{}
		}
		for in := range instructions(fn) {
			if m, ok := a.mapping(in); ok {
				byFunction[outer] = append(byFunction[outer], m)
			}
			if v, ok := in.(ssa.Value); ok {
				if _, f := a.selection(v); f != nil {
					read[outer][f] = true
				}
			}
		}
	}
	for _, fn := range a.functions {
		for _, m := range byFunction[fn] {
			own := likeNamed(m.fromStruct, m.to.Name())
			if own == nil || strings.EqualFold(m.to.Name(), m.from.Name()) || !types.Identical(pointee(own.Type()), pointee(m.from.Type())) {
				continue
			}
			isAlias, isSwapped := false, false
			for _, other := range byFunction[fn] {
				if other.toStruct != m.toStruct || other.fromStruct != m.fromStruct {
					continue
				}
				isSwapped = isSwapped || other.from == own && strings.EqualFold(other.to.Name(), m.from.Name())
				isAlias = isAlias || other.from == m.from && strings.EqualFold(other.to.Name(), m.from.Name()) && topic(m.from.Name()) == topic(m.to.Name())
			}
			if isAlias || read[fn][own] && !isSwapped {
				continue
			}
			if !a.apis[own.Pkg()] {
				own = m.to
			}
			field := of(own)
			field.Crossed = append(field.Crossed, Crossing{a.site(m.at), m.to.Name(), m.from.Name()})
		}
	}
}

// topic returns how a name begins, after a verb: names that begin alike may be of the same thing.
func topic(name string) string {
	name = strings.TrimPrefix(name, "Enable")
	return name[:min(4, len(name))]
}

// mapping returns the field that an instruction sets, and the one whose value it has.
func (a *analysis) mapping(in ssa.Instruction) (mapped, bool) {
	var m mapped
	var value ssa.Value
	switch in := in.(type) {
	case *ssa.Store:
		addr, ok := in.Addr.(*ssa.FieldAddr)
		if !ok {
			return m, false
		}
		m.toStruct, m.to, value = a.structOf(pointee(addr.X.Type())), a.fieldOf(addr.X.Type(), addr.Field), in.Val
	case *ssa.Call:
		if m.toStruct, m.to = setBy(in.Common()); m.to == nil {
			return m, false
		}
		value = in.Call.Args[1]
	default:
		return m, false
	}
	m.fromStruct, m.from = a.source(value, 0)
	m.at = place{fn: in.Parent(), pos: in.Pos()}
	return m, m.from != nil && a.apis[m.from.Pkg()] != a.apis[m.to.Pkg()]
}

// setBy returns the field that a setter sets, with its struct, or nil if a call is of no setter.
func setBy(call *ssa.CallCommon) (*types.Struct, *types.Var) {
	fn, ok := call.Value.(*ssa.Function)
	if !ok || fn.Signature.Recv() == nil || len(call.Args) != 2 || !strings.HasPrefix(fn.Name(), "Set") {
		return nil, nil
	}
	recv := fn.Signature.Recv().Type()
	s := gotypes.StructOf(recv)
	if s == nil || !gotypes.IsPointer(recv) {
		return nil, nil
	}
	return s, likeNamed(s, strings.TrimPrefix(fn.Name(), "Set"))
}

// source returns the field that a value is, as it is or in another form, or nil.
func (a *analysis) source(v ssa.Value, depth int) (*types.Struct, *types.Var) {
	if depth > 10 {
		return nil, nil
	}
	switch v := v.(type) {
	case *ssa.FieldAddr, *ssa.Field:
		base, f := a.selection(v)
		return a.structOf(pointee(base.Type())), f
	case *ssa.UnOp, *ssa.ChangeType, *ssa.Convert:
		return a.source(operand(v), depth+1)
	case *ssa.Alloc:
		if stored := storedIn(v); len(stored) == 1 {
			return a.source(stored[0], depth+1)
		}
	case *ssa.Call:
		if len(v.Call.Args) == 1 && !v.Call.IsInvoke() && v.Call.Signature().Recv() == nil {
			return a.source(v.Call.Args[0], depth+1)
		}
	}
	return nil, nil
}

// likeNamed returns the field of a struct whose name is the same but for capitals, or nil.
func likeNamed(s *types.Struct, name string) *types.Var {
	for f := range s.Fields() {
		if f.Exported() && strings.EqualFold(f.Name(), name) {
			return f
		}
	}
	return nil
}

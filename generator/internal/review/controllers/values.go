package controllers

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// operand returns the first operand of an instruction, such as the value that it converts.
func operand(v ssa.Value) ssa.Value { return *v.(ssa.Instruction).Operands(nil)[0] }

// selection returns the field that a value is, or is the address of, with the value that has it, or nil.
func selection(v any) (base ssa.Value, f *types.Var) {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return v.X, pointee(v.X.Type()).Underlying().(*types.Struct).Field(v.Field).Origin()
	case *ssa.Field:
		return v.X, v.X.Type().Underlying().(*types.Struct).Field(v.Field).Origin()
	}
	return nil, nil
}

// pointee returns the type that a pointer leads to, even a pointer of a declared type. Other types are returned as they are.
func pointee(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// structsIn returns the structs that a value of a type has, or leads to.
func structsIn(t types.Type) []*types.Struct {
	for range 20 {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			return []*types.Struct{u}
		case interface{ Elem() types.Type }: // a pointer, list, map or channel
			t = u.Elem()
		default:
			return nil
		}
	}
	return nil
}

// fieldNamed returns a field of a struct, or nil.
func fieldNamed(t types.Type, name string) *types.Var {
	if s, ok := pointee(t).Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if f.Name() == name {
				return f
			}
		}
	}
	return nil
}

// isReference reports whether a holder of a value can change what others see of it.
func isReference(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface, *types.Chan:
		return true
	}
	return false
}

func isBool(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0
}

// asksForNil reports whether a condition only asks whether there is a value.
func asksForNil(v ssa.Value) bool {
	c, ok := v.(*ssa.BinOp)
	return ok && (isNil(c.X) || isNil(c.Y))
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// isConstant reports whether a value is a constant, perhaps in an interface.
func isConstant(v ssa.Value) bool {
	if box, ok := v.(*ssa.MakeInterface); ok {
		v = box.X
	}
	_, is := v.(*ssa.Const)
	return is
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

// result returns a value that a function returns. If calls are deferred, it is in a variable by then.
func result(r *ssa.Return, index int) ssa.Value {
	value := r.Results[index]
	if load, ok := value.(*ssa.UnOp); ok {
		for _, in := range r.Block().Instrs {
			if store, ok := in.(*ssa.Store); ok && store.Addr == load.X {
				value = store.Val
			}
		}
	}
	return value
}

// source returns the field that a value is, as it is or in another form, or nil.
func source(v ssa.Value, depth int) *types.Var {
	if depth > 10 {
		return nil
	}
	switch v := v.(type) {
	case *ssa.FieldAddr, *ssa.Field:
		_, f := selection(v)
		return f
	case *ssa.UnOp, *ssa.ChangeType, *ssa.Convert:
		return source(operand(v), depth+1)
	case *ssa.Alloc:
		if stored := storedIn(v); len(stored) == 1 {
			return source(stored[0], depth+1)
		}
	case *ssa.Call:
		if len(v.Call.Args) == 1 && v.Call.Signature().Recv() == nil {
			return source(v.Call.Args[0], depth+1)
		}
	}
	return nil
}

// loaded returns the field whose value a value is, or nil.
func loaded(v ssa.Value) *types.Var {
	switch v := v.(type) {
	case *ssa.MakeInterface, *ssa.ChangeType, *ssa.UnOp:
		return loaded(operand(v))
	}
	_, f := selection(v)
	return f
}

// onlyBehind reports whether a block is reached only by one branch of a condition.
func onlyBehind(condition *ssa.BasicBlock, branch int, block *ssa.BasicBlock) bool {
	next := condition.Succs[branch]
	return len(next.Preds) == 1 && next.Dominates(block)
}

// eachCondition calls visit with the conditions on the way to a block, and the branch that leads there if only one does.
func eachCondition(block *ssa.BasicBlock, visit func(condition ssa.Value, branch int)) {
	for at := block.Idom(); at != nil; at = at.Idom() {
		last, ok := at.Instrs[len(at.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		for branch := range 2 {
			if onlyBehind(at, branch, block) {
				visit(last.Cond, branch)
			}
		}
	}
}

// A tracer goes back from a value to the fields that it was read from, and to the origin of their object.
type tracer struct {
	*analysis
	// in tells which functions call those that are gone through.
	in map[*ssa.Function]bool
	// original is set if an object only counts if it is the resource itself, and not a copy.
	original bool
	found    map[origin]bool
	seen     map[tracing]bool
}

// An origin is a field of an API package. The part is the field of the resource around it, such as Spec, if the resource itself has it.
type origin struct{ field, part *types.Var }

type tracing struct {
	value ssa.Value
	origin
}

// origins returns the fields of API packages that a value was read from, as a list or another value that two may share, if original is
// set.
func (a *analysis) origins(v ssa.Value, in map[*ssa.Function]bool, original bool) []origin {
	t := &tracer{analysis: a, in: in, original: original, found: map[origin]bool{}, seen: map[tracing]bool{}}
	t.back(v, origin{})
	return slices.SortedFunc(maps.Keys(t.found), func(x, y origin) int { return int(x.field.Pos() - y.field.Pos()) })
}

// back goes back from a value, on the way to the object that has a field if one was passed.
func (t *tracer) back(v ssa.Value, from origin) {
	if t.seen[tracing{v, from}] {
		return
	}
	t.seen[tracing{v, from}] = true
	switch v := v.(type) {
	case *ssa.FieldAddr, *ssa.Field:
		t.selected(v, from)
	case *ssa.UnOp, *ssa.ChangeType, *ssa.MakeInterface, *ssa.Slice, *ssa.IndexAddr, *ssa.TypeAssert:
		t.back(operand(v), from)
	case *ssa.Phi:
		for _, e := range v.Edges {
			t.back(e, from)
		}
	case *ssa.Extract:
		if a, ok := v.Tuple.(*ssa.TypeAssert); ok {
			t.back(a.X, from)
		}
	case *ssa.Alloc: // a variable: its values
		stored := storedIn(v)
		if len(stored) == 1 || !t.original { // otherwise, it may hold a copy by then
			for _, s := range stored {
				t.back(s, from)
			}
		}
	case *ssa.FreeVar:
		for _, p := range t.passed[v] {
			t.back(p.argument, from)
		}
	case *ssa.Parameter:
		t.parameter(v, from)
	case *ssa.Call:
		if !t.original && len(v.Call.Args) > 0 && structsIn(v.Call.Args[0].Type()) == nil {
			t.back(v.Call.Args[0], from)
		}
	}
}

// selected goes on from a field to the object that has it.
func (t *tracer) selected(v ssa.Value, from origin) {
	base, f := selection(v)
	if t.apis[f.Pkg()] {
		if from.field == nil {
			from.field = f
		}
		from.part = f
		if !t.original {
			t.found[from] = true
			return
		}
	}
	t.back(base, from)
}

// parameter goes on to the arguments. The resource itself is the parameter of a method of a controller.
func (t *tracer) parameter(v *ssa.Parameter, from origin) {
	if t.external[v.Parent()] {
		if from.field != nil && t.in[v.Parent()] {
			t.found[from] = true
		}
		return
	}
	for _, p := range t.passed[v] {
		if t.in[p.caller] {
			t.back(p.argument, from)
		}
	}
}

package controllers

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// boxedFor returns the class of the calls that a value is an argument of, perhaps in a list of arguments: the one that does most.
func boxedFor(v ssa.Value) class {
	if v.Referrers() == nil {
		return quiet // a global variable
	}
	found := ignored
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Call:
			found = min(found, classOf(r.Common()))
		case *ssa.Store:
			item, ok := r.Addr.(*ssa.IndexAddr)
			if !ok {
				return quiet
			}
			found = min(found, boxedFor(item.X))
		case *ssa.Slice:
			found = min(found, boxedFor(r))
		case *ssa.IndexAddr:
		default:
			return quiet
		}
	}
	return found
}

// compared notes a comparison of a field with another value in a function that says yes or no, or in Observe. In a loop, it may look
// for an item of a list.
func (u *uses) compared(f *types.Var, v ssa.Value) {
	fn := v.Parent()
	if u.fields[f] == nil || fn.Parent() != nil || !isCompared(v) || isInLoop(v.(ssa.Instruction).Block()) {
		return
	}
	results := fn.Signature.Results()
	isObserve := slices.ContainsFunc(u.controllers, func(c *controller) bool { return c.observe == fn })
	if isObserve || results.Len() > 0 && isBool(results.At(0).Type()) {
		u.concluded(f, v.(ssa.Instruction))
	}
}

// concluded notes that Observe calls a function that concludes from a field whether the resource is up to date.
func (u *uses) concluded(f *types.Var, in ssa.Instruction) {
	for k, methods := range u.methods[in.Parent()] {
		if methods&InObserve != 0 {
			u.fields[f].Compared[k] = sorted(append(u.fields[f].Compared[k], u.at(in)))
		}
	}
}

// isCompared reports whether code compares a value with another one that isn't a constant.
func isCompared(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.BinOp:
			if (r.Op == token.EQL || r.Op == token.NEQ) && !isConstant(r.X) && !isConstant(r.Y) {
				return true
			}
		case *ssa.UnOp, *ssa.Convert, *ssa.ChangeType, *ssa.MakeInterface:
			if isCompared(r.(ssa.Value)) {
				return true
			}
		case *ssa.Call:
			if !saysYesOrNo(r.Common()) && isCompared(r) || equates(r.Common()) {
				return true
			}
		}
	}
	return false
}

// equates reports whether a call compares its two arguments of one type, and nothing else.
func equates(call *ssa.CallCommon) bool {
	if !saysYesOrNo(call) || len(call.Args) < 2 {
		return false
	}
	return !isConstant(call.Args[0]) && !isConstant(call.Args[1]) && types.Identical(call.Args[0].Type(), call.Args[1].Type())
}

// isInLoop reports whether a block is reached from itself.
func isInLoop(block *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	queue := slices.Clone(block.Succs)
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if !seen[next] {
			seen[next] = true
			queue = append(queue, next.Succs...)
		}
	}
	return seen[block]
}

// asksFor reports whether a function asks for nil in a field, so that it knows a pointer to be nil later.
func asksFor(fn *ssa.Function, f *types.Var) bool {
	for in := range instructions(fn) {
		if b, ok := in.(*ssa.BinOp); ok && asksForNil(b) && loaded(b.X) == f {
			return true
		}
	}
	return false
}

// lossy notes comparisons of lists item by item, and of pointers instead of values.
func (u *uses) lossy(c *controller) {
	for fn := range c.observing {
		for in := range instructions(fn) {
			b, ok := in.(*ssa.BinOp)
			if !ok || !gotypes.IsPointer(b.X.Type()) || asksForNil(b) {
				continue
			}
			for _, operand := range []ssa.Value{b.X, b.Y} {
				f := loaded(operand)
				if field := u.fields[f]; field != nil && !asksFor(fn, f) {
					field.ByAddress = sorted(append(field.ByAddress, u.at(b)))
				}
			}
		}
	}
	for call := range u.callsOf(c.observing) {
		args := call.Common().Args
		switch fullName(call.Common()) {
		case "reflect.DeepEqual", "slices.Equal":
		case "github.com/google/go-cmp/cmp.Equal":
			if !isNil(args[2]) {
				continue // options may sort
			}
		default:
			continue
		}
		if sortsOneOf(call.Parent(), args[:2]) {
			continue
		}
		for _, argument := range args[:2] {
			if field := u.fields[loaded(argument)]; field != nil {
				field.InOrder = sorted(append(field.InOrder, u.at(call)))
			}
		}
	}
}

// sortsOneOf reports whether a function sorts one of the lists in place.
func sortsOneOf(fn *ssa.Function, lists []ssa.Value) bool {
	for call := range callsIn(fn) {
		if !sorts(call) {
			continue
		}
		for _, list := range lists {
			sorted, list := listIn(call.Common().Args[0]), listIn(list)
			if f := loaded(sorted); sorted == list || f != nil && f == loaded(list) { // each read of a field is a value of its own
				return true
			}
		}
	}
	return false
}

// listIn returns the list that a value holds, or the variable that has it.
func listIn(v ssa.Value) ssa.Value {
	switch of := v.(type) {
	case *ssa.MakeInterface, *ssa.ChangeType, *ssa.Slice:
		return listIn(operand(v))
	case *ssa.UnOp:
		if variable, ok := of.X.(*ssa.Alloc); ok { // a function literal uses it, too
			return variable
		}
	}
	return v
}

// sorts reports whether a call sorts a list in place.
func sorts(call ssa.CallInstruction) bool {
	path := packageCalled(call.Common())
	return (path == "sort" || path == "slices") && call.Common().Signature().Results().Len() == 0
}

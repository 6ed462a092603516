package controllers

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// boxedFor returns the class of the calls that a value is an argument of, perhaps in a list of arguments: unknown unless all are
// ignored, or comparisons.
func (u *uses) boxedFor(v ssa.Value, depth int) class {
	if v.Referrers() == nil || depth > 4 {
		return unknown
	}
	found := ignored
	for _, r := range *v.Referrers() {
		c := unknown
		switch r := r.(type) {
		case *ssa.Call:
			if _, others := u.callees.of(r.Common()); others {
				c = classOf(r.Common())
			}
		case *ssa.Store:
			if item, ok := r.Addr.(*ssa.IndexAddr); ok && r.Val == v {
				c = u.boxedFor(item.X, depth+1)
			} else if r.Addr == v {
				continue
			}
		case *ssa.Slice:
			c = u.boxedFor(r, depth+1)
		case *ssa.IndexAddr:
			continue
		}
		if c != ignored && c != compares {
			return unknown
		}
		found = min(found, c)
	}
	return found
}

// compared notes a comparison of a field with another value in a function that says yes or no, or in Observe. In a loop, it may look
// for an item of a list.
func (u *uses) compared(f *types.Var, v ssa.Value) {
	fn := v.Parent()
	if u.fields[f] == nil || fn.Parent() != nil || !u.isCompared(v, 0) || isInLoop(v.(ssa.Instruction).Block()) {
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
func (u *uses) isCompared(v ssa.Value, depth int) bool {
	if depth > 5 || v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.BinOp:
			if (r.Op == token.EQL || r.Op == token.NEQ) && !isConstant(r.X) && !isConstant(r.Y) {
				return true
			}
		case *ssa.UnOp, *ssa.Convert, *ssa.ChangeType, *ssa.MakeInterface:
			if u.isCompared(r.(ssa.Value), depth+1) {
				return true
			}
		case *ssa.Call:
			if isHelper(r.Common()) && len(r.Call.Args) < 3 && !isBool(r.Type()) && u.isCompared(r, depth+1) || equates(r.Common()) {
				return true
			}
		}
	}
	return false
}

// equates reports whether a call compares its two arguments of one type, and nothing else.
func equates(call *ssa.CallCommon) bool {
	results := call.Signature().Results()
	if call.IsInvoke() || results.Len() != 1 || !isBool(results.At(0).Type()) || len(call.Args) < 2 {
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

// lossy notes comparisons of lists item by item.
func (u *uses) lossy(c *controller) {
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
		if slices.ContainsFunc(slices.Collect(callsIn(call.Parent())), sorts) {
			continue
		}
		for _, argument := range args[:2] {
			if field := u.fields[loaded(argument)]; field != nil {
				field.InOrder = sorted(append(field.InOrder, u.at(call)))
			}
		}
	}
}

// sorts reports whether a call sorts a list in place.
func sorts(call ssa.CallInstruction) bool {
	path, name := packageCalled(call.Common()), shortName(call.Common())
	return path == "sort" && len(call.Common().Args) > 0 && call.Value() != nil && call.Common().Signature().Results().Len() == 0 ||
		path == "slices" && (strings.HasPrefix(name, "Sort") && !strings.HasPrefix(name, "Sorted") || name == "Reverse")
}

package controllers

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A change is an instruction that changes a field of a resource itself.
type change struct {
	origin
	in ssa.Instruction
}

// changesIn returns the changes of resources in some functions.
func (a *analysis) changesIn(functions map[*ssa.Function]bool) []change {
	var all []change
	for _, fn := range a.inOrder(functions) {
		for in := range instructions(fn) {
			var target ssa.Value
			switch in := in.(type) {
			case *ssa.Store:
				if !isVariable(in.Addr) {
					target = in.Addr
				}
			case *ssa.MapUpdate:
				target = in.Map
			}
			for _, o := range a.origins(target, functions, true) {
				all = append(all, change{o, in})
			}
		}
	}
	return all
}

// isVariable reports whether an address is within a variable, which holds a copy.
func isVariable(addr ssa.Value) bool {
	for base, f := selection(addr); f != nil; base, f = selection(addr) {
		addr = base
	}
	_, is := addr.(*ssa.Alloc)
	return is
}

// changes adds what a controller changes in resources.
func (a *analysis) changes(c *controller, result *Client) {
	call := func(ch change) Call { return Call{a.at(ch.in), ch.field.Name()} }
	var filled, overwritten []Call
	for _, ch := range a.changesIn(c.observing) {
		if ch.part.Name() != "Spec" {
			continue
		}
		filled = append(filled, call(ch))
		if a.isOverwriting(ch) {
			overwritten = append(overwritten, call(ch))
		}
		if a.isEndless(ch) {
			result.Endless = append(result.Endless, call(ch))
		}
	}
	for filling := range a.callsOf(c.observing) {
		if fillsByRows(filling.Common()) {
			filled = append(filled, Call{a.at(filling), "fields"})
		}
	}
	for sorting := range a.callsOf(c.observing) {
		if sorts(sorting) {
			for _, o := range a.origins(sorting.Common().Args[0], c.observing, true) {
				result.Sorted = append(result.Sorted, Call{a.at(sorting), o.field.Name()})
			}
		}
	}
	says := a.saysLate(c)
	if !a.saves(c.observing) {
		result.AlwaysLate = says == always
		if says == never {
			result.LateInitialized = filled
		} else {
			result.Overwritten = overwritten
		}
	}
	for _, of := range []struct {
		functions map[*ssa.Function]bool
		parts     []string
	}{{c.updating, []string{"Spec", "ObjectMeta"}}, {c.creating, []string{"Spec"}}, {c.deleting, []string{"Spec"}}} {
		if a.saves(of.functions) {
			continue
		}
		for _, ch := range a.changesIn(of.functions) {
			if slices.Contains(of.parts, ch.part.Name()) {
				result.Mutated = append(result.Mutated, call(ch))
			}
		}
	}
	slices.SortFunc(result.Mutated, func(x, y Call) int { return x.Pos.Compare(y.Pos) })
	result.Mutated = slices.Compact(result.Mutated)
}

// fillsByRows reports whether a function of the package of helpers is called which fills spec.forProvider.
func fillsByRows(call *ssa.CallCommon) bool {
	o := declared(call)
	if o == nil || o.Name() != "LateInitialize" && o.Name() != "LateInitializeSpec" {
		return false
	}
	parameters := o.Signature().Params() // none if a generated method has been replaced
	return parameters.Len() > 0 && gotypes.NameOf(parameters.At(0).Type()).Name == "Table"
}

// saysLate returns whether Observe says that it has initialized fields late.
func (a *analysis) saysLate(c *controller) certainty {
	exists, sometimes := false, false
	for in := range instructions(c.observe) {
		if r, ok := in.(*ssa.Return); ok && resultField(r, "ResourceExists") == always {
			exists, sometimes = true, sometimes || resultField(r, "ResourceLateInitialized") != always
		}
	}
	if exists && !sometimes {
		return always
	}
	for fn := range c.observing {
		for in := range instructions(fn) {
			if _, f := selection(in); f != nil && f.Name() == "ResourceLateInitialized" {
				return perhaps
			}
		}
	}
	return never
}

// isOverwriting reports whether a change sets a field to one of the API's answer, without looking at the field or one around it.
func (a *analysis) isOverwriting(ch change) bool {
	store, ok := ch.in.(*ssa.Store)
	if !ok {
		return false // entries are added
	}
	if from := source(store.Val, 0); from == nil || !a.isRequest(from) {
		return false
	}
	around := map[*types.Var]bool{}
	for at := store.Addr; at != nil; {
		switch v := at.(type) {
		case *ssa.FieldAddr: // a field beside it may ask for this
			for beside := range pointee(v.X.Type()).Underlying().(*types.Struct).Fields() {
				around[beside.Origin()] = true
			}
			at = v.X
		case *ssa.UnOp, *ssa.IndexAddr:
			at = operand(at)
		default:
			at = nil
		}
	}
	for block := store.Block().Idom(); block != nil; block = block.Idom() {
		if last, ok := block.Instrs[len(block.Instrs)-1].(*ssa.If); ok && mentions(last.Cond, around, map[ssa.Value]bool{}) {
			return false
		}
	}
	return true
}

// isEndless reports whether a change of an unset field counts as late initialization although it may leave the field unset: the value is
// copied as it is, and no condition asks for it.
func (a *analysis) isEndless(ch change) bool {
	store, ok := ch.in.(*ssa.Store)
	if !ok || !saysTrue(store.Block()) {
		return false
	}
	from := loaded(store.Val)
	if _, isPointer := store.Val.(*ssa.FieldAddr); isPointer || from == nil || !a.isRequest(from) {
		return false
	}
	isUnset, isChecked := false, false
	eachCondition(store.Block(), func(condition ssa.Value, branch int) {
		c, ok := condition.(*ssa.BinOp)
		if ok && isZero(c.Y) && loaded(c.X) == ch.field {
			isUnset = isUnset || (c.Op == token.EQL) == (branch == 0)
		} else {
			isChecked = isChecked || mentions(condition, map[*types.Var]bool{from: true}, map[ssa.Value]bool{})
		}
	})
	return isUnset && !isChecked
}

// saysTrue reports whether a block returns true, or sets a variable to it.
func saysTrue(block *ssa.BasicBlock) bool {
	isTrue := func(v ssa.Value) bool {
		c, ok := v.(*ssa.Const)
		return ok && c.Value == constant.MakeBool(true)
	}
	for _, in := range block.Instrs {
		switch in := in.(type) {
		case *ssa.Store:
			if isTrue(in.Val) {
				return true
			}
		case *ssa.Return:
			return slices.ContainsFunc(in.Results, isTrue)
		}
	}
	for _, next := range block.Succs {
		for _, in := range next.Instrs {
			if phi, ok := in.(*ssa.Phi); ok && isTrue(phi.Edges[slices.Index(next.Preds, block)]) {
				return true
			}
		}
	}
	return false
}

// mentions reports whether a value is made of one of some fields.
func mentions(v ssa.Value, fields map[*types.Var]bool, seen map[ssa.Value]bool) bool {
	in, ok := v.(ssa.Instruction)
	if !ok || seen[v] {
		return false
	}
	seen[v] = true
	if _, f := selection(v); fields[f] {
		return true
	}
	return slices.ContainsFunc(in.Operands(nil), func(o *ssa.Value) bool { return mentions(*o, fields, seen) })
}

// isNeverReady reports whether no code of a controller sets a condition that may be Ready.
func (a *analysis) isNeverReady(c *controller) bool {
	functions := a.withPackage(c, a.callees.reach(c.observe, c.create, c.update))
	return !slices.ContainsFunc(slices.Collect(a.callsOf(functions)), func(call ssa.CallInstruction) bool {
		name := shortName(call.Common())
		return name == "Available" || name == "SetConditions" && !isMadeByName(call)
	})
}

// isMadeByName reports whether all conditions that are set come from functions such as Creating.
func isMadeByName(call ssa.CallInstruction) bool {
	args := call.Common().Args
	list, ok := args[len(args)-1].(*ssa.Slice)
	if !ok {
		return false
	}
	array, ok := list.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, r := range *array.Referrers() {
		item, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *item.Referrers() {
			if store, ok := use.(*ssa.Store); ok {
				made, ok := store.Val.(*ssa.Call)
				if !ok || declared(made.Common()) == nil || len(made.Call.Args) > 0 {
					return false
				}
			}
		}
	}
	return true
}

package controllers

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// control links conditions to what depends on them: whether something is sent, set or returned.
func (b *builder) control(fn *ssa.Function) {
	var joins []*ssa.BasicBlock
	for _, block := range fn.Blocks {
		last, ok := block.Instrs[len(block.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		condition := b.value(last.Cond)
		if condition < 0 {
			continue
		}
		if joins == nil {
			joins = joinsOf(fn)
		}
		b.link(condition, b.ending(last, steering), direct)
		if !asksForNil(last.Cond) {
			b.link(condition, b.ending(last, tested), direct)
		}
		for _, below := range between(block, joins[block.Index]) {
			b.link(condition, b.entry(below), decides)
		}
		for _, next := range block.Succs {
			b.phis(condition, next)
		}
	}
}

// phis links a condition to the values of a block that depend on where one comes from.
func (b *builder) phis(condition node, block *ssa.BasicBlock) {
	for _, in := range block.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			return
		}
		b.link(condition, b.value(phi), dependence(phi.Type()))
	}
}

// asksForNil reports whether a condition only asks whether there is a value.
func asksForNil(v ssa.Value) bool {
	c, ok := v.(*ssa.BinOp)
	if !ok {
		return false
	}
	for _, operand := range []ssa.Value{c.X, c.Y} {
		if c, ok := operand.(*ssa.Const); ok && c.IsNil() {
			return true
		}
	}
	return false
}

// between returns the blocks that are reached from one before its branches join, which they may never do.
func between(block, join *ssa.BasicBlock) []*ssa.BasicBlock {
	seen := make([]bool, len(block.Parent().Blocks))
	seen[block.Index] = true
	if join != nil {
		seen[join.Index] = true
	}
	var all []*ssa.BasicBlock
	queue := slices.Clone(block.Succs)
	for len(queue) > 0 {
		next := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if !seen[next.Index] {
			seen[next.Index] = true
			all = append(all, next)
			queue = append(queue, next.Succs...)
		}
	}
	return all
}

// joinsOf returns for each block of a function the first one after it that all ways to the end go through,
// or nil. Ways on which the function fails don't count. It is Cooper, Harvey and Kennedy's algorithm on the
// reversed graph.
func joinsOf(fn *ssa.Function) []*ssa.BasicBlock {
	order := make([]int, len(fn.Blocks)) // in which all that follow a block come before it, but for loops
	var sorted []*ssa.BasicBlock
	seen := make([]bool, len(fn.Blocks))
	var visit func(block *ssa.BasicBlock)
	visit = func(block *ssa.BasicBlock) {
		seen[block.Index] = true
		for _, next := range block.Succs {
			if !seen[next.Index] {
				visit(next)
			}
		}
		order[block.Index] = len(sorted) + 1 // 0 is the end
		sorted = append(sorted, block)
	}
	visit(fn.Blocks[0])
	join := make([]int, len(sorted)+1)
	for i := range join {
		join[i] = -1
	}
	join[0] = 0
	for changed := true; changed; {
		changed = false
		for _, block := range sorted {
			found := -1
			if len(block.Succs) == 0 && !fails(block) {
				found = 0
			}
			for _, next := range block.Succs {
				other := order[next.Index]
				if join[other] < 0 {
					continue
				}
				if found < 0 {
					found = other
				}
				for found != other {
					for found > other {
						found = join[found]
					}
					for other > found {
						other = join[other]
					}
				}
			}
			if at := order[block.Index]; found >= 0 && join[at] != found {
				join[at], changed = found, true
			}
		}
	}
	joins := make([]*ssa.BasicBlock, len(fn.Blocks))
	for _, block := range sorted {
		if at := join[order[block.Index]]; at > 0 {
			joins[block.Index] = sorted[at-1]
		}
	}
	return joins
}

// fails reports whether a block ends with a panic or returns an error.
func fails(block *ssa.BasicBlock) bool {
	r, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return)
	if !ok {
		return true
	}
	if len(r.Results) == 0 || !gotypes.IsError(r.Results[len(r.Results)-1].Type()) {
		return false
	}
	c, ok := r.Results[len(r.Results)-1].(*ssa.Const)
	return !ok || !c.IsNil()
}

// entry returns the node of whether a block is reached.
func (b *builder) entry(block *ssa.BasicBlock) node {
	n, isNew := nodeOf(b.graph, b.entries, block, place{fn: block.Parent()})
	if isNew {
		b.depends(n, block)
	}
	return n
}

// depends links a condition to what a block does.
func (b *builder) depends(condition node, block *ssa.BasicBlock) {
	for _, in := range block.Instrs {
		switch in := in.(type) {
		case *ssa.Store:
			b.targets(in.Addr, nil, func(to node, f *types.Var) {
				b.link(condition, to, control)
				if f != nil && b.isRequest(f) {
					b.link(condition, b.ending(in, sent), control)
				}
			})
		case *ssa.MapUpdate:
			b.targets(in.Map, nil, func(to node, _ *types.Var) { b.link(condition, to, control) })
		case *ssa.Return:
			for i, r := range in.Results {
				if !gotypes.IsError(r.Type()) {
					b.link(condition, b.result(in.Parent(), i), dependence(r.Type()))
				}
			}
		case ssa.CallInstruction:
			b.dependsCall(condition, in)
		}
	}
	for _, next := range block.Succs {
		b.phis(condition, next)
	}
}

// dependence returns the kind of edge from a condition to a value that depends on it.
func dependence(t types.Type) edgeKind {
	if isBool(t) {
		return decides
	}
	return control
}

// effect returns the node of what a function sends, whatever its arguments are.
func (b *builder) effect(fn *ssa.Function) node {
	n, isNew := nodeOf(b.graph, b.effects, fn, place{fn: fn, pos: fn.Pos()})
	if !isNew {
		return n
	}
	for call := range callsIn(fn) {
		b.dependsCall(n, call)
	}
	return n
}

// dependsCall links a condition to what a call sends.
func (b *builder) dependsCall(condition node, call ssa.CallInstruction) {
	if _, isBuiltin := call.Common().Value.(*ssa.Builtin); isBuiltin {
		return
	}
	found, others := b.callees.of(call.Common())
	if others {
		switch classOf(call.Common()) {
		case sends, unknown, names:
			b.link(condition, b.ending(call, sent), control)
		}
	}
	for _, fn := range found {
		b.link(condition, b.effect(fn), control)
	}
}

package controllers

import (
	"go/token"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// asks reports whether a call may ask the API something and say in an error that it couldn't.
func (a *analysis) asks(call ssa.CallInstruction) bool {
	common := call.Common()
	if !endsWithError(common) {
		return false
	}
	if common.IsInvoke() && takesContext(common) && !isQuiet(packageCalled(common)) {
		return true // an interface for the API, even if the module implements it in memory
	}
	found, others := a.callees.of(common)
	if !others {
		return slices.ContainsFunc(found, a.asksBelow)
	}
	// A function without a receiver or a context only makes something.
	return classOf(common) == sends && (common.Signature().Recv() != nil || takesContext(common))
}

func takesContext(call *ssa.CallCommon) bool {
	return slices.ContainsFunc(call.Args, func(v ssa.Value) bool { return gotypes.IsDeclaredIn(v.Type(), "context", "Context") })
}

// asksBelow reports whether a function, or one that it calls, asks the API something.
func (a *analysis) asksBelow(fn *ssa.Function) bool {
	asks, known := a.asking[fn]
	if known {
		return asks
	}
	a.asking[fn] = false // for functions that call themselves
	a.asking[fn] = slices.ContainsFunc(slices.Collect(callsIn(fn)), a.asks)
	return a.asking[fn]
}

// errorOf returns the error that a call returns, or nil if no code looks at it.
func errorOf(call ssa.CallInstruction) ssa.Value {
	v := call.Value()
	if v == nil || len(*v.Referrers()) == 0 {
		return nil
	}
	results := call.Common().Signature().Results().Len()
	if results == 1 {
		return v
	}
	for _, r := range *v.Referrers() {
		if e, ok := r.(*ssa.Extract); ok && e.Index == results-1 && len(*e.Referrers()) > 0 {
			return e
		}
	}
	return nil
}

// A failing walk follows the error of a call through a function while no code asks for the kind of the error.
type failing struct {
	call ssa.CallInstruction
	// told is set if some code does ask, or keeps the error.
	told   bool
	silent []*ssa.Return
	seen   map[[2]*ssa.BasicBlock]bool
}

// fail follows the error of a call, and returns nil if the call has none that anyone looks at.
func fail(call ssa.CallInstruction) *failing {
	err := errorOf(call)
	if err == nil {
		return nil
	}
	f := &failing{call: call, seen: map[[2]*ssa.BasicBlock]bool{}}
	block := call.Block()
	f.block(block, block.Instrs[slices.Index(block.Instrs, ssa.Instruction(call))+1:], map[ssa.Value]bool{err: true}, false)
	return f
}

// enter goes on with the next block, in which a phi may have the error.
func (f *failing) enter(block, from *ssa.BasicBlock, errs map[ssa.Value]bool, failed bool) {
	if f.seen[[2]*ssa.BasicBlock{block, from}] {
		return
	}
	f.seen[[2]*ssa.BasicBlock{block, from}] = true
	errs = maps.Clone(errs)
	for _, in := range block.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		for i, e := range phi.Edges {
			if block.Preds[i] == from {
				errs[phi] = errs[e]
			}
		}
	}
	f.block(block, block.Instrs, errs, failed)
}

// block goes through a block. Failed is set where the error is known not to be nil.
func (f *failing) block(block *ssa.BasicBlock, rest []ssa.Instruction, errs map[ssa.Value]bool, failed bool) {
	for _, in := range rest {
		switch in := in.(type) {
		case ssa.CallInstruction:
			if takes(in.Common(), errs) && !f.hands(in, errs) {
				f.told = true
				return
			}
		case *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.Slice: // on the way to a list of arguments
			errs[in.(ssa.Value)] = errs[operand(in.(ssa.Value))]
		case *ssa.If:
			f.branch(block, in, errs, failed)
			return
		case *ssa.Return:
			f.returns(in, failed)
			return
		case *ssa.Store:
			item, isItem := in.Addr.(*ssa.IndexAddr)
			switch {
			case errs[in.Val] && isItem:
				errs[item.X] = true
			case errs[in.Val]: // kept for later
				f.told = true
				return
			}
		}
	}
	for _, next := range block.Succs {
		f.enter(next, block, errs, failed)
	}
}

// returns notes a return, which is silent if it says nothing about an error.
func (f *failing) returns(r *ssa.Return, failed bool) {
	last := len(r.Results) - 1
	isError := last >= 0 && gotypes.IsError(r.Results[last].Type())
	isFound := last > 0 && isBool(r.Results[last].Type()) // whether there is something
	if failed && (last < 0 || (isError || isFound) && isZero(result(r, last))) {
		f.silent = append(f.silent, r)
	}
}

// hands reports whether a call that takes the error only logs it, or makes another error of it.
func (f *failing) hands(call ssa.CallInstruction, errs map[ssa.Value]bool) bool {
	wraps := wrapsError(call.Common())
	if wraps {
		errs[call.Value()] = true
	}
	return wraps || call.Common().Signature().Results().Len() == 0
}

func takes(call *ssa.CallCommon, errs map[ssa.Value]bool) bool {
	return errs[call.Value] || slices.ContainsFunc(call.Args, func(v ssa.Value) bool { return errs[v] })
}

// branch goes on where the error isn't nil. Behind any other question about it, or about something else once the call has failed,
// nobody knows what is meant.
func (f *failing) branch(block *ssa.BasicBlock, in *ssa.If, errs map[ssa.Value]bool, failed bool) {
	c, ok := in.Cond.(*ssa.BinOp)
	switch {
	case ok && asksForNil(c) && (errs[c.X] || errs[c.Y]):
		next := block.Succs[0]
		if c.Op == token.EQL {
			next = block.Succs[1]
		}
		f.enter(next, block, errs, true)
	case !failed, block.Dominates(f.call.Block()), ok && c.Pos() == token.NoPos: // a loop around the call, perhaps over an integer
		for _, next := range block.Succs {
			f.enter(next, block, errs, failed)
		}
	default:
		f.told = true
	}
}

// undeleted returns the last call in Delete, if errors of all are returned in any case although Observe asks for their kind.
func (a *analysis) undeleted(c *controller) []ssa.CallInstruction {
	if !a.tells(c.observing, asksKindOfAPI) || a.tells(c.deleting, asksKind) {
		return nil
	}
	var last []ssa.CallInstruction
	for call := range callsIn(c.remove) {
		if !a.asks(call) {
			continue
		}
		if f := fail(call); f == nil || f.told || len(f.silent) > 0 || readsMore(call) {
			return nil
		}
		last = []ssa.CallInstruction{call}
	}
	return last
}

// readsMore reports whether code looks at another result of a call than its error, such as a status code.
func readsMore(call ssa.CallInstruction) bool {
	return slices.ContainsFunc(*call.Value().Referrers(), func(r ssa.Instruction) bool {
		e, ok := r.(*ssa.Extract)
		return ok && !gotypes.IsError(e.Type()) && len(*e.Referrers()) > 0
	})
}

// absences returns the calls for any error of which a function says that there is no resource: Observe, or a function that finds it.
func (a *analysis) absences(fn *ssa.Function, isAbsent func(*ssa.Return) bool, depth int) []ssa.CallInstruction {
	var all []ssa.CallInstruction
	for call := range callsIn(fn) {
		if !a.asks(call) {
			continue
		}
		if f := fail(call); f != nil {
			for _, r := range f.silent {
				if isAbsent(r) {
					all = append(all, call)
					break
				}
			}
		}
	}
	if depth == 0 {
		return all
	}
	for _, block := range fn.Blocks {
		r, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return)
		if !ok || !isAbsent(r) || len(block.Preds) != 1 {
			continue
		}
		call, index := missing(block.Preds[0], block)
		if call == nil {
			continue
		}
		if found, _ := a.callees.of(call.Common()); len(found) == 1 {
			all = append(all, a.absences(found[0], func(r *ssa.Return) bool { return isZero(result(r, index)) }, depth-1)...)
		}
	}
	return all
}

// missing returns the call whose result is nil or false on the way from one block to the next, and the index of the result.
func missing(from, to *ssa.BasicBlock) (call *ssa.Call, index int) {
	last, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok {
		return nil, 0
	}
	asked, side := last.Cond, 1 // false
	if c, ok := last.Cond.(*ssa.BinOp); ok && asksForNil(c) && c.Op == token.EQL {
		asked, side = c.X, 0
	}
	extract, ok := asked.(*ssa.Extract)
	if !ok || from.Succs[side] != to {
		return nil, 0
	}
	call, _ = extract.Tuple.(*ssa.Call)
	return call, extract.Index
}

// isZero reports whether a value is nil, false or another zero value.
func isZero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && (c.Value == nil || slices.Contains([]string{"false", `""`, "0"}, c.Value.String()))
}

// swallowed returns the calls in functions that change something whose error reaches no return: calls of the API, and those that turn the
// text of a parameter into something.
func (a *analysis) swallowed(c *controller) []ssa.CallInstruction {
	var all []ssa.CallInstruction
	for call := range a.callsOf(c.changing) {
		if call.Parent().Parent() != nil || call.Value() == nil || !endsWithError(call.Common()) {
			continue // a closure may be asked again, and a deferred call cleans up
		}
		f := fail(call)
		switch {
		case f == nil && a.asks(call) && !cleansUp(call), f == nil && a.parses(call):
			all = append(all, call)
		case f != nil && len(f.silent) > 0 && !f.told && a.asks(call) && !reads(call.Parent()):
			all = append(all, call)
		}
	}
	return all
}

// reads reports whether a function returns something beside an error, apart from the answers of an external client: nothing may be an
// answer, too.
func reads(fn *ssa.Function) bool {
	results := fn.Signature.Results()
	return results.Len() > 1 && !strings.HasPrefix(gotypes.NameOf(results.At(0).Type()).Name, "External")
}

// cleansUp reports whether a call closes something, or is made where the function fails anyway.
func cleansUp(call ssa.CallInstruction) bool {
	block := call.Block()
	r, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return)
	cleans := ok && !succeeds(r) || shortName(call.Common()) == "Close"
	eachCondition(call.Block(), func(condition ssa.Value, branch int) {
		c, ok := condition.(*ssa.BinOp)
		failed := 0
		if ok && c.Op == token.EQL {
			failed = 1
		}
		cleans = cleans || ok && gotypes.IsError(c.X.Type()) && branch == failed
	})
	return cleans
}

// parses reports whether a call turns the text of a parameter into a value that is used.
func (a *analysis) parses(call ssa.CallInstruction) bool {
	if call.Common().Signature().Recv() != nil {
		return false
	}
	return slices.ContainsFunc(call.Common().Args, func(v ssa.Value) bool {
		f := source(v, 0)
		return f != nil && gotypes.IsString(v.Type()) && a.apis[f.Pkg()]
	})
}

// tells reports whether some function asks for the kind of an error: it hands it to a function that says yes or no, or tells types or
// values apart. Where a query without rows is an error, it says nothing about errors of statements that delete.
func (a *analysis) tells(functions map[*ssa.Function]bool, asks func(*ssa.CallCommon) bool) bool {
	tells := false
	for fn := range functions {
		for in := range instructions(fn) {
			switch in := in.(type) {
			case *ssa.TypeAssert:
				tells = tells || gotypes.IsError(in.X.Type())
			case *ssa.BinOp:
				tells = tells || gotypes.IsError(in.X.Type()) && !asksForNil(in)
			case *ssa.Call:
				tells = tells || asks(in.Common())
			case *ssa.UnOp:
				if g, ok := in.X.(*ssa.Global); ok && g.Name() == "ErrNoRows" {
					return false
				}
			}
		}
	}
	return tells
}

// asksKind reports whether a call takes an error and says something about it, but for functions that wrap errors.
func asksKind(call *ssa.CallCommon) bool {
	results := call.Signature().Results()
	if results.Len() == 0 || wrapsError(call) {
		return false
	}
	return slices.ContainsFunc(call.Args, func(v ssa.Value) bool { return gotypes.IsError(v.Type()) })
}

// asksKindOfAPI leaves out functions for errors of Kubernetes: Observe may read other objects, such as secrets.
func asksKindOfAPI(call *ssa.CallCommon) bool {
	path := packageCalled(call)
	isKubernetes := strings.HasPrefix(path, "k8s.io/") || strings.HasPrefix(path, "sigs.k8s.io/") ||
		shortName(call) == "IgnoreNotFound"
	return !isKubernetes && asksKind(call)
}

// wrapsError reports whether a call makes an error of others.
func wrapsError(call *ssa.CallCommon) bool {
	path := packageCalled(call)
	return (strings.HasSuffix(path, "errors") || path == "fmt") && endsWithError(call)
}

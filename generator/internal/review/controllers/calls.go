package controllers

import (
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// callees know which functions of the module a call may call.
type callees struct {
	// methods are those of the module by name, and addressed the functions that are values somewhere, by signature.
	methods   map[string][]*ssa.Function
	addressed typeutil.Map
	local     map[*ssa.Function]bool
	next      map[*ssa.Function][]*ssa.Function
	// implementing are the methods that calls of a method of an interface may call: many calls are of the same.
	implementing map[invoked][]*ssa.Function
}

// An invoked method is one of an interface.
type invoked struct {
	of     types.Type
	method *types.Func
}

func newCallees(functions []*ssa.Function) *callees {
	c := &callees{
		methods: map[string][]*ssa.Function{}, local: map[*ssa.Function]bool{}, next: map[*ssa.Function][]*ssa.Function{},
		implementing: map[invoked][]*ssa.Function{},
	}
	for _, fn := range functions {
		c.local[fn] = true
		if recv := fn.Signature.Recv(); recv != nil && !isMock(recv.Type()) {
			c.methods[fn.Name()] = append(c.methods[fn.Name()], fn)
		}
	}
	for _, fn := range functions {
		for f := range c.valuesIn(fn) {
			s := f.Signature
			signature := types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic())
			if list, _ := c.addressed.At(signature).([]*ssa.Function); !slices.Contains(list, f) {
				c.addressed.Set(signature, append(list, f))
			}
		}
	}
	return c
}

// valuesIn yields the functions of the module that are values in a function, and not called at once.
func (c *callees) valuesIn(fn *ssa.Function) iter.Seq[*ssa.Function] {
	return func(yield func(*ssa.Function) bool) {
		for in := range instructions(fn) {
			var called *ssa.Value
			if call, ok := in.(ssa.CallInstruction); ok {
				called = &call.Common().Value
			}
			for _, operand := range in.Operands(nil) {
				if f, _ := (*operand).(*ssa.Function); operand != called && c.local[f] && !yield(f) {
					return
				}
			}
		}
	}
}

// of returns the functions of the module that a call may call, and whether it may call others.
func (c *callees) of(call *ssa.CallCommon) (found []*ssa.Function, others bool) {
	if call.IsInvoke() {
		found = c.implementations(invoked{call.Value.Type(), call.Method})
		return found, len(found) == 0
	}
	switch f := call.Value.(type) {
	case *ssa.Function:
		if c.local[f] {
			return []*ssa.Function{f}, false
		}
		return nil, true
	case *ssa.MakeClosure:
		return []*ssa.Function{f.Fn.(*ssa.Function)}, false
	case *ssa.Builtin:
		return nil, false
	}
	list, _ := c.addressed.At(call.Value.Type().Underlying()).([]*ssa.Function)
	return list, len(list) == 0
}

// implementations returns the module's implementations of a method of an interface.
func (c *callees) implementations(of invoked) []*ssa.Function {
	found, known := c.implementing[of]
	if !known {
		iface := of.of.Underlying().(*types.Interface)
		for _, m := range c.methods[of.method.Name()] {
			if types.Implements(m.Signature.Recv().Type(), iface) {
				found = append(found, m)
			}
		}
		c.implementing[of] = found
	}
	return found
}

// reach returns the functions that some functions call or name, with themselves.
func (c *callees) reach(from ...*ssa.Function) map[*ssa.Function]bool {
	seen := map[*ssa.Function]bool{}
	queue := slices.Clone(from)
	for len(queue) > 0 {
		fn := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if seen[fn] {
			continue
		}
		seen[fn] = true
		next, known := c.next[fn]
		if !known {
			for call := range callsIn(fn) {
				found, _ := c.of(call.Common())
				next = append(next, found...)
			}
			next = append(next, slices.Collect(c.valuesIn(fn))...)
			c.next[fn] = next
		}
		queue = append(queue, next...)
	}
	return seen
}

// instructions yields the instructions of a function.
func instructions(fn *ssa.Function) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for _, block := range fn.Blocks {
			for _, in := range block.Instrs {
				if !yield(in) {
					return
				}
			}
		}
	}
}

// callsIn yields the calls in a function.
func callsIn(fn *ssa.Function) iter.Seq[ssa.CallInstruction] {
	return func(yield func(ssa.CallInstruction) bool) {
		for in := range instructions(fn) {
			if call, ok := in.(ssa.CallInstruction); ok && !yield(call) {
				return
			}
		}
	}
}

// declared returns the called function or method, or nil if it has no name.
func declared(call *ssa.CallCommon) *types.Func {
	if call.IsInvoke() {
		return call.Method
	}
	if f, ok := call.Value.(*ssa.Function); ok {
		o, _ := genericOf(f).Object().(*types.Func)
		return o
	}
	return nil
}

// fullName returns the name of the called function, as in strings.Join or (*bytes.Buffer).WriteString, or "".
func fullName(call *ssa.CallCommon) string {
	if o := declared(call); o != nil {
		return o.FullName()
	}
	return ""
}

// shortName returns the name of the called function without its package.
func shortName(call *ssa.CallCommon) string {
	if o := declared(call); o != nil {
		return o.Name()
	}
	return "the function"
}

func genericOf(f *ssa.Function) *ssa.Function {
	if o := f.Origin(); o != nil {
		return o
	}
	return f
}

// packageCalled returns the path of the package that declares the called function, or "".
func packageCalled(call *ssa.CallCommon) string {
	if o := declared(call); o != nil && o.Pkg() != nil {
		return o.Pkg().Path()
	}
	return ""
}

// endsWithError reports whether the last result of a call is an error.
func endsWithError(call *ssa.CallCommon) bool {
	results := call.Signature().Results()
	return results.Len() > 0 && gotypes.IsError(results.At(results.Len()-1).Type())
}

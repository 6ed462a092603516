package controllers

import (
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// callees know which functions of the module a call may call.
type callees struct {
	// methods are those of the module by name, and addressed the functions that are values somewhere, by
	// signature.
	methods   map[string][]*ssa.Function
	addressed typeutil.Map
	local     func(*ssa.Function) bool
	next      map[*ssa.Function][]*ssa.Function
	targets   map[*ssa.CallCommon]target
	// implementing are the methods that calls of one of an interface may call: many calls are of the same.
	implementing map[invoked][]*ssa.Function
}

// An invoked method is one of an interface.
type invoked struct {
	of     types.Type
	method *types.Func
}

// A target is what a call may call.
type target struct {
	found  []*ssa.Function
	others bool
}

// of returns the functions of the module that a call may call, and whether it may call others.
func (c *callees) of(call *ssa.CallCommon) (found []*ssa.Function, others bool) {
	t, known := c.targets[call]
	if !known {
		t.found, t.others = c.find(call)
		c.targets[call] = t
	}
	return t.found, t.others
}

func (c *callees) find(call *ssa.CallCommon) (found []*ssa.Function, others bool) {
	if call.IsInvoke() {
		found = c.implementations(invoked{call.Value.Type(), call.Method})
		return found, len(found) == 0
	}
	switch f := call.Value.(type) {
	case *ssa.Function:
		if c.local(f) {
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
		if iface, _ := of.of.Underlying().(*types.Interface); iface != nil {
			for _, m := range c.methods[of.method.Name()] {
				if types.Implements(m.Signature.Recv().Type(), iface) {
					found = append(found, m)
				}
			}
		}
		c.implementing[of] = found
	}
	return found
}

// address records that a function is a value.
func (c *callees) address(fn *ssa.Function) {
	signature := types.NewSignatureType(nil, nil, nil, fn.Signature.Params(), fn.Signature.Results(), fn.Signature.Variadic())
	list, _ := c.addressed.At(signature).([]*ssa.Function)
	if !slices.Contains(list, fn) {
		c.addressed.Set(signature, append(list, fn))
	}
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

// declared returns the function or method that is called, or nil if it has no name.
func declared(call *ssa.CallCommon) *types.Func {
	if call.IsInvoke() {
		return call.Method
	}
	if f, ok := call.Value.(*ssa.Function); ok {
		o, _ := origin(f).Object().(*types.Func)
		return o
	}
	return nil
}

// nameOf returns the name of what is called, as in strings.Join or (*bytes.Buffer).WriteString.
func nameOf(call *ssa.CallCommon) string {
	if o := declared(call); o != nil {
		return o.FullName()
	}
	return ""
}

func origin(f *ssa.Function) *ssa.Function {
	if o := f.Origin(); o != nil {
		return o
	}
	return f
}

// packageCalled returns the path of the package whose function or method is called, or "".
func packageCalled(call *ssa.CallCommon) string {
	if o := declared(call); o != nil && o.Pkg() != nil {
		return o.Pkg().Path()
	}
	return ""
}

func (b *builder) call(in ssa.CallInstruction) {
	common := in.Common()
	if builtin, ok := common.Value.(*ssa.Builtin); ok {
		b.builtin(in, builtin.Name())
		return
	}
	found, others := b.callees.of(common)
	args := common.Args
	for _, fn := range found {
		parameters := fn.Params
		if common.IsInvoke() && len(parameters) > 0 {
			b.pass(common.Value, parameters[0], in)
			parameters = parameters[1:]
		}
		for i, a := range args {
			if i < len(parameters) {
				b.pass(a, parameters[i], in)
			}
		}
		for i := range fn.Signature.Results().Len() {
			b.eachResult(in, i, func(to node) { b.linkCall(b.result(fn, i), to, result, in) })
		}
	}
	if !others {
		return
	}
	b.outside(in)
}

// eachResult calls visit with the nodes that have the i-th result of a call, unless that is an error.
func (b *builder) eachResult(in ssa.CallInstruction, i int, visit func(node)) {
	v := in.Value()
	if v == nil {
		return
	}
	if in.Common().Signature().Results().Len() == 1 {
		if !gotypes.IsError(v.Type()) {
			visit(b.value(v))
		}
		return
	}
	for _, r := range *v.Referrers() {
		if e, ok := r.(*ssa.Extract); ok && e.Index == i && !gotypes.IsError(e.Type()) {
			visit(b.value(e))
		}
	}
}

func (b *builder) builtin(in ssa.CallInstruction, name string) {
	args := in.Common().Args
	switch name {
	case "append", "min", "max", "len", "cap", "real", "imag", "complex":
		for _, a := range args {
			b.link(b.value(a), b.value(in.Value()), direct)
		}
		if name == "append" && len(args) == 2 { // the other slice may see it
			b.targets(args[0], nil, func(to node, f *types.Var) {
				if f == nil {
					b.link(b.value(args[1]), to, direct)
				}
			})
		}
	case "copy":
		b.write(in, args[1], args[0])
	}
}

// outside handles a call of a function that isn't the module's.
func (b *builder) outside(in ssa.CallInstruction) {
	common := in.Common()
	c := classOf(common)
	if c == ignored {
		return
	}
	args := common.Args
	hasReceiver := !common.IsInvoke() && common.Signature().Recv() != nil
	var end node = -1
	switch c {
	case sends:
		end = b.ending(in, sent)
		_, b.places[end].request = setBy(common)
	case unknown:
		end = b.ending(in, handed)
	case names:
		end = b.ending(in, named)
	case compares:
		end = b.ending(in, compared)
		if v := in.Value(); v != nil {
			value := b.value(v)
			for _, a := range args[:min(len(args), 2)] {
				if operand := b.value(a); operand >= 0 {
					b.places[value].operands = append(b.places[value].operands, operand)
				}
			}
			b.places[value].equals = len(b.places[value].operands) == 2
		}
	}
	takesContext := false
	for _, a := range args {
		takesContext = takesContext || isContext(a.Type())
	}
	returns := c != sends || !takesContext
	for i, a := range args {
		if isContext(a.Type()) {
			continue
		}
		if fn := functionOf(a); fn != nil { // which is called there
			b.callback(in, fn, args)
			continue
		}
		if !isCopy(common) {
			b.escape(in, a.Type(), b.value(a), c)
		}
		if !(hasReceiver && i == 0) {
			b.link(b.value(a), end, direct)
		}
		if !returns {
			continue
		}
		for r := range common.Signature().Results().Len() {
			b.eachResult(in, r, func(to node) { b.link(b.value(a), to, direct) })
		}
		if hasReceiver && i == 0 || c == compares {
			continue
		}
		for j, other := range args {
			if i != j && isReference(other.Type()) && !isContext(other.Type()) && functionOf(other) == nil {
				b.write(in, a, other)
			}
		}
	}
	if v := in.Value(); v != nil && !isCopy(common) {
		for result := range common.Signature().Results().Variables() { // whatever it is made of
			b.madeElsewhere(in, result.Type())
		}
	}
}

// isCopy reports whether a call copies an object, which leaves its fields what they are.
func isCopy(common *ssa.CallCommon) bool {
	f, ok := common.Value.(*ssa.Function)
	return ok && strings.HasPrefix(f.Name(), "DeepCopy")
}

// callback links the arguments of a call to the parameters of a function that is given to it.
func (b *builder) callback(in ssa.CallInstruction, fn *ssa.Function, args []ssa.Value) {
	for _, p := range fn.Params {
		for _, a := range args {
			if functionOf(a) == nil && !isContext(a.Type()) {
				b.link(b.value(a), b.value(p), direct)
			}
		}
	}
	for i := range fn.Signature.Results().Len() {
		for r := range in.Common().Signature().Results().Len() {
			b.eachResult(in, r, func(to node) { b.link(b.result(fn, i), to, direct) })
		}
	}
}

// functionOf returns the function that a value is, or nil.
func functionOf(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.Function:
		return v
	case *ssa.MakeClosure:
		return v.Fn.(*ssa.Function)
	case *ssa.ChangeType, *ssa.MakeInterface:
		return functionOf(operand(v))
	}
	return nil
}

func isContext(t types.Type) bool { return gotypes.IsDeclaredIn(t, "context", "Context") }

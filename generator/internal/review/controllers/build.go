package controllers

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A builder makes the graph of a program.
type builder struct {
	*graph
	program *Code
	callees *callees
	// roots are the types of kinds: an object that is handed on as a managed resource is no value of its
	// fields.
	roots map[*types.Named]bool
	apis  map[*types.Package]bool
	// escapes are where structs are handed to code that may do anything with what is in them.
	escapes map[*types.Struct][]escape
	// effects are nodes of what functions send, whatever their arguments are.
	effects map[*ssa.Function]node
	// entries are nodes of whether a block is reached.
	entries map[*ssa.BasicBlock]node
	// changed are parameters and captured variables through which a function writes.
	changed map[ssa.Value]bool
	queue   []ssa.Value
	// passed are the arguments of parameters, and bound the variables of captured ones.
	passed map[ssa.Value][]passing
}

type passing struct {
	argument ssa.Value
	site     ssa.CallInstruction
}

func (b *builder) function(fn *ssa.Function) {
	for in := range instructions(fn) {
		b.instruction(in)
	}
	b.control(fn)
}

func (b *builder) instruction(in ssa.Instruction) {
	value := func(from ssa.Value, kind edgeKind) {
		b.link(b.value(from), b.value(in.(ssa.Value)), kind)
	}
	switch in := in.(type) {
	case *ssa.FieldAddr, *ssa.Field:
		base, f := b.selection(in.(ssa.Value))
		b.link(b.field(f), b.value(in.(ssa.Value)), direct)
		value(base, part)
	case *ssa.UnOp, *ssa.Convert, *ssa.MultiConvert, *ssa.ChangeInterface, *ssa.SliceToArrayPointer, *ssa.Slice, *ssa.Index, *ssa.IndexAddr,
		*ssa.Range, *ssa.Next:
		value(operand(in.(ssa.Value)), direct)
	case *ssa.BinOp:
		value(in.X, direct)
		value(in.Y, direct)
		b.comparison(in)
	case *ssa.Phi:
		for _, e := range in.Edges {
			value(e, direct)
		}
	case *ssa.ChangeType:
		value(in.X, direct)
		b.converted(in, in.X, in.Type())
	case *ssa.MakeInterface:
		value(in.X, direct)
		b.boxed(in)
	case *ssa.TypeAssert:
		value(in.X, direct)
		b.madeElsewhere(in, in.AssertedType)
	case *ssa.Extract:
		if !gotypes.IsError(in.Type()) {
			if _, isCall := in.Tuple.(*ssa.Call); !isCall {
				value(in.Tuple, direct)
			}
		}
	case *ssa.Lookup:
		value(in.X, direct)
		value(in.Index, part)
		b.link(b.value(in.Index), b.ending(in, tested), direct)
		if isDetails(in.X.Type()) {
			b.link(b.value(in.Index), b.ending(in, handed), direct) // a key of a secret
		}
	case *ssa.Select:
		for _, s := range in.States {
			value(s.Chan, direct)
		}
	case *ssa.Store:
		b.write(in, in.Val, in.Addr)
	case *ssa.MapUpdate:
		b.write(in, in.Key, in.Map)
		b.write(in, in.Value, in.Map)
	case *ssa.Send:
		b.write(in, in.X, in.Chan)
	case *ssa.MakeClosure:
		fn := in.Fn.(*ssa.Function)
		for i, bound := range in.Bindings {
			b.pass(bound, fn.FreeVars[i], nil)
		}
	case *ssa.Return:
		for i, r := range in.Results {
			if !gotypes.IsError(r.Type()) {
				b.link(b.value(r), b.result(in.Parent(), i), direct)
			}
		}
	case ssa.CallInstruction:
		b.call(in)
	}
}

// comparison records what a comparison compares. One with nil only asks whether there is a value.
func (b *builder) comparison(in *ssa.BinOp) {
	switch in.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return
	}
	end := compared
	if in.Op != token.EQL && in.Op != token.NEQ {
		end = tested
	}
	for _, operand := range []ssa.Value{in.X, in.Y} {
		if c, ok := operand.(*ssa.Const); ok {
			if c.IsNil() {
				return
			}
			end = tested
		}
	}
	n := b.ending(in, end)
	value := b.value(in)
	b.places[value].equals, b.places[value].operands = end == compared, []node{b.value(in.X), b.value(in.Y)}
	for _, operand := range []ssa.Value{in.X, in.Y} {
		b.link(b.value(operand), n, direct)
		if _, isStruct := operand.Type().Underlying().(*types.Struct); isStruct {
			b.escape(in, operand.Type(), n, compares)
		}
	}
}

// write links a value to what an address belongs to.
func (b *builder) write(in ssa.Instruction, value, addr ssa.Value) {
	from := b.value(value)
	b.targets(addr, nil, func(to node, f *types.Var) {
		b.link(from, to, direct)
		if f != nil && from >= 0 && b.isRequest(f) {
			end := b.ending(in, sent)
			b.places[end].request = f
			b.link(from, end, direct)
		}
	})
}

// isRequest reports whether a field belongs to a struct of a client.
func (b *builder) isRequest(f *types.Var) bool {
	return f.Pkg() != nil && !b.program.local[f.Pkg()] && !isQuiet(f.Pkg().Path())
}

// targets calls visit with what changes if something is written to an address, with the field if it is
// one.
func (b *builder) targets(addr ssa.Value, seen map[ssa.Value]bool, visit func(node, *types.Var)) {
	if seen[addr] {
		return
	}
	if phi, ok := addr.(*ssa.Phi); ok { // others lead to none again
		if seen == nil {
			seen = map[ssa.Value]bool{}
		}
		seen[phi] = true
	}
	if _, f := b.selection(addr); f != nil {
		visit(b.field(f), f)
		return
	}
	if n := b.value(addr); n >= 0 {
		visit(n, nil)
	}
	switch a := addr.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		b.change(a)
	case *ssa.IndexAddr, *ssa.Index, *ssa.Lookup, *ssa.UnOp, *ssa.Slice, *ssa.ChangeType, *ssa.Convert, *ssa.MakeInterface, *ssa.ChangeInterface,
		*ssa.TypeAssert, *ssa.Extract:
		b.targets(operand(a), seen, visit)
	case *ssa.Phi:
		for _, e := range a.Edges {
			b.targets(e, seen, visit)
		}
	}
}

// operand returns the value that an instruction takes first: what it makes another form of, or takes a part of.
func operand(v ssa.Value) ssa.Value { return *v.(ssa.Instruction).Operands(nil)[0] }

// pass links an argument to a parameter, and back if the function writes through it.
func (b *builder) pass(argument, parameter ssa.Value, site ssa.CallInstruction) {
	kind := call
	if site == nil {
		kind = direct
	}
	b.linkCall(b.value(argument), b.value(parameter), kind, site)
	p := passing{argument, site}
	b.passed[parameter] = append(b.passed[parameter], p)
	if b.changed[parameter] {
		b.back(parameter, p)
	}
}

// change records that a function writes through a parameter or a captured variable.
func (b *builder) change(parameter ssa.Value) {
	if !b.changed[parameter] && isReference(parameter.Type()) {
		b.changed[parameter] = true
		b.queue = append(b.queue, parameter)
	}
}

// settle links what functions write through parameters to the arguments.
func (b *builder) settle() {
	for len(b.queue) > 0 {
		parameter := b.queue[len(b.queue)-1]
		b.queue = b.queue[:len(b.queue)-1]
		for _, p := range b.passed[parameter] {
			b.back(parameter, p)
		}
	}
}

func (b *builder) back(parameter ssa.Value, p passing) {
	kind := result
	if p.site == nil {
		kind = direct
	}
	from := b.value(parameter)
	b.targets(p.argument, nil, func(to node, f *types.Var) {
		b.linkCall(from, to, kind, p.site)
	})
}

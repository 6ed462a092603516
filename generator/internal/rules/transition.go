package rules

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"k8s.io/apiserver/pkg/cel"
)

// A Transition is a rule of an author about how a field may change, as far as it asks
// nothing but whether the field is set, is empty, and is what it was.
type Transition struct {
	// Names lead to the field from the object that the rule stands on. There are none if
	// that is the field.
	Names []string
	tree  ast.Expr
	// optional is set if there need be no old object.
	optional bool
}

// A State is what becomes of a field in an object.
type State struct {
	// Depth counts the names of a [Transition] that are there. It is -1 if the object is
	// not that the rule stands on.
	Depth int
	// Content is what is in the field, if all names are there.
	Content Content
}

// A Content stands for values of a field.
type Content uint8

const (
	// Empty stands for "", 0, false and what has no items, and One and Another for
	// others, which are not equal.
	Empty Content = iota
	One
	Another
)

// Transition returns the rule as one about a field. It returns false if it asks more than
// how that field changes. Optional is what the rule's optionalOldSelf says.
func (p *Parsed) Transition(optional bool) (*Transition, bool) {
	t := &Transition{tree: p.tree.Expr(), optional: optional}
	all := p.nodes(ast.IdentKind)
	for _, e := range all {
		if !isSelf(e.AsIdent()) {
			return nil, false
		}
		names := namesAfter(e)
		if len(names) > len(t.Names) {
			t.Names, names = names, t.Names
		}
		if !slices.Equal(names, t.Names[:len(names)]) {
			return nil, false
		}
	}
	if !slices.ContainsFunc(all, func(e ast.NavigableExpr) bool { return e.AsIdent() == "oldSelf" }) {
		return nil, false
	}
	for i, name := range t.Names {
		t.Names[i], _ = cel.Unescape(name)
	}
	before := t.states()
	if optional {
		before = append(before, State{Depth: -1})
	}
	for _, from := range before {
		for _, to := range t.states() {
			if _, known := t.evaluate(from, to); !known {
				return nil, false
			}
		}
	}
	return t, true
}

// states returns those of the field where there is the object that the rule stands on.
func (t *Transition) states() (states []State) {
	for depth := range t.Names {
		states = append(states, State{Depth: depth})
	}
	for _, content := range []Content{Empty, One, Another} {
		states = append(states, State{Depth: len(t.Names), Content: content})
	}
	return states
}

// namesAfter returns the names that a rule selects below what self or oldSelf stands for.
func namesAfter(e ast.NavigableExpr) (names []string) {
	for parent, ok := e.Parent(); ok; parent, ok = parent.Parent() {
		switch {
		case parent.Kind() == ast.SelectKind:
			names = append(names, parent.AsSelect().FieldName())
		case isCall(parent, operators.OptSelect, 2):
			if name, isText := parent.AsCall().Args()[1].AsLiteral().(types.String); isText {
				names = append(names, string(name))
			}
		case !isCall(parent, "value", 0):
			return names
		}
	}
	return names
}

func isCall(e ast.Expr, function string, arguments int) bool {
	return e.Kind() == ast.CallKind && e.AsCall().FunctionName() == function && len(e.AsCall().Args()) == arguments
}

// Allows reports whether the rule allows the field to change from one state to another.
// Like the API server, it allows all where it has nothing to compare.
func (t *Transition) Allows(from, to State) bool {
	if to.Depth < 0 || from.Depth < 0 && !t.optional {
		return true
	}
	r, _ := t.evaluate(from, to)
	return r.kind == condition && r.holds
}

// evaluate returns what the rule says, and reports whether states tell all that it asks.
func (t *Transition) evaluate(from, to State) (result, bool) {
	e := evaluation{transition: t, from: from, to: to, known: true}
	r := e.of(t.tree)
	return r, e.known && (r.kind == condition || r.kind == failure)
}

// An evaluation is that of a rule for two states. CEL's own would need values of the
// field's type, and would say nothing about others.
type evaluation struct {
	transition *Transition
	from, to   State
	// known is unset if the rule asks something that states don't tell.
	known bool
}

// A result is what an expression stands for.
type result struct {
	kind resultKind
	// holds is that of a condition.
	holds bool
	// state is that of the field, and depth says how many of its names were selected.
	state State
	depth int
}

type resultKind uint8

const (
	// failure is an error of CEL, such as that there is no such key.
	failure resultKind = iota
	// condition is true or false.
	condition
	// selected is what some of the names lead to: the value of the field if all do.
	selected
	// optional is that, or nothing if the state has fewer names.
	optional
	// length is that of the value.
	length
	// nothing is a literal that is empty.
	nothing
)

func is(holds bool) result { return result{kind: condition, holds: holds} }

// isThere reports whether there is something in an optional.
func (r result) isThere() bool { return r.depth <= r.state.Depth }

func (e *evaluation) unknown() result {
	e.known = false
	return result{}
}

// of evaluates an expression.
func (e *evaluation) of(expr ast.Expr) result {
	switch expr.Kind() {
	case ast.IdentKind:
		switch {
		case expr.AsIdent() == "self":
			return result{kind: selected, state: e.to}
		case e.transition.optional:
			return result{kind: optional, state: e.from}
		default:
			return result{kind: selected, state: e.from}
		}
	case ast.SelectKind:
		return e.selection(expr.AsSelect())
	case ast.LiteralKind:
		switch value := expr.AsLiteral().Value(); value {
		case true, false:
			return is(value == true)
		case "", int64(0), 0.0:
			return result{kind: nothing}
		}
	case ast.ListKind:
		if expr.AsList().Size() == 0 {
			return result{kind: nothing}
		}
	case ast.MapKind:
		if expr.AsMap().Size() == 0 {
			return result{kind: nothing}
		}
	case ast.CallKind:
		return e.call(expr.AsCall())
	}
	return e.unknown()
}

func (e *evaluation) selection(s ast.SelectExpr) result {
	r := e.of(s.Operand())
	switch {
	case r.kind == failure:
		return r
	case r.kind != selected && r.kind != optional:
		return e.unknown()
	case s.IsTestOnly():
		return is(r.depth < r.state.Depth)
	}
	return r.below()
}

// below selects the next name.
func (r result) below() result {
	if r.depth++; r.kind == selected && !r.isThere() {
		return result{}
	}
	return r
}

func (e *evaluation) call(c ast.CallExpr) result {
	operands := c.Args()
	if c.IsMemberFunction() {
		operands = slices.Concat([]ast.Expr{c.Target()}, operands)
	}
	if c.FunctionName() == operators.OptSelect {
		operands = operands[:1] // the other is the name
	}
	var r [3]result
	if len(operands) == 0 || len(operands) > len(r) {
		return e.unknown()
	}
	for i, operand := range operands {
		r[i] = e.of(operand)
	}
	switch c.FunctionName() {
	case operators.LogicalAnd:
		return e.either(r[0], r[1], false)
	case operators.LogicalOr:
		return e.either(r[0], r[1], true)
	case operators.Equals:
		return e.equal(r[0], r[1], true)
	case operators.NotEquals:
		return e.equal(r[0], r[1], false)
	}
	switch function, first := c.FunctionName(), r[0]; {
	case first.kind == failure:
		return first
	case function == operators.LogicalNot && first.kind == condition:
		return is(!first.holds)
	case function == operators.Conditional && first.kind == condition:
		if first.holds {
			return r[1]
		}
		return r[2]
	case function == operators.Greater && first.kind == length && r[1].kind == nothing:
		return is(first.state.Content != Empty)
	case function == operators.OptSelect && (first.kind == selected || first.kind == optional):
		first.kind = optional
		return first.below()
	case function == "size" && first.kind == selected && e.isField(first):
		first.kind = length
		return first
	case function == "hasValue" && first.kind == optional:
		return is(first.isThere())
	case function == "value" && first.kind == optional, function == "orValue" && first.kind == optional:
		if !first.isThere() {
			return r[1] // with value, that it fails
		}
		first.kind = selected
		return first
	}
	return e.unknown()
}

// isField reports whether all names that lead to the field were selected.
func (e *evaluation) isField(r result) bool { return r.depth == len(e.transition.Names) }

// either joins conditions. One that decides hides that the other fails.
func (e *evaluation) either(a, b result, decides bool) result {
	for _, r := range []result{a, b} {
		if r.kind != condition && r.kind != failure {
			return e.unknown()
		}
	}
	switch {
	case a == is(decides), b == is(decides):
		return is(decides)
	case a.kind == failure, b.kind == failure:
		return result{}
	}
	return is(!decides)
}

// equal compares two results, and says whether that they are equal is as it should be.
func (e *evaluation) equal(a, b result, should bool) result {
	if a.kind > b.kind {
		a, b = b, a
	}
	switch {
	case a.kind == failure:
		return a
	case a.kind == condition && b.kind == condition:
		return is((a.holds == b.holds) == should)
	case a.kind == nothing && b.kind == nothing:
		return is(should)
	case a.kind == selected && b.kind == selected && e.isField(a) && e.isField(b):
		return is((a.state.Content == b.state.Content) == should)
	case a.kind == optional && b.kind == optional && e.isField(a) && e.isField(b):
		same := a.isThere() == b.isThere() && (!a.isThere() || a.state.Content == b.state.Content)
		return is(same == should)
	case (a.kind == selected && e.isField(a) || a.kind == length) && b.kind == nothing:
		return is((a.state.Content == Empty) == should)
	}
	return e.unknown()
}

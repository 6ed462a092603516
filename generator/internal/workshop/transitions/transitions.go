// Package transitions tells which changes of a field an author's rule allows.
package transitions

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
)

// A Transition is an author's rule about how one field may change. It depends only on whether the field is set, is
// empty, and equals its old value.
type Transition struct {
	// Names lead to the field from the object that holds the rule. They are empty if the rule is on the field itself.
	Names []string
	tree  ast.Expr
	// optional is set if oldSelf is optional.
	optional bool
}

// A State describes a field before or after an update.
type State struct {
	// Depth is how many of a [Transition]'s names are set. It is -1 if the object that holds
	// the rule is absent.
	Depth int
	// Content is the value of the field, if all names are set.
	Content Content
}

// A Content stands for values of a field.
type Content uint8

const (
	// Empty stands for "", 0, false, [] and {}. One and Another stand for two different
	// values that aren't empty.
	Empty Content = iota
	One
	Another
)

// Of returns a rule as a transition of one field. It returns false if the rule depends on anything else. Optional is the
// rule's optionalOldSelf.
func Of(r *cel.Rule, optional bool) (*Transition, bool) {
	t := &Transition{tree: r.Tree(), optional: optional}
	for _, e := range r.Nodes(ast.IdentKind) {
		if !cel.IsSelf(e.AsIdent()) {
			return nil, false
		}
		names := namesAfter(e)
		if len(names) > len(t.Names) { // a test of an object around the field is about a shorter chain
			t.Names, names = names, t.Names
		}
		if !slices.Equal(names, t.Names[:len(names)]) {
			return nil, false
		}
	}
	if !r.IsAboutUpdates() { // without oldSelf, it is a rule about values
		return nil, false
	}
	before := t.states()
	if optional { // the rule is also asked when the object is created
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

// states returns all states of the field in which the object that holds the rule is set.
func (t *Transition) states() (states []State) {
	for depth := range t.Names {
		states = append(states, State{Depth: depth})
	}
	for _, content := range []Content{Empty, One, Another} {
		states = append(states, State{Depth: len(t.Names), Content: content})
	}
	return states
}

// namesAfter returns the names that a rule selects on self or oldSelf, which e is.
func namesAfter(e ast.NavigableExpr) []string {
	var c cel.Chain
	for parent, ok := e.Parent(); ok; parent, ok = parent.Parent() {
		if _, name, isSelection := cel.Selection(parent); isSelection {
			c.Add(name)
		} else if !cel.IsCall(parent, "value", 0) { // value() of an optional stays on the chain
			break
		}
	}
	return c.Names
}

// Allows reports whether the rule allows the field to change from one state to another.
func (t *Transition) Allows(from, to State) bool {
	// Like the API server, it doesn't apply a rule that has nothing to compare with.
	if to.Depth < 0 || from.Depth < 0 && !t.optional {
		return true
	}
	r, _ := t.evaluate(from, to)
	return r.kind == condition && r.holds // a rule that fails with an error doesn't allow the change
}

// evaluate returns the rule's result, and false if the states don't determine it.
func (t *Transition) evaluate(from, to State) (result, bool) {
	e := evaluation{transition: t, from: from, to: to, known: true}
	r := e.of(t.tree)
	return r, e.known && (r.kind == condition || r.kind == failure)
}

// An evaluation evaluates a rule for two states. It doesn't use CEL, which would need values of the field's type, and
// whose results would say nothing about other values.
type evaluation struct {
	transition *Transition
	from, to   State
	// known is unset if the states don't determine the result.
	known bool
}

// A result is the value of an expression.
type result struct {
	kind resultKind
	// holds is the value of a condition.
	holds bool
	// state is the state of the field, and depth is how many of its names are selected.
	state State
	depth int
}

type resultKind uint8

const (
	// failure is an error of CEL, such as "no such key".
	failure resultKind = iota
	// condition is true or false.
	condition
	// selected is the value of the field, or of an object around it.
	selected
	// optional is an optional of the same, which has no value if the state has fewer names.
	optional
	// length is the size of the field.
	length
	// emptyLiteral is "", 0, [] or {}.
	emptyLiteral
)

func is(holds bool) result { return result{kind: condition, holds: holds} }

// hasValue reports whether an optional has a value.
func (r result) hasValue() bool { return r.depth <= r.state.Depth }

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
		case e.transition.optional: // optionalOldSelf makes oldSelf an optional
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
			return result{kind: emptyLiteral}
		}
	case ast.ListKind:
		if expr.AsList().Size() == 0 {
			return result{kind: emptyLiteral}
		}
	case ast.MapKind:
		if expr.AsMap().Size() == 0 {
			return result{kind: emptyLiteral}
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
		return is(r.depth < r.state.Depth) // has() never fails on the last field
	}
	return r.below()
}

// below selects the next name.
func (r result) below() result {
	if r.depth++; r.kind == selected && !r.hasValue() {
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
		return e.logical(r[0], r[1], false)
	case operators.LogicalOr:
		return e.logical(r[0], r[1], true)
	case operators.Equals:
		return e.equal(r[0], r[1], true)
	case operators.NotEquals:
		return e.equal(r[0], r[1], false)
	}
	switch function, first := c.FunctionName(), r[0]; {
	case first.kind == failure: // CEL's functions and operators pass an error on, except && and ||
		return first
	case function == operators.LogicalNot && first.kind == condition:
		return is(!first.holds)
	case function == operators.Conditional && first.kind == condition:
		if first.holds {
			return r[1]
		}
		return r[2]
	case function == operators.Greater && first.kind == length && r[1].kind == emptyLiteral:
		return is(first.state.Content != Empty)
	case function == operators.OptSelect && first.kind == selected:
		first.kind = optional
		return first.below()
	case function == "size" && first.kind == selected && e.isField(first):
		first.kind = length
		return first
	case first.kind == optional:
		return e.ofOptional(function, first, r[1])
	}
	return e.unknown()
}

// ofOptional evaluates a function of an optional.
func (e *evaluation) ofOptional(function string, of, argument result) result {
	switch function {
	case operators.OptSelect:
		return of.below()
	case "hasValue":
		return is(of.hasValue())
	case "value", "orValue":
		if !of.hasValue() {
			return argument // with value, which has none, this is a failure
		}
		of.kind = selected
		return of
	}
	return e.unknown()
}

// isField reports whether the result is the field itself, not an object around it.
func (e *evaluation) isField(r result) bool { return r.depth == len(e.transition.Names) }

// logical evaluates && or ||. A condition that decides the result hides a failure of the
// other.
func (e *evaluation) logical(a, b result, decides bool) result {
	for _, r := range []result{a, b} {
		// such as a boolean field, whose value the states don't tell
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

// equal evaluates ==, or != if they should not be equal.
func (e *evaluation) equal(a, b result, should bool) result {
	if a.kind > b.kind { // == is symmetric: half the cases do
		a, b = b, a
	}
	switch {
	case a.kind == failure:
		return a
	case a.kind == condition && b.kind == condition:
		return is((a.holds == b.holds) == should)
	case a.kind == emptyLiteral && b.kind == emptyLiteral:
		return is(should)
	case a.kind == selected && b.kind == selected && e.isField(a) && e.isField(b):
		return is((a.state.Content == b.state.Content) == should)
	case a.kind == optional && b.kind == optional && e.isField(a) && e.isField(b):
		same := a.hasValue() == b.hasValue() && (!a.hasValue() || a.state.Content == b.state.Content)
		return is(same == should)
	case (a.kind == selected && e.isField(a) || a.kind == length) && b.kind == emptyLiteral:
		return is((a.state.Content == Empty) == should)
	}
	return e.unknown()
}

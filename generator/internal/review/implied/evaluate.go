package implied

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
)

// A truth is the result of a rule.
type truth uint8

const (
	unknown truth = iota
	yes
	no
	failing // with an error, such as for a field that is unset
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// A term is a part of a rule that has a value of its own.
type term struct {
	key  string
	kind termKind
	// schema is the field's schema, and isSize is set if the value is its size.
	schema *props
	isSize bool
}

type termKind uint8

const (
	presence termKind = iota // whether a field is set
	value                    // the value of a field, or its size
	opaque                   // a condition that can't be calculated
)

// holds evaluates a rule. A rule about a value that is unset holds.
func (p *proof) holds(f formula) truth {
	applies := yes
	if !f.isOld {
		applies = p.isSet(place{root: "self", path: f.at})
	}
	if f.isTransition && !f.optional {
		applies = both(applies, func() truth { return p.isSet(place{root: "oldSelf", path: f.at}) }, no)
	}
	switch applies {
	case yes:
		return p.evaluate(f, f.root)
	case unknown:
		return unknown
	default:
		return yes
	}
}

// look returns the value of a term. Without one, it notes that the evaluation depends on the term.
func (p *proof) look(t term) (any, bool) {
	found, ok := p.state[t.key]
	if !ok {
		p.open = t
	}
	return found, ok
}

// isSet reports whether a value and all around it are set.
func (p *proof) isSet(at place) truth {
	for i := range len(at.path) + 1 {
		if i == 0 && at.root == "self" {
			continue // there is an object
		}
		switch set, ok := p.look(term{key: "has " + place{root: at.root, path: at.path[:i]}.key()}); {
		case !ok:
			return unknown
		case set == false:
			return no
		}
	}
	return yes
}

// both combines two conditions as && does with decisive no, and as || does with decisive yes: an error on one side
// doesn't matter if the other side decides.
func both(left truth, right func() truth, decisive truth) truth {
	if left == decisive {
		return decisive
	}
	other := right()
	switch {
	case other == decisive:
		return decisive
	case left == unknown || other == unknown:
		return unknown
	case left == failing || other == failing:
		return failing
	default:
		return other
	}
}

// evaluate evaluates a condition.
func (p *proof) evaluate(f formula, e ast.Expr) truth {
	if chain, ok := cel.ChainTo(e); ok {
		return p.field(f, chain)
	}
	if e.Kind() == ast.LiteralKind {
		if is, ok := e.AsLiteral().Value().(bool); ok {
			return truthOf(is)
		}
	}
	if e.Kind() != ast.CallKind {
		return p.unread(f, e)
	}
	args := e.AsCall().Args()
	side := func(i int) func() truth { return func() truth { return p.evaluate(f, args[i]) } }
	switch {
	case cel.IsCall(e, operators.LogicalAnd, 2):
		return both(side(0)(), side(1), no)
	case cel.IsCall(e, operators.LogicalOr, 2):
		return both(side(0)(), side(1), yes)
	case cel.IsCall(e, operators.LogicalNot, 1):
		return not(side(0)())
	case cel.IsCall(e, operators.Conditional, 3):
		switch condition := side(0)(); condition {
		case yes:
			return side(1)()
		case no:
			return side(2)()
		default:
			return condition
		}
	case isCondition(e):
		return p.same(side(0)(), side(1), e.AsCall().FunctionName() == operators.Equals)
	}
	result, isComparison := unknown, false
	p.compare(f, e, func(t term, literals []any) {
		isComparison = true
		if result = p.isRead(f, e); result != yes {
			return
		}
		result = unknown
		if value, ok := p.look(t); ok {
			result = compared(e, value, literals)
		}
	})
	if isComparison {
		return result
	}
	return p.unread(f, e)
}

// field evaluates has(self.a), or a field that is a condition itself.
func (p *proof) field(f formula, c cel.Chain) truth {
	at := f.place(c)
	if !c.Tested {
		if set := p.isSet(at); set != yes {
			return unset(set)
		}
		is, ok := p.look(term{key: at.key(), kind: value})
		if !ok {
			return unknown
		}
		return truthOf(is == true)
	}
	around := place{root: at.root, path: at.path[:len(at.path)-1]}
	if set := p.isSet(around); set != yes {
		return unset(set)
	}
	return p.isSet(at)
}

// unset returns the result of reading a field, if it isn't set.
func unset(set truth) truth {
	if set == no {
		return failing
	}
	return set
}

func not(t truth) truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	default:
		return t
	}
}

// same compares two conditions.
func (p *proof) same(left truth, right func() truth, equal bool) truth {
	if left == unknown || left == failing {
		return left
	}
	other := right()
	if other == unknown || other == failing {
		return other
	}
	return truthOf((left == other) == equal)
}

// isCondition reports whether an expression compares two conditions.
func isCondition(e ast.Expr) bool {
	if !cel.IsCall(e, operators.Equals, 2) && !cel.IsCall(e, operators.NotEquals, 2) {
		return false
	}
	return slices.ContainsFunc(e.AsCall().Args(), func(arg ast.Expr) bool {
		chain, ok := cel.ChainTo(arg)
		return ok && chain.Tested || cel.IsCall(arg, operators.LogicalNot, 1) || cel.IsCall(arg, operators.LogicalAnd, 2) ||
			cel.IsCall(arg, operators.LogicalOr, 2)
	})
}

// unread evaluates a condition that can't be calculated: it is the same wherever it is written.
func (p *proof) unread(f formula, e ast.Expr) truth {
	if set := p.isRead(f, e); set != yes {
		return set
	}
	key := cel.ShapeOf(e, func(c cel.Chain) string { return f.place(c).key() })
	is, ok := p.look(term{key: key, kind: opaque})
	if !ok {
		return unknown
	}
	return is.(truth)
}

// isRead reports whether an expression that reads all of its fields can: all are set, or the expression fails. It
// returns yes for an expression that may leave some out.
func (p *proof) isRead(f formula, e ast.Expr) truth {
	result := yes
	var visit func(e ast.Expr) bool
	visit = func(e ast.Expr) bool {
		if chain, ok := cel.ChainTo(e); ok && !chain.Tested {
			if f.optional && chain.Root == "oldSelf" {
				return false // an optional value is always there
			}
			result = both(result, func() truth { return unset(p.isSet(f.place(chain))) }, failing)
			return true
		}
		if e.Kind() == ast.LiteralKind {
			return true
		}
		if e.Kind() == ast.ListKind {
			return !slices.ContainsFunc(e.AsList().Elements(), func(e ast.Expr) bool { return !visit(e) })
		}
		if e.Kind() != ast.CallKind || slices.Contains(lazy, e.AsCall().FunctionName()) {
			return false
		}
		parts := e.AsCall().Args()
		if e.AsCall().IsMemberFunction() {
			parts = append([]ast.Expr{e.AsCall().Target()}, parts...)
		}
		return !slices.ContainsFunc(parts, func(e ast.Expr) bool { return !visit(e) })
	}
	if !visit(e) {
		return yes
	}
	return result
}

// lazy are the functions that may leave an operand out.
var lazy = []string{operators.LogicalAnd, operators.LogicalOr, operators.Conditional, operators.OptSelect, operators.OptIndex}

// compare calls found with the term and the literals, if an expression compares a field, or its size, with literals.
func (p *proof) compare(f formula, e ast.Expr, found func(t term, literals []any)) {
	if cel.IsCall(e, operators.In, 2) && e.AsCall().Args()[1].Kind() == ast.ListKind {
		var literals []any
		for _, element := range e.AsCall().Args()[1].AsList().Elements() {
			literal, ok := literalOf(element)
			if !ok {
				return
			}
			literals = append(literals, literal)
		}
		if t, ok := p.termOf(f, e.AsCall().Args()[0]); ok {
			found(t, literals)
		}
		return
	}
	if e.Kind() != ast.CallKind || operatorsOf[e.AsCall().FunctionName()] == "" {
		return
	}
	field, other, _ := operands(e)
	t, isTerm := p.termOf(f, field)
	literal, isLiteral := literalOf(other)
	if _, isText := literal.(string); isTerm && isLiteral && (!isText || isEquality(e.AsCall().FunctionName())) {
		found(t, []any{literal})
	}
}

func isEquality(operator string) bool {
	return operator == operators.Equals || operator == operators.NotEquals
}

// operands returns the operands of a comparison, the literal last, and the operator for that order.
func operands(e ast.Expr) (field, literal ast.Expr, operator string) {
	args, operator := e.AsCall().Args(), e.AsCall().FunctionName()
	if args[0].Kind() == ast.LiteralKind {
		return args[1], args[0], operatorsOf[operator]
	}
	return args[0], args[1], operator
}

// termOf returns a field, or the size of one, as a term.
func (p *proof) termOf(f formula, e ast.Expr) (term, bool) {
	t := term{kind: value}
	switch {
	case cel.IsCall(e, "size", 1):
		t.isSize, e = true, e.AsCall().Args()[0]
	case cel.IsCall(e, "size", 0) && e.AsCall().IsMemberFunction():
		t.isSize, e = true, e.AsCall().Target()
	}
	chain, ok := cel.ChainTo(e)
	if !ok || chain.Tested {
		return term{}, false
	}
	at := f.place(chain)
	t.key, t.schema = at.key(), child(p.old, at.path)
	if t.isSize {
		t.key = "size of " + t.key
	}
	return t, true
}

// literalOf returns a literal, with numbers as float64.
func literalOf(e ast.Expr) (any, bool) {
	if e.Kind() != ast.LiteralKind {
		return nil, false
	}
	switch literal := e.AsLiteral().Value().(type) {
	case string, bool, float64:
		return literal, true
	case int64:
		return float64(literal), literal == int64(float64(literal))
	case uint64:
		return float64(literal), literal == uint64(float64(literal))
	default:
		return nil, false
	}
}

// compared compares a value with literals.
func compared(e ast.Expr, value any, literals []any) truth {
	if cel.IsCall(e, operators.In, 2) {
		return truthOf(slices.Contains(literals, value))
	}
	_, _, operator := operands(e)
	literal := literals[0]
	switch operator {
	case operators.Equals:
		return truthOf(value == literal)
	case operators.NotEquals:
		return truthOf(value != literal)
	}
	a, isNumber := value.(float64)
	b, isOther := literal.(float64)
	if !isNumber || !isOther {
		return failing // the API server can't order them
	}
	switch operator {
	case operators.Less:
		return truthOf(a < b)
	case operators.LessEquals:
		return truthOf(a <= b)
	case operators.Greater:
		return truthOf(a > b)
	default:
		return truthOf(a >= b)
	}
}

package cel

import (
	"math"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// formula returns the formula of an expression.
func (c *claims) formula(e ast.Expr) formula {
	switch e.Kind() {
	case ast.LiteralKind:
		if value, isBool := e.AsLiteral().Value().(bool); isBool {
			return func([]truth) truth { return truthOf(value) }
		}
	case ast.SelectKind, ast.IdentKind:
		chain, ok := chainTo(e)
		at := c.below(chain)
		switch {
		case ok && chain.Tested:
			around, field := c.there(fieldPath{at.root, at.names[:len(at.names)-1]}), c.there(at)
			return func(values []truth) truth {
				if t := around(values); t != yes {
					return failing(t)
				}
				return field(values)
			}
		case ok && c.facts.Type(at.names) == "boolean":
			return c.comparing(claim{kind: isText, field: &at, text: "true"})
		}
	case ast.CallKind:
		if f := c.call(e.AsCall()); f != nil {
			return f
		}
	}
	i := c.add(claim{kind: called, key: c.key(e)})
	return func(values []truth) truth { return values[i] }
}

// failing returns what a condition comes to that reads what may not be there.
func failing(t truth) truth {
	if t == no {
		return fails
	}
	return t
}

// comparing returns the formula of a claim about fields, which fails if they aren't there.
func (c *claims) comparing(new claim) formula {
	i := c.add(new)
	first, second := c.there(*new.field), formula(nil)
	if new.other != nil {
		second = c.there(*new.other)
	}
	return func(values []truth) truth {
		if t := first(values); t != yes {
			return failing(t)
		}
		if second != nil {
			if t := second(values); t != yes {
				return failing(t)
			}
		}
		return values[i]
	}
}

// call returns the formula of a call of an operator, or nil.
func (c *claims) call(call ast.CallExpr) formula {
	args := call.Args()
	switch name := call.FunctionName(); name {
	case operators.LogicalNot:
		inner := c.formula(args[0])
		return func(values []truth) truth { return negated(inner(values)) }
	case operators.LogicalAnd:
		return c.joined(args, no)
	case operators.LogicalOr:
		return c.joined(args, yes)
	case operators.Conditional:
		condition, first, second := c.formula(args[0]), c.formula(args[1]), c.formula(args[2])
		return func(values []truth) truth {
			switch t := condition(values); t {
			case yes:
				return first(values)
			case no:
				return second(values)
			default:
				return t
			}
		}
	case operators.Equals:
		return c.equal(args[0], args[1])
	case operators.NotEquals:
		if equal := c.equal(args[0], args[1]); equal != nil {
			return func(values []truth) truth { return negated(equal(values)) }
		}
	case operators.In:
		return c.among(args[0], args[1])
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		return c.ordered(name, args)
	}
	return nil
}

// joined returns what expressions come to of which one decides, whatever becomes of the others.
func (c *claims) joined(args []ast.Expr, decides truth) formula {
	var all []formula
	for _, arg := range args {
		all = append(all, c.formula(arg))
	}
	return func(values []truth) truth {
		result := negated(decides)
		for _, f := range all {
			switch t := f(values); {
			case t == decides:
				return decides
			case t == unknown || t == fails && result != unknown:
				result = t
			}
		}
		return result
	}
}

// conditional are the operators whose result is true or false.
var conditional = []string{
	operators.LogicalNot, operators.LogicalAnd, operators.LogicalOr, operators.Equals, operators.NotEquals,
	operators.In, operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals,
}

// isCondition reports whether an expression is true or false by its form.
func isCondition(e ast.Expr) bool {
	if isCall(e, operators.Conditional, 3) {
		return isCondition(e.AsCall().Args()[1]) && isCondition(e.AsCall().Args()[2])
	}
	return isTest(e) || e.Kind() == ast.CallKind && slices.Contains(conditional, e.AsCall().FunctionName())
}

// equal returns the formula that two expressions are equal, or nil.
func (c *claims) equal(a, b ast.Expr) formula {
	first, isFirst := c.path(a)
	second, isSecond := c.path(b)
	switch {
	case isFirst && isSecond && c.facts.Type(first.names) != "" && c.facts.Type(first.names) == c.facts.Type(second.names):
		if second.String() < first.String() {
			first, second = second, first
		}
		return c.comparing(claim{kind: isSame, field: &first, other: &second})
	case isCondition(a) && isCondition(b):
		one, another := c.formula(a), c.formula(b)
		return func(values []truth) truth {
			switch first, second := one(values), another(values); {
			case first == fails || second == fails:
				return fails
			case first == unknown || second == unknown:
				return unknown
			default:
				return truthOf(first == second)
			}
		}
	case a.Kind() == ast.LiteralKind && b.Kind() != ast.LiteralKind:
		return c.equal(b, a)
	case b.Kind() != ast.LiteralKind:
		return nil
	}
	switch value := b.AsLiteral().Value().(type) {
	case string:
		if isFirst && c.facts.Type(first.names) == "string" {
			return c.comparing(claim{kind: isText, field: &first, text: value})
		}
	case bool:
		if f := c.formula(a); isFirst && c.facts.Type(first.names) == "boolean" {
			if value {
				return f
			}
			return func(values []truth) truth { return negated(f(values)) }
		}
	default:
		if number, ok := numberOf(value); ok {
			if at, size, ok := c.measured(a); ok {
				return c.comparing(claim{kind: isNumber, field: &at, size: size, number: number})
			}
		}
	}
	return nil
}

// among returns the formula that an expression is in a list of literals, or nil.
func (c *claims) among(e, list ast.Expr) formula {
	if list.Kind() != ast.ListKind || list.AsList().Size() == 0 {
		return nil
	}
	var all []formula
	for _, element := range list.AsList().Elements() {
		if element.Kind() != ast.LiteralKind {
			return nil
		}
		equal := c.equal(e, element)
		if equal == nil {
			return nil
		}
		all = append(all, equal)
	}
	return func(values []truth) truth {
		result := no
		for _, f := range all {
			if t := f(values); t == yes || t == fails {
				return t // if one fails, all do
			} else if t == unknown {
				result = unknown
			}
		}
		return result
	}
}

// ordered returns the formula of a comparison of a field, or its size, with a number, or nil.
func (c *claims) ordered(operator string, args []ast.Expr) formula {
	first, second := args[0], args[1]
	if first.Kind() == ast.LiteralKind {
		first, second = second, first
		operator = map[string]string{
			operators.Less: operators.Greater, operators.Greater: operators.Less,
			operators.LessEquals: operators.GreaterEquals, operators.GreaterEquals: operators.LessEquals,
		}[operator]
	}
	if second.Kind() != ast.LiteralKind {
		return nil
	}
	number, isNumber := numberOf(second.AsLiteral().Value())
	at, size, ok := c.measured(first)
	if !isNumber || !ok {
		return nil
	}
	inclusive := operator == operators.LessEquals || operator == operators.Greater
	if inclusive && (size || c.facts.Type(at.names) == "integer") && number == math.Trunc(number) {
		number, inclusive = number+1, false
	}
	below := c.comparing(claim{kind: isBelow, field: &at, size: size, number: number, inclusive: inclusive})
	if operator == operators.Less || operator == operators.LessEquals {
		return below
	}
	return func(values []truth) truth { return negated(below(values)) }
}

// numberOf returns a literal as a number, if that is exact.
func numberOf(value any) (float64, bool) {
	switch value := value.(type) {
	case int64:
		return float64(value), value > -1<<53 && value < 1<<53
	case float64:
		return value, true
	default:
		return 0, false
	}
}

// measured returns the field that an expression is, if it is a number, or whose size it is.
func (c *claims) measured(e ast.Expr) (at fieldPath, size, ok bool) {
	of, size := sized(e)
	at, ok = c.path(of)
	switch c.facts.Type(at.names) {
	case "integer", "number":
		return at, size, ok && !size
	case "string", "array", "object":
		return at, size, ok && size
	default:
		return at, size, false
	}
}

// sized returns the expression whose size another one is, or that one.
func sized(e ast.Expr) (of ast.Expr, isSize bool) {
	switch {
	case isCall(e, "size", 0) && e.AsCall().IsMemberFunction():
		return e.AsCall().Target(), true
	case isCall(e, "size", 1) && !e.AsCall().IsMemberFunction():
		return e.AsCall().Args()[0], true
	default:
		return e, false
	}
}

// path returns the field whose value an expression is, if all on the way are plain selections.
func (c *claims) path(e ast.Expr) (fieldPath, bool) {
	at, ok := chainTo(e)
	return c.below(at), ok && !at.Tested
}

// below returns the field that a chain leads to from the object of the rule that is read.
func (c *claims) below(at Chain) fieldPath { return fieldPath{at.Root, slices.Concat(c.at, at.Names)} }

// key returns a text that expressions have in common which always come to the same, wherever their
// rules stand.
func (c *claims) key(e ast.Expr) string {
	return shape{field: func(at Chain) string { return c.below(at).String() }}.of(e)
}

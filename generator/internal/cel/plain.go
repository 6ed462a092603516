package cel

import (
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// builder makes expressions at the positions of the expressions that they replace.
var builder = ast.NewExprFactory()

// plain rewrites two forms of a rule as conditions: optionals whose value alone is read, and loops over literals. See
// [Expr.Short].
func plain(text string, tree *ast.AST) *ast.AST {
	if !strings.Contains(text, ".?") && !strings.Contains(text, "].") { // neither form is in it
		return tree
	}
	tree = ast.Copy(tree)
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if replaced := replaced(e); replaced != nil {
			e.SetKindCase(replaced)
		}
	}))
	return tree
}

// replaced returns the replacement of an expression, or nil.
func replaced(e ast.Expr) ast.Expr {
	if e.Kind() == ast.ComprehensionKind {
		return unrolled(e)
	}
	join := func(operator string, a, b ast.Expr) ast.Expr { return builder.NewCall(e.ID(), operator, a, b) }
	for i, function := range []string{operators.NotEquals, operators.Equals} {
		if !IsCall(e, function, 2) {
			continue
		}
		// [Expr.Short] writes self.?a.orValue(1) != 1 for has(self.a) && self.a != 1.
		args := e.AsCall().Args()
		if !IsCall(args[0], operators.Conditional, 3) || args[1].Kind() != ast.LiteralKind {
			return nil
		}
		isSet, value, other := args[0].AsCall().Args()[0], args[0].AsCall().Args()[1], args[0].AsCall().Args()[2]
		// Another literal, as in self.?a.orValue(1) != 2, makes an unset field satisfy the comparison.
		if !areTests(isSet) || other.Kind() != ast.LiteralKind || other.AsLiteral().Equal(args[1].AsLiteral()) != types.True {
			return nil
		}
		comparison := join(function, value, args[1])
		if i == 0 {
			return join(operators.LogicalAnd, isSet, comparison)
		}
		return join(operators.LogicalOr, builder.NewCall(e.ID(), operators.LogicalNot, isSet), comparison)
	}
	value, tests := required(e.AsCall().Target())
	if len(tests) == 0 {
		return nil
	}
	isSet := tests[0]
	for _, test := range tests[1:] {
		isSet = join(operators.LogicalAnd, isSet, test)
	}
	switch {
	case IsCall(e, "hasValue", 0):
		return isSet
	case IsCall(e, "value", 0): // which fails where the field is unset, as a plain selection does
		return value
	case !IsCall(e, "orValue", 1):
		return nil
	case e.AsCall().Args()[0].Kind() == ast.LiteralKind && e.AsCall().Args()[0].AsLiteral() == types.False:
		// [Expr.Short] writes this for isSet && value
		return join(operators.LogicalAnd, isSet, value)
	default:
		return builder.NewCall(e.ID(), operators.Conditional, isSet, value, e.AsCall().Args()[0])
	}
}

// areTests reports whether an expression only tests that fields are set.
func areTests(e ast.Expr) bool {
	if IsCall(e, operators.LogicalAnd, 2) {
		return areTests(e.AsCall().Args()[0]) && areTests(e.AsCall().Args()[1])
	}
	return isTest(e)
}

// required returns the value of an optional, and the conditions that it has a value. It returns no conditions for any
// other expression.
func required(e ast.Expr) (value ast.Expr, tests []ast.Expr) {
	of, name, isSelection := Selection(e)
	if !isSelection || isTest(e) {
		return e, nil
	}
	around, tests := required(of)
	if len(tests) == 0 && e.Kind() == ast.SelectKind { // a plain selection on a plain value
		return e, nil
	}
	return builder.NewSelect(e.ID(), around, name), append(tests, builder.NewPresenceTest(e.ID(), around, name))
}

// maxLiterals bounds the loops that are unrolled.
const maxLiterals = 8

// unrolled returns the conditions that exists() or all() checks for each literal of a list, or nil.
func unrolled(e ast.Expr) ast.Expr {
	loop := e.AsComprehension()
	operator := operators.LogicalOr
	if loop.AccuInit().Kind() == ast.LiteralKind && loop.AccuInit().AsLiteral() == types.True {
		operator = operators.LogicalAnd
	}
	if loop.IterRange().Kind() != ast.ListKind || !IsCall(loop.LoopStep(), operator, 2) || loop.Result().Kind() != ast.IdentKind {
		return nil
	}
	step, values := loop.LoopStep().AsCall().Args(), loop.IterRange().AsList().Elements()
	if len(values) == 0 || len(values) > maxLiterals || step[0].Kind() != ast.IdentKind || step[0].AsIdent() != loop.AccuVar() {
		return nil
	}
	var all ast.Expr
	for _, value := range values {
		each, ok := with(step[1], loop.IterVar(), value)
		if !ok || value.Kind() != ast.LiteralKind {
			return nil
		}
		if all != nil {
			each = builder.NewCall(e.ID(), operator, all, each)
		}
		all = each
	}
	return all
}

// with returns an expression with a literal in place of a variable. It returns false if another loop may declare a
// variable with the same name.
func with(e ast.Expr, variable string, literal ast.Expr) (ast.Expr, bool) {
	ok := true
	e = builder.CopyExpr(e)
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		ok = ok && e.Kind() != ast.ComprehensionKind
		if e.Kind() == ast.IdentKind && e.AsIdent() == variable {
			e.SetKindCase(literal)
		}
	}))
	return e, ok
}

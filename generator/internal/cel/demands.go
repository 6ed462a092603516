package cel

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// Demands reports whether the rule fails wherever a field is unset and the object around it is set. Alone is set if the
// rule demands nothing else.
func (r *Rule) Demands(names []string) (demands, alone bool) { return demand(r.plain.Expr(), names) }

func demand(e ast.Expr, names []string) (demands, alone bool) {
	if c, _, ok := formOf(e); ok && c.Tested {
		is := c.Root == "self" && slices.Equal(c.Names, names)
		return is, is
	}
	switch {
	case IsCall(e, operators.LogicalAnd, 2): // both sides must hold, so either may demand the field
		left, right := e.AsCall().Args()[0], e.AsCall().Args()[1]
		inLeft, leftAlone := demand(left, names)
		inRight, rightAlone := demand(right, names)
		return inLeft || inRight, leftAlone && rightAlone
	case IsCall(e, operators.LogicalOr, 2):
		left, right := e.AsCall().Args()[0], e.AsCall().Args()[1]
		if isWithout(left, names) { // where there is no object around the field
			return demand(right, names)
		}
		// Only one side must hold: the rule demands the field if both do.
		inLeft, leftAlone := demand(left, names)
		inRight, rightAlone := demand(right, names)
		return inLeft && inRight, leftAlone && rightAlone
	}
	return false, false
}

// isWithout reports whether an expression is the condition that an object around a field is unset.
func isWithout(e ast.Expr, names []string) bool {
	if !IsCall(e, operators.LogicalNot, 1) {
		return false
	}
	c, _, ok := formOf(e.AsCall().Args()[0])
	if !ok || c.Root != "self" {
		return false
	}
	return len(c.Names) < len(names) && slices.Equal(c.Names, names[:len(c.Names)])
}

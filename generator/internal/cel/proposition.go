package cel

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// Fields tell what is known of the fields that a rule selects below self, by their names.
type Fields struct {
	// Known reports whether there is a field. What is not known is never there.
	Known func(names []string) bool
	// Compares reports whether it is enough to try a field, or its size, with numbers on both
	// sides of those that a rule compares it with. It may be nil.
	Compares func(names []string, size bool) bool
}

// IsPropositional reports whether a rule asks no more of what it selects below self than
// whether it is there, whether it is, or holds, one of the rule's literals, and whether a number
// or a size is above or below one of them.
func (r *Rule) IsPropositional(fields Fields) bool {
	_, ok := fields.proposition(r.plain.Expr())
	return ok
}

// proposition returns what an expression is, if that is always the same, or nil, and whether
// it asks no more than [Rule.IsPropositional] says.
func (f Fields) proposition(e ast.Expr) (constant *bool, ok bool) {
	fixed := func(value bool) (*bool, bool) { return &value, true }
	switch e.Kind() {
	case ast.LiteralKind:
		if value, isBool := e.AsLiteral().Value().(bool); isBool {
			return fixed(value)
		}
		return nil, false
	case ast.SelectKind:
		names, below := namesBelowSelf(e)
		if below && e.AsSelect().IsTestOnly() && !f.Known(names) {
			return fixed(false)
		}
		return nil, below
	case ast.CallKind:
	default:
		return nil, false
	}
	args := e.AsCall().Args()
	switch name := e.AsCall().FunctionName(); name {
	case operators.LogicalNot:
		value, ok := f.proposition(args[0])
		if value != nil {
			return fixed(!*value)
		}
		return nil, ok
	case operators.LogicalAnd, operators.LogicalOr:
		decides := name == operators.LogicalOr
		all := true
		for _, arg := range args {
			value, ok := f.proposition(arg)
			if value != nil && *value == decides {
				return fixed(decides)
			}
			all = all && ok
		}
		return nil, all
	case operators.Conditional:
		condition, ok := f.proposition(args[0])
		if condition != nil {
			if *condition {
				return f.proposition(args[1])
			}
			return f.proposition(args[2])
		}
		_, first := f.proposition(args[1])
		_, second := f.proposition(args[2])
		return nil, ok && first && second
	case operators.Equals, operators.NotEquals, operators.In:
		for i, arg := range args {
			if arg.Kind() == ast.LiteralKind || arg.Kind() == ast.ListKind {
				_, below := namesBelowSelf(args[1-i])
				return nil, below || f.compares(args)
			}
		}
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		return nil, f.compares(args)
	}
	return nil, false
}

// compares reports whether a field, or its size, is compared with a whole number.
func (f Fields) compares(args []ast.Expr) bool {
	for i, arg := range args {
		if arg.Kind() != ast.LiteralKind || f.Compares == nil {
			continue
		}
		if _, isInt := arg.AsLiteral().Value().(int64); !isInt {
			return false
		}
		other, isSize := sized(args[1-i])
		names, below := namesBelowSelf(other)
		return below && f.Compares(names, isSize)
	}
	return false
}

// namesBelowSelf returns the names of what an expression selects below self.
func namesBelowSelf(e ast.Expr) (names []string, ok bool) {
	c, ok := chainTo(e)
	return c.Names, ok && c.Root == "self"
}

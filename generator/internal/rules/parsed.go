package rules

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// A Parsed is the syntax tree of a rule.
type Parsed struct {
	text string
	tree *ast.AST
}

// environment parses rules without checking types.
var environment = sync.OnceValues(func() (*cel.Env, error) { return cel.NewEnv(cel.OptionalTypes()) })

// Parse parses a rule. It returns false if the rule isn't valid CEL, which the API server's
// validation reports.
func Parse(rule string) (*Parsed, bool) {
	env, err := environment()
	if err != nil {
		return nil, false
	}
	parsed, issues := env.Parse(rule)
	if issues.Err() != nil {
		return nil, false
	}
	return &Parsed{rule, parsed.NativeRep()}, true
}

// A Chain is a chain of field selections on self or oldSelf.
type Chain struct {
	Root string
	// Names are escaped, as the rule has them.
	Names []string
	// Tested is set if the last selection is that of has(), or an optional one.
	Tested bool
}

// Chains returns the longest chains of selections in a rule, in source order.
func (p *Parsed) Chains() []Chain {
	var chains []Chain
	for _, e := range p.nodes(ast.IdentKind) {
		if isSelf(e.AsIdent()) {
			c, _ := chainOf(e)
			chains = append(chains, c)
		}
	}
	return chains
}

// chainOf returns the chain of selections that begins at a variable, and the expression with its
// end: the last selection if that tests it, or else what is around it. That is nil at the root.
func chainOf(e ast.NavigableExpr) (Chain, ast.NavigableExpr) {
	c := Chain{Root: e.AsIdent()}
	parent, ok := e.Parent()
	for ; ok; parent, ok = parent.Parent() {
		name, isSelection := selectedName(parent)
		if !isSelection {
			return c, parent
		}
		c.Names = append(c.Names, name)
		if c.Tested = parent.Kind() == ast.CallKind || parent.AsSelect().IsTestOnly(); c.Tested {
			return c, parent
		}
	}
	return c, nil
}

// selectedName returns the name in a selection such as self.a, has(self.a) or self.?a.
func selectedName(e ast.Expr) (name string, isSelection bool) {
	switch {
	case e.Kind() == ast.SelectKind:
		return e.AsSelect().FieldName(), true
	case isCall(e, operators.OptSelect, 2):
		name, isString := e.AsCall().Args()[1].AsLiteral().(types.String)
		return string(name), isString
	}
	return "", false
}

// Literals returns the distinct literals in a rule, in source order: string, int64, float64
// and bool.
func (p *Parsed) Literals() []any {
	var literals []any
	for _, e := range p.nodes(ast.LiteralKind) {
		switch value := e.AsLiteral().Value().(type) {
		case string, int64, float64, bool:
			if !slices.Contains(literals, any(value)) {
				literals = append(literals, value)
			}
		}
	}
	return literals
}

// isSelf reports whether a name is the variable for the new or the old value.
func isSelf(name string) bool { return name == "self" || name == "oldSelf" }

// nodes returns the expressions of a kind, in source order.
func (p *Parsed) nodes(kind ast.ExprKind) []ast.NavigableExpr {
	found := ast.MatchDescendants(ast.NavigateAST(p.tree), ast.KindMatcher(kind))
	slices.SortStableFunc(found, func(a, b ast.NavigableExpr) int { return cmp.Compare(p.offset(a), p.offset(b)) })
	return found
}

// offset returns where an expression begins, in characters.
func (p *Parsed) offset(e ast.Expr) int {
	at, _ := p.tree.SourceInfo().GetOffsetRange(e.ID())
	return int(at.Start)
}

// moved returns the rule for the object around a field, if it now stands on that field.
func (p *Parsed) moved(names []string) string {
	text := []rune(p.text)
	var b strings.Builder
	end := 0
	for _, e := range p.nodes(ast.IdentKind) {
		if root := e.AsIdent(); isSelf(root) {
			start := p.offset(e)
			b.WriteString(string(text[end:start]) + selection{root: root}.below(names...).String())
			end = start + len(root)
		}
	}
	return b.String() + string(text[end:])
}

// Unless returns a rule that holds if one of the conditions holds, or the parsed rule does.
// Names lead to the object of the parsed rule from that of the new one.
func (p *Parsed) Unless(conditions []string, names ...string) string {
	rule := p.moved(names)
	if p.isConditional() {
		rule = "(" + rule + ")"
	}
	return strings.Join(append(slices.Clip(conditions), rule), " || ")
}

// BeginsWith reports whether a rule has the form "condition || …", so that it holds
// whenever the condition does.
func BeginsWith(rule, condition string) bool {
	withoutSpace := strings.NewReplacer(" ", "", "\n", "", "\t", "").Replace
	if !strings.HasPrefix(withoutSpace(rule), withoutSpace(condition)+"||") {
		return false
	}
	if !strings.Contains(rule, "?") {
		return true // without parsing, which takes long
	}
	p, ok := Parse(rule)
	return ok && !p.isConditional()
}

// isConditional reports whether the rule is one of the form a ? b : c.
func (p *Parsed) isConditional() bool {
	root := p.tree.Expr()
	return root.Kind() == ast.CallKind && root.AsCall().FunctionName() == operators.Conditional
}

// immutableField returns the names of the field if the rule has the form self.a.b ==
// oldSelf.a.b, or nil.
func (p *Parsed) immutableField() []string {
	root := p.tree.Expr()
	chains := p.Chains()
	if root.Kind() != ast.CallKind || root.AsCall().FunctionName() != operators.Equals || len(chains) != 2 || len(p.nodes(ast.IdentKind)) != 2 {
		return nil
	}
	for _, argument := range root.AsCall().Args() {
		if argument.Kind() != ast.SelectKind || argument.AsSelect().IsTestOnly() {
			return nil
		}
	}
	if chains[0].Root == chains[1].Root || !slices.Equal(chains[0].Names, chains[1].Names) {
		return nil
	}
	return chains[0].Names
}

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
func (p *Parsed) IsPropositional(fields Fields) bool {
	_, ok := fields.proposition(p.tree.Expr())
	return ok
}

// proposition returns what an expression is, if that is always the same, or nil, and whether
// it asks no more than [Parsed.IsPropositional] says.
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
		other, isSize := args[1-i], false
		if other.Kind() == ast.CallKind && other.AsCall().FunctionName() == "size" {
			isSize = true
			if call := other.AsCall(); call.IsMemberFunction() {
				other = call.Target()
			} else {
				other = call.Args()[0]
			}
		}
		names, below := namesBelowSelf(other)
		return below && f.Compares(names, isSize)
	}
	return false
}

// namesBelowSelf returns the names of what an expression selects below self.
func namesBelowSelf(e ast.Expr) (names []string, ok bool) {
	for e.Kind() == ast.SelectKind {
		names = append(names, e.AsSelect().FieldName())
		e = e.AsSelect().Operand()
	}
	slices.Reverse(names)
	return names, e.Kind() == ast.IdentKind && e.AsIdent() == "self"
}

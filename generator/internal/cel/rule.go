// Package cel reads rules and builds expressions for new ones. It reads the fields that a rule selects on self and
// oldSelf, and draws conclusions that hold for every schema, such as which rule remains for a part of an object.
package cel

import (
	"cmp"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// A Rule is the syntax tree of a rule.
type Rule struct {
	text string
	// tree is the parsed text. plain is its plainer form, which most questions are answered from, see [plain].
	tree, plain *ast.AST
}

// grammar returns the environment that the API server parses rules with.
func grammar() *cel.Env {
	return environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).NewExpressionsEnv()
}

// Parse parses a rule. It returns false if the rule isn't valid CEL, which the API server's
// validation reports.
func Parse(rule string) (*Rule, bool) {
	parsed, issues := grammar().Parse(rule)
	if issues.Err() != nil {
		return nil, false
	}
	tree := parsed.NativeRep()
	return &Rule{rule, tree, plain(rule, tree)}, true
}

// A Chain is a chain of field selections on self or oldSelf.
type Chain struct {
	Root string
	// Names are the names of properties. Written are the same names as they are written in the rule.
	Names, Written []string
	// Tested is set if the last selection is in has(), or is optional.
	Tested bool
}

// Unset returns the condition that the first n names of the chain lead to an unset field, provided that the object
// around it is set.
func (c Chain) Unset(n int) Expr {
	at := Var(c.Root)
	for _, name := range c.Written[:n] {
		at = at.selected(name)
	}
	return Not(at.Has())
}

// Add adds a name to a chain, as it is written in a rule.
func (c *Chain) Add(name string) {
	property, ok := apiservercel.Unescape(name)
	if !ok {
		property = name // no property is written like this: the name stands for itself
	}
	c.Written, c.Names = append(c.Written, name), append(c.Names, property)
}

// Chains returns the longest chains of selections in a rule, in source order.
func (r *Rule) Chains() []Chain {
	var chains []Chain
	for _, e := range r.Nodes(ast.IdentKind) {
		if IsSelf(e.AsIdent()) {
			c, _ := chainOf(e)
			chains = append(chains, c)
		}
	}
	return chains
}

// chainOf returns the chain of selections that begins at a variable, and the expression that ends it: the last selection
// if it tests the field, or else the expression around the chain. The expression is nil at the root.
func chainOf(e ast.NavigableExpr) (Chain, ast.NavigableExpr) {
	c := Chain{Root: e.AsIdent()}
	parent, ok := e.Parent()
	for ; ok; parent, ok = parent.Parent() {
		_, name, isSelection := Selection(parent)
		if !isSelection {
			return c, parent
		}
		c.Add(name)
		if c.Tested = parent.Kind() == ast.CallKind || isTest(parent); c.Tested {
			return c, parent
		}
	}
	return c, nil
}

// Expr returns the expression of the rule, in its plainer form.
func (r *Rule) Expr() ast.Expr { return r.plain.Expr() }

// ChainTo returns an expression as a chain of plain selections. The last one may be in has().
func ChainTo(e ast.Expr) (Chain, bool) {
	c, form, ok := formOf(e)
	return c, ok && form == ""
}

// formOf returns an expression as a chain of selections, and the form of the selections, which is "" for plain ones. It
// also accepts optional selections that hasValue() tests.
func formOf(e ast.Expr) (c Chain, form string, ok bool) {
	c.Tested = isTest(e)
	if IsCall(e, "hasValue", 0) && e.AsCall().IsMemberFunction() {
		c.Tested, form, e = true, "hasValue", e.AsCall().Target()
	}
	var names []string
	for of, name, ok := Selection(e); ok && (len(names) == 0 || !isTest(e)); of, name, ok = Selection(e) {
		if e.Kind() == ast.CallKind {
			form += "?"
		}
		form += "."
		names = append(names, name)
		e = of
	}
	if e.Kind() != ast.IdentKind || !IsSelf(e.AsIdent()) {
		return Chain{}, "", false
	}
	c.Root = e.AsIdent()
	for _, name := range slices.Backward(names) {
		c.Add(name)
	}
	return c, strings.TrimRight(form, "."), true
}

// Selection returns the name in a selection such as self.a, has(self.a) or self.?a, and the expression it selects from.
func Selection(e ast.Expr) (of ast.Expr, name string, isSelection bool) {
	switch {
	case e.Kind() == ast.SelectKind:
		return e.AsSelect().Operand(), e.AsSelect().FieldName(), true
	case IsCall(e, operators.OptSelect, 2):
		name, isString := e.AsCall().Args()[1].AsLiteral().(types.String)
		return e.AsCall().Args()[0], string(name), isString
	}
	return nil, "", false
}

// IsCall reports whether an expression calls a function with a number of arguments.
func IsCall(e ast.Expr, function string, arguments int) bool {
	return e.Kind() == ast.CallKind && e.AsCall().FunctionName() == function && len(e.AsCall().Args()) == arguments
}

// isTest reports whether an expression is a call of has().
func isTest(e ast.Expr) bool { return e.Kind() == ast.SelectKind && e.AsSelect().IsTestOnly() }

// Literals returns the distinct literals in a rule, in source order: string, int64, float64
// and bool.
func (r *Rule) Literals() []any {
	var literals []any
	for _, e := range r.Nodes(ast.LiteralKind) {
		switch value := e.AsLiteral().Value().(type) {
		case string, int64, float64, bool:
			if !slices.Contains(literals, any(value)) {
				literals = append(literals, value)
			}
		}
	}
	return literals
}

// IsSelf reports whether a name is the variable for the new or the old value.
func IsSelf(name string) bool { return name == "self" || name == "oldSelf" }

// Nodes returns the expressions of a kind, in source order.
func (r *Rule) Nodes(kind ast.ExprKind) []ast.NavigableExpr {
	found := ast.MatchDescendants(ast.NavigateAST(r.plain), ast.KindMatcher(kind))
	slices.SortStableFunc(found, func(a, b ast.NavigableExpr) int { return cmp.Compare(r.offset(a), r.offset(b)) })
	return found
}

// offset returns where an expression begins, in characters.
func (r *Rule) offset(e ast.Expr) int {
	at, _ := r.tree.SourceInfo().GetOffsetRange(e.ID())
	return int(at.Start)
}

// moved rewrites the rule for an object further out, from which names lead to the rule's own object.
func (r *Rule) moved(names []string) string {
	text := []rune(r.text)
	var b strings.Builder
	end := 0
	for _, e := range r.Nodes(ast.IdentKind) {
		if root, start := e.AsIdent(), r.offset(e); IsSelf(root) && start >= end { // plain repeats parts of the text
			b.WriteString(string(text[end:start]) + Var(root).Field(names...).String())
			end = start + len(root)
		}
	}
	return b.String() + string(text[end:])
}

// Unless returns a rule that holds if one of the conditions or the parsed rule holds. Names lead from the object of the
// new rule to the object of the parsed one.
func (r *Rule) Unless(conditions []Expr, names ...string) string {
	rule := r.moved(names)
	if r.isConditional() {
		rule = "(" + rule + ")"
	}
	var parts []string
	for _, c := range conditions {
		parts = append(parts, c.within(levels["||"]))
	}
	return strings.Join(append(parts, rule), " || ")
}

// isConditional reports whether the rule has the form a ? b : c.
func (r *Rule) isConditional() bool { return IsCall(r.tree.Expr(), operators.Conditional, 3) }

// ImmutableField returns the names of the field if the rule has the form self.a.b ==
// oldSelf.a.b, or nil.
func (r *Rule) ImmutableField() []string {
	root, chains := r.plain.Expr(), r.Chains()
	if !IsCall(root, operators.Equals, 2) || len(chains) != 2 || len(r.Nodes(ast.IdentKind)) != 2 {
		return nil
	}
	for _, argument := range root.AsCall().Args() {
		// has(self.a) == has(oldSelf.a) compares only whether the field is set
		if argument.Kind() != ast.SelectKind || argument.AsSelect().IsTestOnly() {
			return nil
		}
	}
	if chains[0].Root == chains[1].Root || !slices.Equal(chains[0].Names, chains[1].Names) {
		return nil
	}
	return chains[0].Names
}

// ReadsUnset reports whether the rule reads a field and never tests whether it is set. A rule
// that does both is assumed to do so in the right order.
func (r *Rule) ReadsUnset(names []string) bool {
	return slices.ContainsFunc(r.Chains(), func(c Chain) bool {
		reads := len(c.Names) > len(names) || len(c.Names) == len(names) && !c.Tested
		return reads && slices.Equal(c.Names[:len(names)], names) && !r.Tests(c.Root, names)
	})
}

// Tests reports whether the rule tests whether a field is set.
func (r *Rule) Tests(root string, names []string) bool {
	return slices.ContainsFunc(r.Chains(), func(c Chain) bool {
		return c.Tested && c.Root == root && slices.Equal(c.Names, names)
	})
}

// IsAboutUpdates reports whether a rule compares with the old value.
func IsAboutUpdates(text string) bool {
	r, ok := Parse(text)
	return ok && r.IsAboutUpdates()
}

// IsAboutUpdates reports whether the rule compares with the old value.
func (r *Rule) IsAboutUpdates() bool {
	return slices.ContainsFunc(r.Nodes(ast.IdentKind), func(e ast.NavigableExpr) bool { return e.AsIdent() == "oldSelf" })
}

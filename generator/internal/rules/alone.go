package rules

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// Alone returns the rule for a part of the object, whose other fields may be elsewhere: it asks
// something only if all that it reads is set. The rule is "" if nothing is left to ask of a part.
// Alone returns false if a part can't be judged: if it lacks a field that the rule reads, or if
// the rule looks into a value that may be a part itself. Field reports whether parts have a field,
// and whether its value is whole.
func (p *Parsed) Alone(field func(names []string) (known, whole bool)) (rule string, ok bool) {
	var unset []string
	all := map[string]any{}
	asks := false
	idents := p.nodes(ast.IdentKind)
	if slices.ContainsFunc(idents, func(e ast.NavigableExpr) bool { return e.AsIdent() == "oldSelf" }) {
		return "", true // parts may change
	}
	for _, e := range idents {
		if e.AsIdent() != "self" {
			continue
		}
		c, parent := chainOf(e)
		known, whole := field(c.Names)
		isTest := c.Tested && parent.Kind() == ast.SelectKind
		isSize := parent != nil && (isCall(parent, "size", 0) || isCall(parent, "size", 1))
		if !known || !isTest && !isSize && !whole {
			return "", false
		}
		asks = asks || !isTest
		set(all, c.Names)
		for i := range c.Names {
			condition := "!has(" + c.Root + "." + strings.Join(c.Names[:i+1], ".") + ")"
			if !slices.Contains(unset, condition) {
				unset = append(unset, condition)
			}
		}
	}
	if !asks && p.holds(all) {
		return "", true
	}
	alternatives := disjuncts(p.tree.Expr())
	unset = slices.DeleteFunc(unset, func(condition string) bool { return slices.Contains(alternatives, condition) })
	return p.Unless(unset), true
}

// set sets a field of an object to an object.
func set(object map[string]any, names []string) {
	for _, name := range names {
		below, _ := object[name].(map[string]any)
		if below == nil {
			below = map[string]any{}
			object[name] = below
		}
		object = below
	}
}

// holds reports whether the rule holds for an object. It only is asked of rules that test what is
// set.
func (p *Parsed) holds(self map[string]any) bool {
	env, err := environment()
	if err != nil {
		return false
	}
	tree, _ := env.Parse(p.text)
	program, err := env.Program(tree)
	if err != nil {
		return false
	}
	value, _, err := program.Eval(map[string]any{"self": self})
	return err == nil && value == types.True
}

// disjuncts returns those of the alternatives of a rule that are of the form !has(self.a).
func disjuncts(e ast.Expr) []string {
	switch {
	case isCall(e, operators.LogicalOr, 2):
		return append(disjuncts(e.AsCall().Args()[0]), disjuncts(e.AsCall().Args()[1])...)
	case isCall(e, operators.LogicalNot, 1):
		return unlessAll(e.AsCall().Args()[0])
	}
	return nil
}

// unlessAll returns the same for the negation of conditions that must all hold.
func unlessAll(e ast.Expr) []string {
	if isCall(e, operators.LogicalAnd, 2) {
		return append(unlessAll(e.AsCall().Args()[0]), unlessAll(e.AsCall().Args()[1])...)
	}
	if names, ok := namesBelowSelf(e); ok && e.Kind() == ast.SelectKind && e.AsSelect().IsTestOnly() {
		return []string{"!has(self." + strings.Join(names, ".") + ")"}
	}
	return nil
}

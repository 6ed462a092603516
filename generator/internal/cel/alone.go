package cel

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// Alone returns a rule for a part of the object, whose other fields may be elsewhere: it applies only if all fields that
// the rule reads are set. The returned rule is "" if a part leaves nothing to check.
//
// Alone returns false if a part can't be judged: it lacks a field that the rule reads, or the rule looks into a value
// that may itself be a part, or into an optional that isn't in its plainer form a condition. Field reports whether parts
// have a field, and whether its value is whole.
func (r *Rule) Alone(field func(names []string) (known, whole bool)) (rule string, ok bool) {
	var unset []Expr
	all := map[string]any{}
	asks := false
	if r.IsAboutUpdates() {
		return "", true // parts may change
	}
	for _, e := range r.Nodes(ast.IdentKind) {
		if e.AsIdent() != "self" {
			continue
		}
		c, parent := chainOf(e)
		known, whole := field(c.Names)
		isSize := parent != nil && (IsCall(parent, "size", 0) || IsCall(parent, "size", 1))
		isOptional := c.Tested && !isTest(parent)
		isPart := !c.Tested && !isSize && !whole
		if !known || isOptional || isPart {
			return "", false
		}
		asks = asks || !c.Tested
		set(all, c.Written)
		for i := range c.Names {
			if condition := c.Unset(i + 1); !slices.ContainsFunc(unset, condition.Equals) {
				unset = append(unset, condition)
			}
		}
	}
	// If a rule that only tests fields holds with all of them set, it fails only for missing fields, which may be
	// elsewhere.
	if !asks && r.holds(all) {
		return "", true
	}
	alternatives := disjuncts(r.plain.Expr())
	// The rule itself may already begin with !has(self.a).
	unset = slices.DeleteFunc(unset, func(condition Expr) bool { return slices.ContainsFunc(alternatives, condition.Equals) })
	return r.Unless(unset), true
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

// holds reports whether the rule holds for an object. Only rules that test which fields are set get here.
func (r *Rule) holds(self map[string]any) bool {
	env := grammar()
	tree, _ := env.Parse(r.text)
	program, err := env.Program(tree)
	if err != nil {
		return false
	}
	value, _, err := program.Eval(map[string]any{"self": self})
	return err == nil && value == types.True
}

// disjuncts returns the alternatives of a rule that have the form !has(self.a).
func disjuncts(e ast.Expr) []Expr {
	switch {
	case IsCall(e, operators.LogicalOr, 2):
		return append(disjuncts(e.AsCall().Args()[0]), disjuncts(e.AsCall().Args()[1])...)
	case IsCall(e, operators.LogicalNot, 1):
		return unlessAll(e.AsCall().Args()[0]) // !(has(self.a) && has(self.b)) has two
	}
	return nil
}

// unlessAll returns the alternatives of the negation of conditions that must all hold.
func unlessAll(e ast.Expr) []Expr {
	if IsCall(e, operators.LogicalAnd, 2) {
		return append(unlessAll(e.AsCall().Args()[0]), unlessAll(e.AsCall().Args()[1])...)
	}
	if c, ok := ChainTo(e); ok && c.Tested {
		return []Expr{c.Unset(len(c.Names))}
	}
	return nil
}

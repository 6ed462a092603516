// Package transitions tells which changes of a field an author's rule allows.
package transitions

import (
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	rules "github.com/mrgen-io/mrgen/generator/internal/cel"
)

// A Transition is an author's rule that keeps one field as it is. It depends only on whether the field is set, is empty,
// and equals its old value.
type Transition struct {
	// Names lead to the field from the object that holds the rule. They are empty if the rule is on the field itself.
	Names []string

	written  []string // Names as the rule has them
	program  cel.Program
	optional bool // oldSelf is optional
	// values are one that is empty, and some that aren't.
	values []any
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

// environment declares the variables of rules, of any type.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	return cel.NewEnv(cel.OptionalTypes(), cel.Variable("self", cel.DynType), cel.Variable("oldSelf", cel.DynType))
})

// Of returns a rule as a transition of one field: it allows the old value, and refuses another one. It returns false if
// the rule depends on anything else. Optional is the rule's optionalOldSelf.
func Of(rule string, optional bool) (*Transition, bool) {
	r, ok := rules.Parse(rule)
	if !ok || !r.IsAboutUpdates() || !isSimple(r) {
		return nil, false
	}
	t := &Transition{optional: optional}
	for _, e := range r.Nodes(ast.IdentKind) {
		chain := chainOf(e)
		if len(chain.Names) > len(t.Names) { // a test of an object around the field is about a shorter chain
			t.Names, t.written, chain.Names = chain.Names, chain.Written, t.Names
		}
		if !rules.IsSelf(e.AsIdent()) || !slices.Equal(chain.Names, t.Names[:len(chain.Names)]) {
			return nil, false
		}
	}
	env, err := environment()
	if err != nil {
		return nil, false
	}
	checked, issues := env.Compile(rule)
	if issues.Err() != nil {
		return nil, false
	}
	if t.program, err = env.Program(checked); err != nil || !t.isUniform(samples(r)) {
		return nil, false
	}
	one, another := State{len(t.Names), One}, State{len(t.Names), Another}
	return t, t.Allows(one, one) && !t.Allows(one, another)
}

// functions are the functions whose results may depend on nothing but the states.
var functions = []string{
	operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Conditional, operators.Equals, operators.NotEquals,
	operators.Greater, operators.OptSelect, "size", "hasValue", "value", "orValue",
}

// isSimple reports whether a rule has nothing but fields, those functions, and empty literals.
func isSimple(r *rules.Rule) bool {
	isOther := func(e ast.NavigableExpr) bool {
		switch e.Kind() {
		case ast.CallKind:
			return !slices.Contains(functions, e.AsCall().FunctionName())
		case ast.ListKind:
			return e.AsList().Size() > 0
		case ast.MapKind:
			return e.AsMap().Size() > 0
		case ast.LiteralKind:
			parent, _ := e.Parent()
			_, _, isName := rules.Selection(parent)
			return !isName && !slices.Contains([]any{"", int64(0), 0.0, true, false}, e.AsLiteral().Value())
		}
		return true // a comprehension or a struct
	}
	kinds := []ast.ExprKind{ast.CallKind, ast.ListKind, ast.MapKind, ast.LiteralKind, ast.ComprehensionKind, ast.StructKind}
	return !slices.ContainsFunc(kinds, func(kind ast.ExprKind) bool { return slices.ContainsFunc(r.Nodes(kind), isOther) })
}

// samples returns values of the types that the rule's literals fit, the empty one first.
func samples(r *rules.Rule) [][]any {
	takesSize := slices.ContainsFunc(r.Nodes(ast.CallKind), func(e ast.NavigableExpr) bool { return e.AsCall().FunctionName() == "size" })
	literals := r.Literals()
	values := []any{"", "a", "b", "ab"}
	switch {
	case len(r.Nodes(ast.ListKind)) > 0:
		values = []any{[]string{}, []string{"a"}, []string{"b"}, []string{"a", "b"}}
	case len(r.Nodes(ast.MapKind)) > 0:
		values = []any{map[string]string{}, map[string]string{"a": "a"}, map[string]string{"a": "b"}, map[string]string{"a": "a", "b": "a"}}
	case slices.Contains(literals, any(0.0)), slices.Contains(literals, any(int64(0))) && !takesSize:
		values = []any{0, 1, 2, -1, -2} // 0.0 equals 0
	}
	if slices.ContainsFunc(r.Nodes(ast.LiteralKind), comparesBool) {
		return [][]any{{false, true}, values} // with the field, or with a comparison
	}
	return [][]any{values}
}

// comparesBool reports whether a literal is a boolean that the rule compares with something.
func comparesBool(literal ast.NavigableExpr) bool {
	parent, _ := literal.Parent()
	_, isBool := literal.AsLiteral().Value().(bool)
	return isBool && (rules.IsCall(parent, operators.Equals, 2) || rules.IsCall(parent, operators.NotEquals, 2))
}

// chainOf returns the names that a rule selects on self or oldSelf, which e is.
func chainOf(e ast.NavigableExpr) (c rules.Chain) {
	for parent, ok := e.Parent(); ok; parent, ok = parent.Parent() {
		if _, name, isSelection := rules.Selection(parent); isSelection {
			c.Add(name)
		} else if !rules.IsCall(parent, "value", 0) { // value() of an optional stays on the chain
			break
		}
	}
	return c
}

// isUniform reports whether the result is the same for all values with the same states, also if other fields differ.
func (t *Transition) isUniform(samples [][]any) bool {
	type change struct {
		from, to int // depths; the last one plus 1 if the field isn't empty
		equal    bool
	}
	results, depth := map[change]bool{}, len(t.Names)
	for _, t.values = range samples {
		for from := -1; from < depth+len(t.values); from++ {
			if from < 0 && !t.optional {
				continue // the rule isn't asked when the object is created
			}
			for to := range depth + len(t.values) {
				for _, beside := range [][2]int{{}, {1, 1}, {1, 2}} {
					c := change{min(from, depth+1), min(to, depth+1), from == to}
					holds, known := t.evaluate(t.object(from, beside[0]), t.object(to, beside[1]), from < 0)
					before, isRepeated := results[c]
					if results[c] = holds; !known || isRepeated && holds != before {
						return false
					}
				}
			}
		}
	}
	return true
}

// object returns the object that holds the rule, with some names set, or all and one of the values. Each struct
// has a field beside the named one unless that is 0.
func (t *Transition) object(state, beside int) any {
	depth := min(state, len(t.written))
	var value any = map[string]any{}
	if depth >= 0 && depth == len(t.written) {
		value = t.values[state-depth]
	}
	for i := len(t.written) - 1; i >= 0; i-- {
		fields := map[string]any{}
		if beside > 0 {
			fields[t.written[i]+"_beside"] = beside
		}
		if i < depth {
			fields[t.written[i]] = value
		}
		value = fields
	}
	return value
}

// Allows reports whether the rule allows the field to change from one state to another.
func (t *Transition) Allows(from, to State) bool {
	// Like the API server, it doesn't apply a rule that has nothing to compare with.
	if to.Depth < 0 || from.Depth < 0 && !t.optional {
		return true
	}
	holds, _ := t.evaluate(t.object(from.Depth+int(from.Content), 0), t.object(to.Depth+int(to.Content), 0), from.Depth < 0)
	return holds
}

// evaluate returns whether the rule holds, and whether that can be known without the fields' types. A rule that fails
// with an error, such as a missing key, doesn't hold.
func (t *Transition) evaluate(old, now any, isNew bool) (holds, known bool) {
	switch {
	case t.optional && isNew:
		old = types.OptionalNone
	case t.optional:
		old = types.OptionalOf(types.DefaultTypeAdapter.NativeToValue(old))
	}
	result, _, err := t.program.Eval(map[string]any{"self": now, "oldSelf": old})
	if err != nil {
		return false, !strings.Contains(err.Error(), "no such overload")
	}
	holds, known = result.Value().(bool)
	return holds, known
}

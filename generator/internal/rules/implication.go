package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"k8s.io/apiserver/pkg/cel"
)

// A Placed is a rule in a schema.
type Placed struct {
	*Parsed
	// At has the names of the properties that lead to the object of the rule, from one that all
	// rules in question have in common.
	At []string
}

// Facts tell what a schema says of the fields that rules read, by the names of properties.
type Facts struct {
	// Always reports whether a field is there wherever what is around it is.
	Always func(names []string) bool
	// Type returns the type of a field, "" if values may be of several.
	Type func(names []string) string
}

// maxSteps bounds the search of [Implies], and maxPremises the rules that it takes into account.
const (
	maxSteps    = 20_000
	maxPremises = 6
)

// Implies reports whether what satisfies some rules satisfies another one, too, by their text: what
// a rule compares and calls may be true or false, or fail, and no such choice has the other rule
// alone not hold. It knows what a missing field does to rules, how numbers compare with others, and
// that equal objects have equal fields. It may report false although one rule follows from others.
func Implies(premises []Placed, conclusion Placed, facts Facts) bool {
	c := &claims{facts: facts, index: map[string]int{}}
	wanted := c.placed(conclusion)
	known := len(c.all)
	// A rule about updates isn't asked when an object is created.
	relevant := slices.DeleteFunc(slices.Clone(premises), func(p Placed) bool { return p.isAboutUpdates() && !conclusion.isAboutUpdates() })
	shared := map[*Parsed]int{}
	for _, p := range relevant {
		own := &claims{facts: facts, index: map[string]int{}}
		own.placed(p)
		for _, claim := range own.all {
			if i, ok := c.index[claim.key]; ok && i < known {
				shared[p.Parsed]++
			} else if c.concerns(claim) {
				shared[p.Parsed]++
			}
		}
	}
	slices.SortStableFunc(relevant, func(a, b Placed) int { return cmp.Compare(shared[b.Parsed], shared[a.Parsed]) })
	var given []formula
	for _, p := range relevant[:min(len(relevant), maxPremises)] {
		if shared[p.Parsed] > 0 {
			given = append(given, c.placed(p))
		}
	}
	refutation := &refutation{claims: c, given: given, wanted: wanted, values: make([]truth, len(c.all))}
	return !refutation.exists(0)
}

// A truth is what a condition comes to.
type truth uint8

const (
	// unknown is not decided yet.
	unknown truth = iota
	yes
	no
	// fails is an error of CEL, such as "no such key".
	fails
)

func truthOf(holds bool) truth {
	if holds {
		return yes
	}
	return no
}

// A formula is a condition about claims.
type formula func(values []truth) truth

// A claim is a condition that isn't made of others: that a field is there, that two values are
// equal, that one is less than another, or what a call returns.
type claim struct {
	key  string
	kind claimKind
	// field is the field that is there, or that the claim compares. Other is what it is
	// compared with, if that is a field, too.
	field, other *place
	// text and number are the literal that the field is compared with. Size is set if its size
	// is. Inclusive tells "at most" from "less than".
	text            string
	number          float64
	size, inclusive bool
}

type claimKind uint8

const (
	// called is what any other expression comes to, which may fail.
	called claimKind = iota
	// present says that a field is there, if what is around it is.
	present
	// isSame says that a field equals another one.
	isSame
	// isText says that a field equals a text, and isNumber that it, or its size, is a number.
	isText
	isNumber
	// isBelow says that a field, or its size, is less than a number.
	isBelow
)

// A place is a field below self or oldSelf.
type place struct {
	root  string
	names []string
}

func (p place) String() string { return strings.Join(append([]string{p.root}, p.names...), "\x00") }

// after returns the names that lead to p from another place.
func (p place) after(around place) ([]string, bool) {
	if p.root != around.root || len(p.names) < len(around.names) || !slices.Equal(p.names[:len(around.names)], around.names) {
		return nil, false
	}
	return p.names[len(around.names):], true
}

// isAboutUpdates reports whether a rule compares with what was.
func (p *Parsed) isAboutUpdates() bool {
	return slices.ContainsFunc(p.nodes(ast.IdentKind), func(e ast.NavigableExpr) bool { return e.AsIdent() == "oldSelf" })
}

// Claims are those of some rules.
type claims struct {
	facts Facts
	all   []claim
	index map[string]int
	// at leads to the object of the rule that is read.
	at []string
}

// add returns the number of a claim.
func (c *claims) add(new claim) int {
	new.key = fmt.Sprintf("%d %t %t %g %q %s %s %s", new.kind, new.size, new.inclusive, new.number, new.text, new.field, new.other, new.key)
	i, known := c.index[new.key]
	if !known {
		i = len(c.all)
		c.index[new.key] = i
		c.all = append(c.all, new)
	}
	return i
}

// concerns reports whether a claim is about the fields of one of c's.
func (c *claims) concerns(other claim) bool {
	return other.kind != present && other.field != nil && slices.ContainsFunc(c.all, func(own claim) bool {
		if own.kind == present || own.field == nil {
			return false
		}
		_, inOther := own.field.after(*other.field)
		_, inOwn := other.field.after(*own.field)
		return inOther || inOwn
	})
}

// placed returns the formula of a rule that is asked wherever its object is there.
func (c *claims) placed(p Placed) formula {
	c.at = p.At
	asked := []formula{c.there(place{"self", p.At})}
	if p.isAboutUpdates() {
		asked = append(asked, c.there(place{"oldSelf", p.At}))
	}
	rule := c.formula(p.tree.Expr())
	return func(values []truth) truth {
		for _, isThere := range asked {
			if t := isThere(values); t != yes {
				return negated(t)
			}
		}
		return rule(values)
	}
}

func negated(t truth) truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	default:
		return t
	}
}

// there returns the formula that a field and all around it are there.
func (c *claims) there(p place) formula {
	var all []int
	for i := range p.names {
		if !c.facts.Always(p.names[:i+1]) {
			all = append(all, c.add(claim{kind: present, field: &place{p.root, p.names[:i+1]}}))
		}
	}
	return func(values []truth) truth {
		for _, i := range all {
			if values[i] != yes {
				return values[i]
			}
		}
		return yes
	}
}

// formula returns the formula of an expression.
func (c *claims) formula(e ast.Expr) formula {
	switch e.Kind() {
	case ast.LiteralKind:
		if value, isBool := e.AsLiteral().Value().(bool); isBool {
			return func([]truth) truth { return truthOf(value) }
		}
	case ast.SelectKind, ast.IdentKind:
		at, ok := c.place(e)
		switch {
		case ok && e.Kind() == ast.SelectKind && e.AsSelect().IsTestOnly():
			around, field := c.there(place{at.root, at.names[:len(at.names)-1]}), c.there(at)
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
	i := c.add(claim{kind: called, key: c.key(e, nil)})
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
	return e.Kind() == ast.SelectKind && e.AsSelect().IsTestOnly() || e.Kind() == ast.CallKind && slices.Contains(conditional, e.AsCall().FunctionName())
}

// equal returns the formula that two expressions are equal, or nil.
func (c *claims) equal(a, b ast.Expr) formula {
	first, isFirst := c.place(a)
	second, isSecond := c.place(b)
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
func (c *claims) measured(e ast.Expr) (at place, size, ok bool) {
	if at, ok = c.place(e); ok {
		t := c.facts.Type(at.names)
		return at, false, t == "integer" || t == "number"
	}
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != "size" {
		return place{}, false, false
	}
	call := e.AsCall()
	of := call.Target()
	if !call.IsMemberFunction() {
		of = call.Args()[0]
	}
	at, ok = c.place(of)
	t := c.facts.Type(at.names)
	return at, true, ok && (t == "string" || t == "array" || t == "object")
}

// place returns the field that an expression selects, if all on the way are plain selections.
func (c *claims) place(e ast.Expr) (place, bool) {
	var names []string
	for isTest := true; e.Kind() == ast.SelectKind; isTest = false {
		if e.AsSelect().IsTestOnly() && !isTest {
			return place{}, false
		}
		name := e.AsSelect().FieldName()
		if unescaped, ok := cel.Unescape(name); ok {
			name = unescaped
		}
		names = append(names, name)
		e = e.AsSelect().Operand()
	}
	if e.Kind() != ast.IdentKind || !isSelf(e.AsIdent()) {
		return place{}, false
	}
	slices.Reverse(names)
	return place{e.AsIdent(), slices.Concat(c.at, names)}, true
}

// key returns a text that expressions have in common which always come to the same, wherever their
// rules stand. Variables of comprehensions are named by their depth.
func (c *claims) key(e ast.Expr, variables []string) string {
	each := func(all []ast.Expr) []string {
		var keys []string
		for _, e := range all {
			keys = append(keys, c.key(e, variables))
		}
		return keys
	}
	written := func(parts ...any) string { return fmt.Sprintf("%q", parts) }
	switch e.Kind() {
	case ast.LiteralKind:
		return written("literal", fmt.Sprintf("%T %v", e.AsLiteral(), e.AsLiteral().Value()))
	case ast.IdentKind:
		if i := lastIndex(variables, e.AsIdent()); i >= 0 {
			return written("variable", fmt.Sprint(i))
		}
		if isSelf(e.AsIdent()) {
			return written("field", place{e.AsIdent(), c.at}.String())
		}
		return written("name", e.AsIdent())
	case ast.SelectKind:
		if at, ok := c.place(e); ok && !e.AsSelect().IsTestOnly() && lastIndex(variables, at.root) < 0 {
			return written("field", at.String())
		}
		return written("select", fmt.Sprint(e.AsSelect().IsTestOnly()), c.key(e.AsSelect().Operand(), variables), e.AsSelect().FieldName())
	case ast.CallKind:
		call := e.AsCall()
		args := each(call.Args())
		if call.IsMemberFunction() {
			args = append([]string{c.key(call.Target(), variables)}, args...)
		}
		switch call.FunctionName() {
		case operators.LogicalAnd, operators.LogicalOr, operators.Equals, operators.NotEquals:
			slices.Sort(args)
		}
		return written("call", call.FunctionName(), args)
	case ast.ListKind:
		return written("list", each(e.AsList().Elements()), fmt.Sprint(e.AsList().OptionalIndices()))
	case ast.ComprehensionKind:
		loop := e.AsComprehension()
		inner := append(slices.Clip(variables), loop.IterVar(), loop.IterVar2(), loop.AccuVar())
		return written("comprehension", c.key(loop.IterRange(), variables), c.key(loop.AccuInit(), variables),
			c.key(loop.LoopCondition(), inner), c.key(loop.LoopStep(), inner), c.key(loop.Result(), inner))
	default:
		return written("expression", strings.Join(c.at, "."), fmt.Sprint(e.ID()), fmt.Sprintf("%p", e))
	}
}

// lastIndex returns where a variable is declared that a name stands for, or -1.
func lastIndex(variables []string, name string) int {
	for i, v := range slices.Backward(variables) {
		if v == name {
			return i
		}
	}
	return -1
}

// A refutation is a search for truths of claims with which rules hold, and another doesn't.
type refutation struct {
	claims *claims
	given  []formula
	wanted formula
	values []truth
	steps  int
}

// exists reports whether there are such truths, of which those of the first n claims are chosen. If
// it takes too long to tell, there may be.
func (r *refutation) exists(n int) bool {
	if r.steps++; r.steps > maxSteps {
		return true
	}
	for _, given := range r.given {
		if t := given(r.values); t == no || t == fails {
			return false
		}
	}
	if r.wanted(r.values) == yes {
		return false
	}
	if n == len(r.values) {
		return true
	}
	choices := []truth{yes, no}
	if r.claims.all[n].kind == called {
		choices = append(choices, fails)
	}
	for _, r.values[n] = range choices {
		if r.isConsistent(n) && r.exists(n+1) {
			return true
		}
	}
	r.values[n] = unknown
	return false
}

// isConsistent reports whether a claim may have its truth beside those before it.
func (r *refutation) isConsistent(n int) bool {
	for i := range n {
		if r.contradict(n, i) || r.contradict(i, n) {
			return false
		}
	}
	return true
}

// contradict reports whether two claims can't have their truths at once.
func (r *refutation) contradict(i, j int) bool {
	a, b := r.claims.all[i], r.claims.all[j]
	if a.field == nil || b.field == nil {
		return false
	}
	isSameField := a.size == b.size && a.field.String() == b.field.String()
	switch {
	case a.kind == isSame && r.values[i] == yes:
		return r.differs(a, b, r.values[j])
	case !isSameField:
		return false
	case a.kind == isText && b.kind == isText:
		return r.values[i] == yes && r.values[j] == yes && a.text != b.text
	case a.kind == isNumber && b.kind == isNumber:
		return r.values[i] == yes && r.values[j] == yes && a.number != b.number
	case a.kind == isNumber && b.kind == isBelow:
		holds := a.number < b.number || b.inclusive && a.number == b.number
		return r.values[i] == yes && r.values[j] != truthOf(holds)
	case a.kind == isBelow && b.kind == isBelow:
		isStronger := a.number < b.number || a.number == b.number && (!a.inclusive || b.inclusive)
		return isStronger && r.values[i] == yes && r.values[j] == no
	default:
		return false
	}
}

// differs reports whether a claim says of a field of an object something else than another claim
// does of the same field of an equal object, or that the two differ.
func (r *refutation) differs(same, about claim, t truth) bool {
	for _, side := range [2][2]*place{{same.field, same.other}, {same.other, same.field}} {
		names, ok := about.field.after(*side[0])
		if !ok {
			continue
		}
		counterpart := place{side[1].root, slices.Concat(side[1].names, names)}
		if about.kind == isSame {
			if about.other.String() == counterpart.String() && t == no {
				return true
			}
			continue
		}
		if len(names) == 0 && about.kind == present {
			continue
		}
		mirrored := about
		mirrored.field, mirrored.key = &counterpart, ""
		if i, known := r.claims.known(mirrored); known && r.values[i] != unknown && r.values[i] != t {
			return true
		}
	}
	return false
}

// known returns the number of a claim, if it is made.
func (c *claims) known(wanted claim) (int, bool) {
	i := slices.IndexFunc(c.all, func(other claim) bool {
		return other.kind == wanted.kind && other.field != nil && other.field.String() == wanted.field.String() &&
			other.text == wanted.text && other.number == wanted.number && other.size == wanted.size && other.inclusive == wanted.inclusive
	})
	return i, i >= 0
}

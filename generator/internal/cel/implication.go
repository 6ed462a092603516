package cel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A RuleAt is a rule at a path of a schema.
type RuleAt struct {
	*Rule
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
func Implies(premises []RuleAt, conclusion RuleAt, facts Facts) bool {
	c := &claims{facts: facts, index: map[string]int{}}
	wanted := c.rule(conclusion)
	// A rule about updates isn't asked when an object is created.
	relevant := slices.DeleteFunc(slices.Clone(premises), func(p RuleAt) bool { return p.IsAboutUpdates() && !conclusion.IsAboutUpdates() })
	shared := map[*Rule]int{}
	for _, p := range relevant {
		own := &claims{facts: facts, index: map[string]int{}}
		own.rule(p)
		for _, claim := range own.all {
			if _, known := c.index[claim.key]; known || c.concerns(claim) {
				shared[p.Rule]++
			}
		}
	}
	slices.SortStableFunc(relevant, func(a, b RuleAt) int { return cmp.Compare(shared[b.Rule], shared[a.Rule]) })
	var given []formula
	for _, p := range relevant[:min(len(relevant), maxPremises)] {
		if shared[p.Rule] > 0 {
			given = append(given, c.rule(p))
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
	field, other *fieldPath
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

// A fieldPath is the path of a field below self or oldSelf.
type fieldPath struct {
	root  string
	names []string
}

func (p fieldPath) String() string { return strings.Join(append([]string{p.root}, p.names...), "\x00") }

// after returns the names that lead to p from another path.
func (p fieldPath) after(around fieldPath) ([]string, bool) {
	if p.root != around.root || len(p.names) < len(around.names) || !slices.Equal(p.names[:len(around.names)], around.names) {
		return nil, false
	}
	return p.names[len(around.names):], true
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

// rule returns the formula of a rule that is asked wherever its object is there.
func (c *claims) rule(p RuleAt) formula {
	c.at = p.At
	asked := []formula{c.there(fieldPath{"self", p.At})}
	if p.IsAboutUpdates() {
		asked = append(asked, c.there(fieldPath{"oldSelf", p.At}))
	}
	rule := c.formula(p.plain.Expr())
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
func (c *claims) there(p fieldPath) formula {
	var all []int
	for i := range p.names {
		if !c.facts.Always(p.names[:i+1]) {
			all = append(all, c.add(claim{kind: present, field: &fieldPath{p.root, p.names[:i+1]}}))
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
	isSameField := a.field.String() == b.field.String()
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
	for _, side := range [2][2]*fieldPath{{same.field, same.other}, {same.other, same.field}} {
		names, ok := about.field.after(*side[0])
		if !ok {
			continue
		}
		counterpart := fieldPath{side[1].root, slices.Concat(side[1].names, names)}
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

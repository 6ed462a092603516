package cel

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	"github.com/mrgen-io/mrgen/generator/internal/budget"
)

// thingFacts tell of the fields of things, see [things].
var thingFacts = Facts{
	Always: func(names []string) bool {
		return slices.Contains([]string{"always", "o.k", "v", "v.k", "w", "w.k"}, strings.Join(names, "."))
	},
	Type: func(names []string) string {
		return map[string]string{"n": "integer", "m": "integer", "f": "number", "b": "boolean", "s": "string", "t": "string", "o": "object", "o.x": "string", "o.k": "integer", "p": "object", "p.x": "string", "p.k": "integer", "l": "array", "v": "object", "v.k": "integer", "w": "object", "w.k": "integer", "always": "integer"}[strings.Join(names, ".")]
	},
}

// things returns objects with each of the fields in each state that a rule here can tell, and the
// others unset.
func things(names ...string) []map[string]any {
	values := map[string][]any{
		"n": {int64(0), int64(1), int64(2), int64(3)}, "m": {int64(1), int64(2)}, "f": {0.0, 1.0, 1.5, 2.0}, "b": {true, false},
		"q": {"ab", int64(3)}, "s": {"", "p", "q"}, "t": {"p", "q"}, "l": {[]any{}, []any{"p"}, []any{"p", "q"}},
		"o": {map[string]any{"k": int64(1)}, map[string]any{"k": int64(2), "x": "p"}, map[string]any{"k": int64(2), "x": "q"}, map[string]any{"k": int64(1), "x": "p"}},
		"v": {map[string]any{"k": int64(1)}, map[string]any{"k": int64(2)}}, "w": {map[string]any{"k": int64(1)}, map[string]any{"k": int64(2)}},
		"p": {map[string]any{"k": int64(1)}, map[string]any{"k": int64(2), "x": "p"}, map[string]any{"x": "q"}},
	}
	all := []map[string]any{{"always": int64(1)}, {"always": int64(2)}}
	for _, name := range names {
		before := slices.Clone(all)
		if name == "v" || name == "w" {
			all = nil // they are always there
		}
		for _, object := range before {
			for _, value := range values[name] {
				with := maps.Clone(object)
				with[name] = value
				all = append(all, with)
			}
		}
	}
	return all
}

// A verdicts says what rules say of things, by CEL itself.
type verdicts struct {
	t   *testing.T
	env *cel.Env
}

func newVerdicts(t *testing.T) verdicts {
	t.Helper()
	env, err := cel.NewEnv(cel.OptionalTypes(), cel.CrossTypeNumericComparisons(true), cel.Variable("self", cel.DynType), cel.Variable("oldSelf", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	return verdicts{t, env}
}

// holds returns a function that reports whether a rule at a place accepts an object, or an update.
func (v verdicts) holds(p RuleAt) func(object, old map[string]any) bool {
	v.t.Helper()
	tree, issues := v.env.Parse(p.text)
	if issues.Err() != nil {
		v.t.Fatalf("%s: %v", p.text, issues.Err())
	}
	program, err := v.env.Program(tree)
	if err != nil {
		v.t.Fatal(err)
	}
	below := func(object map[string]any) any {
		var value any = object
		for _, name := range p.At {
			inner, isObject := value.(map[string]any)
			if !isObject {
				return nil
			}
			value = inner[name]
		}
		return value
	}
	return func(object, old map[string]any) bool {
		self, before := below(object), any(nil)
		if self == nil {
			return true
		}
		if p.IsAboutUpdates() {
			if old == nil {
				return true
			}
			if before = below(old); before == nil {
				return true
			}
		}
		result, _, err := program.Eval(map[string]any{"self": self, "oldSelf": before})
		return err == nil && result == types.True
	}
}

func placed(t *testing.T, rule string) RuleAt {
	t.Helper()
	at, text, found := strings.Cut(rule, ": ")
	if !found || strings.ContainsAny(at, " ?(") {
		at, text = "", rule
	}
	p, ok := Parse(text)
	if !ok {
		t.Fatalf("%s is no rule", text)
	}
	var names []string
	if at != "" {
		names = strings.Split(at, ".")
	}
	return RuleAt{p, names}
}

// refuted returns what the rules accept, and another one doesn't, among things with the fields that they
// read. It is "" if there is nothing.
func (v verdicts) refuted(given []RuleAt, wanted RuleAt) string {
	var names []string
	updates := wanted.IsAboutUpdates()
	for _, p := range append(slices.Clone(given), wanted) {
		for _, c := range p.Chains() {
			if all := append(slices.Clone(p.At), c.Names...); len(all) > 0 && !slices.Contains(names, all[0]) && all[0] != "always" {
				names = append(names, all[0])
			}
		}
	}
	objects := things(names...)
	olds := objects
	if !updates {
		olds = []map[string]any{nil}
	}
	accepts := v.holds(wanted)
	var premises []func(object, old map[string]any) bool
	for _, p := range given {
		premises = append(premises, v.holds(p))
	}
	for _, object := range objects {
		for _, old := range olds {
			if !accepts(object, old) && !slices.ContainsFunc(premises, func(holds func(object, old map[string]any) bool) bool { return !holds(object, old) }) {
				return fmt.Sprint(old, " to ", object)
			}
		}
	}
	return ""
}

// TestImplies holds which rules follow from which. CEL itself tries all things: what is said to follow
// does, and what doesn't is refuted by a thing.
func TestImplies(t *testing.T) {
	v := newVerdicts(t)
	for _, test := range []struct {
		given, wanted string
		// isImplied is what is said, and isOpen is set if more is true than is said.
		isImplied, isOpen bool
	}{
		{"true", "true", true, false},
		{"false", "has(self.n)", false, true}, // premises that nothing has in common with aren't asked
		{"has(self.n)", "has(self.n)", true, false},
		{"has(self.n)", "has(self.m)", false, false},
		{"has(self.n) && has(self.m)", "has(self.m)", true, false},
		{"has(self.n)", "has(self.m) || has(self.n)", true, false},
		{"has(self.n) || has(self.m)", "has(self.n)", false, false},
		{"has(self.n)", "!has(self.n)", false, false},
		{"!has(self.n)", "!has(self.n) || self.n > 1", true, false},
		{"self.n > 1", "has(self.n)", true, false},
		{"has(self.n)", "self.n == self.n", false, true},
		{"has(self.n) ? self.n > 1 : true", "!has(self.n) || self.n > 1", true, false},
		{"!has(self.n) || self.n > 1", "has(self.n) ? self.n > 1 : true", true, false},
		{"has(self.n) ? true : self.m > 1", "has(self.n) || self.m > 1", true, false},
		{"has(self.n) ? true : self.m > 1", "has(self.n) ? true : self.m > 0", true, false},
		{"self.n > 1 ? true : false", "self.n > 1", true, false},
		{"self.n > 1", "self.m > 1 ? true : self.n > 1", false, false}, // m may not be there
		{"has(self.n) == has(self.m)", "!has(self.n) || has(self.m)", true, false},
		{"has(self.n) != has(self.m)", "has(self.n) || has(self.m)", true, false},
		{"has(self.n) != has(self.m)", "!has(self.n) || !has(self.m)", true, false},
		{"has(self.n) == has(self.m)", "has(self.n) || has(self.m)", false, false},
		{"(self.n > 1) == (self.m > 1)", "has(self.n) && has(self.m)", true, false},
		// Loops over literals.
		{"!('p' in self.l || 'q' in self.l) || has(self.n)", "!['p', 'q'].exists(p, p in self.l) || has(self.n)", true, false},
		{"!['p', 'q'].exists(p, p in self.l) || has(self.n)", "!('p' in self.l || 'q' in self.l) || has(self.n)", true, false},
		{"'p' in self.l && 'q' in self.l", "['p', 'q'].all(x, x in self.l)", true, false},
		{"['p', 'q'].exists(x, x in self.l)", "['p', 'q'].all(x, x in self.l)", false, false},
		// Optionals.
		{"has(self.o) && has(self.o.x) && self.o.x != ''", "self.?o.?x.orValue('') != ''", true, false},
		{"self.?o.x.hasValue()", "has(self.o) && has(self.o.x)", true, false},
		// Numbers.
		{"self.n > 1", "self.n > 0", true, false},
		{"self.n > 0", "self.n > 1", false, false},
		{"self.n > 1", "self.n >= 1", true, false},
		{"self.n >= 2", "self.n > 1", true, false},
		{"self.n > 1", "self.n >= 2", true, false},
		{"self.n >= 1", "self.n > 1", false, false},
		{"self.f > 1.0", "self.f >= 2.0", false, false},
		{"self.f >= 1.0", "self.f > 1.0", false, false},
		{"self.f > 1.0", "self.f >= 1.0", true, false},
		{"self.f < 1.5", "self.f <= 1.5", true, false},
		{"self.f <= 1.5", "self.f < 1.5", false, false},
		{"self.n < 2", "self.n <= 1", true, false},
		{"self.n <= 1", "self.n < 2", true, false},
		{"self.n < 1", "self.n < 2", true, false},
		{"self.n < 2", "self.n < 1", false, false},
		{"1 < self.n", "self.n > 1", true, false},
		{"1 <= self.n", "self.n > 0", true, false},
		{"2 > self.n", "self.n < 2", true, false},
		{"2 >= self.n", "self.n < 3", true, false},
		{"2 >= self.n", "self.n < 2", false, false},
		{"self.n == 2", "self.n > 1", true, false},
		{"self.n == 2", "self.n >= 2", true, false},
		{"self.n == 2", "self.n > 2", false, false},
		{"self.n == 2", "self.n < 3", true, false},
		{"self.n == 2", "self.n <= 2", true, false},
		{"self.n == 2", "self.n < 2", false, false},
		{"self.n == 2", "self.n != 3", true, false},
		{"2 == self.n", "self.n == 2", true, false},
		{"self.n != 2", "self.n == 3", false, false},
		{"self.f == 1.5", "self.f > 1.0", true, false},
		{"self.f == 1.5", "self.f <= 1.5", true, false},
		{"self.f == 1.5", "self.f < 1.5", false, false},
		{"self.n in [1, 2]", "self.n == 1 || self.n == 2", true, false},
		{"self.n in [1, 2]", "self.n < 3", true, false},
		{"self.n == 1", "self.n in [1, 2]", true, false},
		{"self.n in [1, 2]", "self.n in [1]", false, false},
		{"self.n in [1, 2]", "has(self.n)", true, false},
		{"self.n in []", "has(self.n)", false, true},
		// Sizes.
		{"size(self.l) > 1", "size(self.l) > 0", true, false},
		{"self.l.size() > 1", "size(self.l) >= 2", true, false},
		{"size(self.l) > 0", "self.l.size() > 1", false, false},
		{"size(self.l) == 1", "size(self.l) < 2", true, false},
		{"size(self.s) == 1", "size(self.s) > 0", true, false},
		{"size(self.o) > 0", "has(self.o)", true, false},
		{"size(self.s) > 0", "self.s != ''", false, true},
		{"size(self.s) > 0", "size(self.l) > 0", false, false},
		{"size(self.s) == 1", "self.n == 1", false, false},
		{"size(self.l) < 1", "size(self.l) == 0", false, true},
		// Texts and booleans.
		{"self.s == 'p'", "self.s != 'q'", true, false},
		{"self.s == 'p'", "self.s == 'q'", false, false},
		{"self.s != 'q'", "self.s == 'p'", false, false},
		{"'p' == self.s", "self.s == 'p'", true, false},
		{"self.s in ['p', 'q']", "self.s == 'p' || self.s == 'q'", true, false},
		{"self.s in ['p']", "self.s in ['p', 'q']", true, false},
		{"self.s == 'p'", "self.t == 'p'", false, false},
		{"self.b", "self.b == true", true, false},
		{"self.b == false", "!self.b", true, false},
		{"self.b", "self.b == false", false, false},
		{"self.b", "has(self.b)", true, false},
		{"!self.b", "self.b != true", true, false},
		{"self.b || self.n > 1", "self.b", false, false},
		{"has(self.n)", "!(self.n in [])", false, true},
		{"true", "!(self.n in [])", false, false},
		{"true", "!(self.n in [1])", false, false},
		{"self.n != 1", "!(self.n in [1])", true, false},
		// What is equal.
		{"self.n == self.m", "self.m == self.n", true, false},
		{"self.n == self.m", "has(self.m)", true, false},
		{"self.n == self.m && self.n > 1", "self.m > 1", true, false},
		{"self.n == self.m && self.n == 2", "self.m == 2", true, false},
		{"self.n == self.m && self.n == 2", "self.m == 1", false, false},
		{"self.s == self.t && self.s == 'p'", "self.t == 'p'", true, false},
		{"self.s == self.t && self.t == 'p'", "self.s == 'p'", true, false},
		{"self.s == self.t", "self.s == 'p'", false, false},
		{"self.o == self.p", "self.o.k == self.p.k", false, true},
		{"self.o == self.p && self.o.k > 1", "self.p.k > 1", false, true},
		{"self.o == self.p", "has(self.o.x) == has(self.p.x)", true, false},
		{"self.o == self.p && has(self.o.x)", "has(self.p.x)", true, false},
		{"self.o == self.p && has(self.o.x)", "self.o.x == self.p.x", true, false},
		{"self.o.k == self.p.k", "self.o == self.p", false, false},
		{"self.o == self.p", "self.o.k == 1", false, false},
		{"self.o == oldSelf.o && self.o.k > 1", "oldSelf.o.k > 1", true, false},
		{"self.o == oldSelf.o && oldSelf.o.k > 1", "self.o.k > 1", false, false}, // nothing is said when it is created
		{"self.o == oldSelf.o && self.o.k == 1", "oldSelf.o.k == 1", true, false},
		{"self.o == oldSelf.o && size(self.o) > 1", "size(oldSelf.o) > 1", true, false},
		{"self.l == oldSelf.l && size(self.l) > 1", "size(oldSelf.l) > 0", false, true},
		{"self.o == self.p && self.o.k == 1", "self.p.k == 1", false, true},
		{"self.o == self.p && self.o.x == 'p'", "self.p.x == 'p'", true, false},
		{"self.o == self.p && self.o.x == 'p'", "self.p.x == 'q'", false, false},
		{"self.o == oldSelf.o", "self.o.k == oldSelf.o.k", true, false},
		{"self.o == oldSelf.o", "!has(self.o.x) || self.o.x == oldSelf.o.x", true, false},
		{"self.o == oldSelf.o", "has(self.o.x)", false, false},
		{"self.o.k == oldSelf.o.k", "self.o == oldSelf.o", false, false},
		{"self.w == oldSelf.w", "self.w.k == oldSelf.w.k", true, false},
		{"self.v.k > 1", "self.v != self.w || self.w.k > 1", true, false},
		{"self.w.k > 1", "self.v != self.w || self.v.k > 0", false, true},
		{"self.w.k > 1", "self.v.k > 1", false, false},
		// Places.
		{"o: has(self.x)", "!has(self.o) || has(self.o.x)", true, false},
		{"!has(self.o) || has(self.o.x)", "o: has(self.x)", true, false},
		{"o: has(self.x)", "has(self.o.x)", false, false},
		{"o: self.x == 'p'", "!has(self.o) || self.o.x == 'p'", true, false},
		{"o: self.k > 1", "!has(self.o) || self.o.k > 0", true, false},
		{"o: self == oldSelf", "!has(self.o) || !has(oldSelf.o) || self.o == oldSelf.o", true, false},
		{"self.o == oldSelf.o", "o: self == oldSelf", true, false},
		{"o: self.x == oldSelf.x", "!has(oldSelf.o) || self.o.x == oldSelf.o.x", false, false},
		{"o: self == oldSelf", "o: self.x == 'p'", false, false},
		{"o.x: self == 'p'", "!has(self.o) || !has(self.o.x) || self.o.x == 'p'", true, false},
		{"has(self.always)", "true", true, false},
		{"true", "has(self.always)", true, false},
		{"true", "!has(self.o) || has(self.o.k)", true, false},
		{"true", "has(self.n)", false, false},
		// Rules about updates aren't asked when an object is created.
		{"self.n == oldSelf.n", "has(self.n)", false, false},
		{"has(oldSelf.n)", "has(oldSelf.n) || has(self.m)", true, false},
		{"has(self.n)", "has(oldSelf.n)", false, false},
		{"has(self.n)", "has(oldSelf.n) || has(self.n)", true, false},
		// What else is called is one thing or another, or fails.
		{"self.s.startsWith('p')", "self.s.startsWith('p')", true, false},
		{"self.s.startsWith('p')", "self.s.startsWith('q')", false, false},
		{"self.s.startsWith('p')", "self.t.startsWith('p')", false, false},
		{"self.s.startsWith('p')", "self.s.startsWith('p') || self.n > 1", true, false},
		{"o: self.x.startsWith('p')", "!has(self.o) || self.o.x.startsWith('p')", true, false},
		{"self.l.all(v, v == 'p')", "self.l.all(w, w == 'p')", true, false},
		{"self.l.all(v, v == 'p')", "self.l.all(w, 'p' == w)", true, false},
		{"self.l.all(v, v == 'p')", "self.l.all(w, w == 'q')", false, false},
		{"self.l.all(v, v == 'p')", "self.l.exists(w, w == 'p')", false, false},
		{"self.l.all(v, v == self.s)", "self.l.all(w, self.s == w)", true, false},
		{"self.l.all(v, v == self.s)", "self.l.all(w, w == self.t)", false, false},
		{"self.l.all(v, self.l.exists(w, w == v))", "self.l.all(v, self.l.exists(w, w == w))", false, true},
		{"self.n + 1 == 2", "self.n + 1 == 2", true, false},
		{"self.n + 1 == 2", "2 == self.n + 1", true, false},
		{"self.n + 1 == 2", "self.n + 2 == 2", false, false},
		{"self.l.all(self, self.s == 'p')", "self.l.all(v, v.s == 'p')", true, false},
		{"has(foo.a)", "has(foo.a)", true, false},
		{"has(foo.a)", "has(self.n)", false, true}, // it always fails
		{"self.n + 1 != 2", "2 != self.n + 1", true, false},
		{"self.l.all(v, v == 'p' && v != 'q')", "self.l.all(v, v != 'q' && v == 'p')", true, false},
		{"self.l.all(v, v == 'p' || v == 'q')", "self.l.all(v, v == 'q' || v == 'p')", true, false},
		{"self.l.all(v, v != 'p')", "self.l.all(v, 'p' != v)", true, false},
		{"self.l.all(v, has(v.a))", "self.l.all(v, v.a)", false, true},
		{"has(self.q)", "size(self.q) > 1 || size(self.q) <= 1", false, false},
		{"has(self.q)", "self.q == 1 || self.q != 1", false, true},
		{"self.q == 3", "self.q == 3", true, false},
		{"self.q == 3", "self.q == 4", false, false},
		{"self.n - 1 == 1", "1 - self.n == 1", false, false},
		{"self.n > self.m", "self.m < self.n", false, true},
		{"self.n > self.m", "self.n > self.m", true, false},
		{"size(self.l) == size(self.s)", "size(self.s) == size(self.l)", true, false},
		{"self.l == ['p']", "self.l == ['p']", true, false},
		{"self.l == ['p']", "self.l == ['q']", false, false},
		{"self.l == ['p', 'q']", "self.l == ['p', 'p']", false, false},
		{"self.n in [self.m]", "self.n in [self.m]", true, false},
		{"self.?n.orValue(1) == 1", "self.?n.orValue(1) == 1", true, false},
		{"self.?n.orValue(1) == 1", "self.?m.orValue(1) == 1", false, false},
		{"self.n == 9007199254740993", "self.n == 9007199254740992", false, true},
		{"self.n <= 9007199254740992", "self.n < 9007199254740992", false, true},
		{"self.n <= 9007199254740990", "self.n < 9007199254740991", true, false},
		{"self.n > -9007199254740991", "self.n >= -9007199254740990", true, false},
	} {
		given, wanted := placed(t, test.given), placed(t, test.wanted)
		if got := Implies([]RuleAt{given}, wanted, thingFacts); got != test.isImplied {
			t.Errorf("%q implies %q: %t", test.given, test.wanted, got)
		}
		if found := v.refuted([]RuleAt{given}, wanted); (found == "") != (test.isImplied || test.isOpen) {
			t.Errorf("the test says of %q and %q that it is %t: %s", test.given, test.wanted, test.isImplied, found)
		}
	}
	many := func(rules ...string) (all []RuleAt) {
		for _, rule := range rules {
			all = append(all, placed(t, rule))
		}
		return all
	}
	for _, test := range []struct {
		given     []RuleAt
		wanted    string
		isImplied bool
	}{
		{many("self.n == self.m && self.n > 0", "self.n > 1 || self.m > 1"), "self.m > 1", true},
		{many("has(self.n)", "has(self.m)"), "has(self.n) && has(self.m)", true},
		{many("self.s == 'p' || self.s == 'q'", "self.s != 'q'"), "self.s == 'p'", true},
		{many("!has(self.n) || has(self.m)", "has(self.n) || has(self.m)"), "has(self.m)", true},
		{nil, "has(self.n)", false},
		{nil, "!has(self.n) || has(self.n)", true},
		// The most telling ones are asked, wherever they stand.
		{many("has(self.n) || has(self.f)", "has(self.n) || has(self.b)", "has(self.n) || has(self.s)", "has(self.n) || has(self.t)", "has(self.n) || has(self.l)", "has(self.n) || has(self.o)", "has(self.n) && self.m == 1"), "has(self.n) && self.m > 0", true},
	} {
		if got := Implies(test.given, placed(t, test.wanted), thingFacts); got != test.isImplied {
			t.Errorf("%v imply %q: %t", test.given, test.wanted, got)
		}
	}
}

// TestImpliesRefutesNothingThatHolds has CEL judge all things by random rules. What is said to follow from
// others does. The rules here read one or two fields of each type; what they read may be unset, and
// compared or called in ways that fail. Half of them compare with what was, at the root or in an object.
func TestImpliesRefutesNothingThatHolds(t *testing.T) {
	v, implied := newVerdicts(t), 0
	for i := range budget.Of(800, 25000) {
		r := rand.New(rand.NewPCG(uint64(i), 7))
		rule := func() string {
			conditions, at := thingConditions, ""
			if i%2 == 0 {
				if conditions = updateConditions; r.IntN(3) == 0 {
					conditions, at = innerConditions, "o: "
				}
			}
			a, b, c := pick(r, conditions), pick(r, conditions), pick(r, conditions)
			form := pick(r, []string{"A", "(A) && (B)", "(A) || (B)", "!(A)", "(A) ? (B) : (C)", "(A) == (B)", "!(A) || (B)"})
			return at + strings.NewReplacer("A", a, "B", b, "C", c).Replace(form)
		}
		given, wanted := []RuleAt{placed(t, rule())}, placed(t, rule())
		if r.IntN(2) == 0 {
			given = append(given, placed(t, rule()))
		}
		if !Implies(given, wanted, thingFacts) {
			continue
		}
		implied++
		if found := v.refuted(given, wanted); found != "" {
			t.Fatalf("%d: %v don't imply %q: %s", i, given, wanted.text, found)
		}
	}
	if implied < budget.Of(800, 25000)/40 {
		t.Errorf("only %d follow", implied)
	}
}

// updateConditions compare two fields of things with what was, and innerConditions do in the object o.
var (
	updateConditions = []string{
		"has(self.n)", "self.n > 1", "self.n == 2", "self.n == oldSelf.n", "self.n != oldSelf.n", "oldSelf.n > 1", "has(oldSelf.n)", "self.n in [1, 3]", "self.n > oldSelf.n",
		"has(self.o)", "has(oldSelf.o)", "self.o == oldSelf.o", "self.o.k == oldSelf.o.k", "oldSelf.o.k == 1", "self.o.k > 1", "has(self.o.x)", "has(oldSelf.o.x)", "self.o.x == oldSelf.o.x", "self.o.x in ['p', 'r']",
	}
	innerConditions = []string{"has(self.x)", "has(oldSelf.x)", "self.x == 'p'", "oldSelf.x == 'p'", "self.x == oldSelf.x", "self.k > 1", "self.k == oldSelf.k", "oldSelf.k == 1", "self == oldSelf", "self.x.startsWith('p')"}
)

// thingConditions are about two fields of things each at most.
var thingConditions = []string{
	"has(self.n)", "self.n > 1", "self.n >= 2", "self.n < 2", "self.n <= 2", "self.n == 2", "self.n != 1", "2 > self.n", "self.n in [1, 3]", "self.n == self.m", "has(self.m)", "self.m == 2",
	"self.b", "self.b == false", "true", "false", "has(self.always)", "self.always == 1",
	"has(self.s)", "self.s == 'p'", "self.s != 'q'", "size(self.s) > 0", "size(self.s) == 1", "self.s == self.o.x", "self.s.startsWith('p')", "self.s in ['p', 'q']",
	"has(self.o)", "has(self.o.x)", "has(self.o.k)", "self.o.k == 1", "self.o.x == 'p'", "self.o == self.p", "self.p.x == 'p'", "has(self.p.k)", "self.o.k == self.p.k", "self.p.k > 1",
}

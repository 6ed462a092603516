package cel

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/parser"

	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/celtest"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

func parsed(t *testing.T, rule string) *Rule {
	t.Helper()
	r, ok := Parse(rule)
	expect.Must(t, ok, "%s can't be parsed", rule)
	return r
}

func newJudge(t *testing.T) func(rule string) func(self map[string]any) string {
	return celtest.New(t, cel.OptionalTypes(), cel.CrossTypeNumericComparisons(true))
}

// ofPlain returns the judge of a rule's plainer form.
func ofPlain(t *testing.T, rule *Rule) func(self map[string]any) string {
	t.Helper()
	program := expect.Value(grammar().PlanProgram(rule.plain))(t)
	return celtest.Judge(program)
}

// chainText matches the text of a chain of selections.
var chainText = regexp.MustCompile(`^(self|oldSelf)[\w.]*$|^has\((self|oldSelf)[\w.]*\)$`)

// TestPlain has CEL judge random objects by random rules, and by the form that questions about them are answered from:
// they come to the same. Nothing of what Short writes is left in that form.
func TestPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	judge := newJudge(t)
	for range budget.Of(200, 3000) {
		text := randomCondition(r, r.IntN(4)).Short().String()
		rule := parsed(t, text)
		any, _ := randomRule(r, r.IntN(3))
		for _, text := range []string{text, any} {
			rule := parsed(t, text)
			written, plain := judge(text), ofPlain(t, rule)
			for _, e := range rule.Nodes(ast.SelectKind) {
				unparsed, err := parser.Unparse(e, rule.plain.SourceInfo())
				_, ok := ChainTo(e)
				expect.True(t, err == nil && ok == chainText.MatchString(unparsed), "%s is a chain: %t (%v)", unparsed, ok, err)
			}
			for range 20 {
				self := randomObject(r)
				got, want := plain(self), written(self)
				expect.Must(t, got == want, "%v: %s is %s, and %s in its plainer form", self, text, want, got)
			}
		}
		for _, e := range rule.Nodes(ast.CallKind) {
			if slices.Contains([]string{"orValue", "hasValue", operators.OptSelect}, e.AsCall().FunctionName()) {
				t.Errorf("%s keeps %s in its plainer form", text, e.AsCall().FunctionName())
			}
		}
		expect.True(t, len(rule.Nodes(ast.ComprehensionKind)) == 0, "%s keeps a loop in its plainer form", text)
	}
}

// randomRule returns a rule in any of the forms that authors write, and the fields that it reads, as names from self.
func randomRule(r *rand.Rand, depth int) (rule string, paths []string) {
	if depth > 0 {
		a, inA := randomRule(r, r.IntN(depth))
		b, inB := randomRule(r, r.IntN(depth))
		operation := pick(r, []string{"(%s) && (%s)", "(%s) || (%s)", "!(%s) || (%s)", "((%s) ? %s : false)", "(%s) == (%s)", "(%s) && !(%s)"})
		return fmt.Sprintf(operation, a, b), append(inA, inB...)
	}
	path := pick(r, []string{"s", "o.s", "o", "o.o.s", "o.o", "b", "o.b"})
	chain, isOptional := pick(r, []string{"self", "self", "oldSelf"}), false
	for name := range strings.SplitSeq(path, ".") {
		if r.IntN(3) == 0 {
			chain, isOptional = chain+".?"+name, true
		} else {
			chain += "." + name
		}
	}
	forms := []string{"has(%s)", "!has(%s)", "%s == 'a'", "'' != %s", "size(%s) > 0", "%s.size() < 1", "['', 'a'].exists(v, v == %s)", "%s.all(v, v.s == '')"}
	if isOptional {
		forms = []string{"%s.hasValue()", "!%s.hasValue()", "%s.orValue('') == ''", "%s.orValue('a') != 'a'", "%s.orValue('') == 'a'", "%s.value() == ''",
			"%s.or(optional.of('')).value() == ''", "%s.optMap(v, v == 'a').orValue(true)", "['', %s.orValue('')].exists(v, v == 'a')",
			"%s.orValue(self.o) == ''", "['', 'a'].all(v, %s != optional.of(v))"}
	}
	if strings.HasSuffix(path, "b") && isOptional {
		forms = []string{"%s.orValue(false)", "%s.orValue(true)", "%s.optMap(v, v).orValue(false)"}
	}
	rule, paths = fmt.Sprintf(pick(r, forms), chain), []string{path}
	if strings.Contains(rule, "(self.o)") { // instead of the field
		paths = append(paths, "o")
	}
	return rule, paths
}

// TestPlainForms compares the plainer form of a rule with a rule, and has CEL judge random objects by both.
func TestPlainForms(t *testing.T) {
	const nine = "[1, 2, 3, 4, 5, 6, 7, 8, 9]"
	r := rand.New(rand.NewPCG(7, 8))
	judge := newJudge(t)
	for rule, want := range map[string]string{
		"self.?s.orValue('') != ''": "has(self.s) && self.s != ''", "self.?s.orValue('') == ''": "!has(self.s) || self.s == ''",
		"self.?o.?s.orValue('') == ''": "!(has(self.o) && has(self.o.s)) || self.o.s == ''", "self.?s.orValue('') == 'a'": "(has(self.s) ? self.s : '') == 'a'",
		"self.?s.orValue(self.t) == ''": "(has(self.s) ? self.s : self.t) == ''", "self.?s.orValue('') == self.t": "(has(self.s) ? self.s : '') == self.t",
		"self.?b.orValue(false)": "has(self.b) && self.b", "self.?b.orValue(true)": "has(self.b) ? self.b : true",
		"self.?o.s.hasValue()": "has(self.o) && has(self.o.s)", "self.o.?s.hasValue()": "has(self.o.s)",
		"[1, 2].exists(i, i == self.n)": "1 == self.n || 2 == self.n", "[1, 2].all(i, i != self.n)": "1 != self.n && 2 != self.n",
		"[1].exists(i, i == self.n)": "1 == self.n",
	} {
		got := parsed(t, rule)
		shape := func(c Chain) string { return strings.Join(c.Names, ".") }
		expect.True(t, ShapeOf(got.Expr(), shape) == ShapeOf(parsed(t, want).tree.Expr(), shape), "the plainer form of %s isn't %s", rule, want)
		written, plain, plainer := judge(rule), ofPlain(t, got), judge(want)
		for range 50 {
			self := randomObject(r)
			a, b, c := written(self), plain(self), plainer(self)
			expect.True(t, a == b && b == c, "%v: %s is %s, and %s in its plainer form; %s is %s", self, rule, a, b, want, c)
		}
	}
	for _, rule := range []string{nine + ".exists(i, i == self.n)", "self.l.exists(i, i == 'x')", "[].all(i, i == self.n)",
		"[1, 2].exists(i, self.l.exists(j, i == j))", "[1, self.n].exists(i, i == 1)", "[1, 2].exists_one(i, i == self.n)"} {
		expect.True(t, len(parsed(t, rule).Nodes(ast.ComprehensionKind)) != 0, "%s has no loop in its plainer form", rule)
	}
}

// pathsOf returns the fields that an expression selects, as names from self.
func pathsOf(e Expr) map[string]bool {
	paths := map[string]bool{}
	if e.form == selectionForm {
		paths[strings.TrimPrefix(e.String(), "self.")] = true
	}
	for _, arg := range e.args {
		for path := range pathsOf(arg) {
			paths[path] = true
		}
	}
	return paths
}

// changed returns an expression whose parts of some forms are changed.
func changed(e Expr, change func(e *Expr), forms ...string) Expr {
	if slices.Contains(forms, e.form) {
		change(&e)
	}
	e.args = slices.Clone(e.args)
	for i, arg := range e.args {
		e.args[i] = changed(arg, change, forms...)
	}
	return e
}

// has reports whether an object has a field.
func has(self map[string]any, path string) bool {
	first, rest, isNested := strings.Cut(path, ".")
	value, ok := self[first]
	below, _ := value.(map[string]any)
	return ok && (!isNested || has(below, rest))
}

// otherOptional matches how rules read optionals without a condition that says the same.
var otherOptional = regexp.MustCompile(`\.or\(|!= optional`)

// TestAlone has CEL judge random objects by random rules, and by what remains of them for a part of the object: that
// comes to the same where all fields are set that the rule reads, and holds where one isn't.
func TestAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	judge := newJudge(t)
	remaining := 0
	for range budget.Of(300, 3000) {
		condition := randomCondition(r, r.IntN(3))
		e, paths := condition.String(), slices.Collect(maps.Keys(pathsOf(condition)))
		if r.IntN(2) == 0 {
			e, paths = randomRule(r, r.IntN(3))
		}
		if strings.Contains(e, "oldSelf") {
			continue
		}
		alone, ok := parsed(t, e).Alone(func(names []string) (known, whole bool) {
			return slices.ContainsFunc(paths, func(path string) bool { return strings.HasPrefix(path+".", strings.Join(names, ".")+".") }), true
		})
		isOptional := otherOptional.MatchString(e)
		expect.Must(t, ok != isOptional, "%s can be judged for the whole object: %t", e, ok)
		if !ok {
			continue
		}
		whole, part := judge(e), func(map[string]any) string { return "true" }
		if alone != "" {
			remaining++
			part = judge(alone)
		}
		for range 20 {
			self, want := randomObject(r), "true"
			isWhole := true
			for _, path := range paths {
				isWhole = isWhole && has(self, path)
			}
			if isWhole {
				want = whole(self)
			}
			got := part(self)
			expect.Must(t, got == want, "%v: %s for parts is %s: that is %s, want %s", self, e, alone, got, want)
		}
	}
	expect.True(t, remaining >= 50, "%d rules remain", remaining)
	for _, test := range []struct {
		rule, unknown, part string
		want                string
		ok                  bool
	}{
		{rule: "self.a == oldSelf.a", ok: true},
		{rule: "has(self.a) && has(self.b)", ok: true},
		{rule: "has(self.a) && has(self.b)", unknown: "b"},
		{rule: "self.a == 1", unknown: "a"},
		{rule: "self.a == 1", part: "a"},
		{rule: "self.a.exists(x, x == 1)", part: "a"},
		{rule: "self == self", ok: false},
		{rule: "self.exists(k, k == 'a')"},
		{rule: "has(self.a) || self.b > 1", unknown: "a"},
		{rule: "self.b < 2 && has(self.a.x)", unknown: "a"},
		{rule: "has(self.a) != has(self.b)", want: "!has(self.a) || !has(self.b) || has(self.a) != has(self.b)", ok: true},
		{rule: "self.a < 2 && self.b != 'a'", want: "!has(self.a) || !has(self.b) || self.a < 2 && self.b != 'a'", ok: true},
		{rule: "size(self.a) < 2 && 'x' in self.a", part: "a"},
		{rule: "self.a.size() < 2", part: "a", want: "!has(self.a) || self.a.size() < 2", ok: true},
		{rule: "size(self.a) < 2", part: "a", want: "!has(self.a) || size(self.a) < 2", ok: true},
		{rule: "!has(self.a)", part: "a", want: "!has(self.a) || !has(self.a)", ok: true},
		{rule: "!has(self.a) || self.a < 2", want: "!has(self.a) || self.a < 2", ok: true},
		{rule: "!(has(self.a) && has(self.b)) || self.a < self.b", want: "!(has(self.a) && has(self.b)) || self.a < self.b", ok: true},
		{rule: "self.a ? self.a : self.b", want: "!has(self.a) || !has(self.b) || (self.a ? self.a : self.b)", ok: true},
	} {
		got, ok := parsed(t, test.rule).Alone(func(names []string) (known, whole bool) {
			return len(names) > 0 && names[0] != test.unknown, len(names) > 0 && names[0] != test.part
		})
		if ok != test.ok || ok && test.part == "" && got != test.want {
			t.Errorf("%s, without %q, with a part of %q: %q, %t, want %q, %t", test.rule, test.unknown, test.part, got, ok, test.want, test.ok)
		}
	}
}

// TestDemandsAtRandom has CEL judge random objects by random rules: those that demand a field fail without it, and those
// that demand nothing else hold with it. Some rules read the old value, too, which is another object.
func TestDemandsAtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	judge := newJudge(t)
	found := 0
	for range budget.Of(300, 3000) {
		e := randomCondition(r, r.IntN(3))
		e = changed(e, func(e *Expr) {
			if e.Equals(Self) && r.IntN(4) == 0 {
				*e = OldSelf
			}
		}, nameForm)
		text, paths := e.Short().String(), slices.Sorted(maps.Keys(pathsOf(e)))
		if r.IntN(2) == 0 {
			text, paths = randomRule(r, r.IntN(4))
		}
		rule, whole := parsed(t, text), judge(strings.ReplaceAll(text, "oldSelf", "self.old"))
		for _, path := range paths {
			demands, alone := rule.Demands(strings.Split(path, "."))
			if !demands {
				continue
			}
			found++
			around := path[:max(0, strings.LastIndex(path, "."))]
			for range 20 {
				self := randomObject(r)
				if around != "" && !has(self, around) {
					continue
				}
				self["old"] = randomObject(r)
				switch holds := whole(self) == "true"; {
				case holds && !has(self, path):
					t.Fatalf("%v: %s demands %s, and holds", self, rule.text, path)
				case !holds && alone && has(self, path):
					t.Fatalf("%v: %s demands %s alone, and doesn't hold", self, rule.text, path)
				}
			}
		}
	}
	expect.True(t, found >= 30, "%d rules demand fields", found)
}

// TestDemands evaluates rules on objects with and without a field: a rule that demands it holds for none
// without, and one that demands nothing else for all with it.
func TestDemands(t *testing.T) {
	judge := newJudge(t)
	for rule, want := range map[string][2]bool{
		"has(self.c.x)": {true, true}, "self.c.?x.hasValue()": {true, true}, "!has(self.c) || has(self.c.x)": {true, true},
		"has(self.c.x) && self.c.x != 'a'": {true, false}, "has(self.c.y) && has(self.c.x)": {true, false},
		"has(self.c.x) && self.c.x == 'a' || has(self.c.x) && self.c.x == 'b'": {true, false}, "has(self.c.x) || has(self.c.y)": {}, "!has(self.c.y) || has(self.c.x)": {},
		"!has(self.c.x)": {}, "!has(self.c.x) || has(self.c.x) && self.c.x != 'a'": {}, "has(self.c.y)": {}, "true": {},
	} {
		holds, by := judge(rule), [2]bool{true, true}
		for _, c := range []map[string]any{{}, {"y": "a"}, {"x": "a"}, {"x": "b"}, {"x": "c"}, {"x": "a", "y": "a"}, {"x": "c", "y": "c"}} {
			is, isSet := holds(map[string]any{"c": c}) == "true", c["x"] != nil
			by = [2]bool{by[0] && (isSet || !is), by[1] && is == isSet}
		}
		demands, alone := parsed(t, rule).Demands([]string{"c", "x"})
		expect.True(t, by == want && [2]bool{demands, alone} == want, "%s demands x: %t, alone: %t, want %v; CEL says %v", rule, demands, alone, want, by)
	}
}

// TestUnless has CEL judge random objects by random rules that are moved further out.
func TestUnless(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	judge := newJudge(t)
	for range budget.Of(200, 3000) {
		e, condition := randomCondition(r, r.IntN(4)), randomCondition(r, r.IntN(2))
		rule := parsed(t, pick(r, []Expr{e, e.Short()}).String())
		inner, moved := judge(e.String()), judge(rule.Unless(nil, "x-y", "in"))
		either, unless := judge(Or(condition, e).String()), judge(rule.Unless([]Expr{condition}))
		for range 20 {
			self := randomObject(r)
			outer := map[string]any{"x__dash__y": map[string]any{"__in__": self}}
			got, want := moved(outer), inner(self)
			expect.Must(t, got == want, "%v: %s is %s, and %s further out", self, rule.text, want, got)
			got, want = unless(self), either(self)
			expect.Must(t, got == want, "%v: %s unless %s is %s, want %s", self, rule.text, condition, got, want)
		}
	}
}

// TestShape has CEL judge random objects by random rules with the same shape: they come to the same. Rules that differ
// by the order of operands, by names of variables, or by names of fields that stand for the same, have the same.
func TestShape(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	judge := newJudge(t)
	shape := func(rule string) string {
		return parsed(t, rule).Shape(func(c Chain) string { return c.Root + "." + strings.Join(c.Names, ".") })
	}
	rules := map[string]string{}
	for range budget.Of(300, 3000) {
		a, b := randomCondition(r, r.IntN(2)), randomCondition(r, r.IntN(2))
		if one, other := Op(a, "!=", b), Op(b, "!=", a); shape(one.String()) != shape(other.String()) {
			t.Errorf("%s and %s have different shapes", one, other)
		}
		renamed := changed(a.Short(), func(e *Expr) { e.text = strings.Replace(e.text, "o", "p", 1) }, selectionForm, optionalForm).String()
		original := parsed(t, renamed).Shape(func(c Chain) string { return c.Root + "." + strings.ReplaceAll(strings.Join(c.Names, "."), "p", "o") })
		expect.True(t, original == shape(a.Short().String()), "%s has another shape, where p stands for o", renamed)
		other, _ := randomRule(r, r.IntN(2))
		for _, rule := range []string{a.String(), other} {
			key := shape(rule)
			if rules[key] == "" {
				rules[key] = rule
			}
			one, other := judge(rule), judge(rules[key])
			for range 20 {
				self := randomObject(r)
				expect.Must(t, one(self) == other(self), "%v: %s and %s have the same shape, but not the same result", self, rule, rules[key])
			}
		}
	}
	distinct := []string{
		"self.a == 1", "self.a == 1.0", "self.a == '1'", "self.a == true", "self.a != 1", "1 < self.a", "self.a < 1", "oldSelf.a == 1", "x == 1",
		"self.a ? self.b : self.c", "self.b ? self.a : self.c", "size(self.a) == 1", "self.a.size() == 1", "has(self.a)", "self.a",
		"self.?a", "[1, 2] == self.a", "[?self.?a, 2] == self.a", "{'a': 1} == self.a", "{'b': 1} == self.a", "{'a': 2} == self.a", "{?'a': self.?b} == self.a",
		"self.l.exists(i, i == self.a)", "self.l.exists(self, self == self.a)", "self.l.all(i, i == self.a)", "self.l.all(i, self.m.all(j, i == j))",
		"self.l.all(i, self.m.all(j, i == i))", "f(self.a).b", "has(f(self.a).b)", "f(self.a).c", "T{a: 1}", "T{b: 1}", "U{a: 1}", "T{a: 2}",
	}
	seen := map[string]string{}
	for _, rule := range distinct {
		other, ok := seen[shape(rule)]
		expect.True(t, !ok, "%s and %s have the same shape", rule, other)
		seen[shape(rule)] = rule
	}
	for a, b := range map[string]string{
		"self.l.exists(i, i == self.a)": "self.l.exists(j, self.a == j)", "self.a || self.b": "self.b || self.a", "self.a != self.b": "self.b != self.a",
	} {
		expect.True(t, shape(a) == shape(b), "%s and %s have different shapes", a, b)
	}
}

// TestReads holds what a rule says of the fields and the literals that it has.
func TestReads(t *testing.T) {
	judge := newJudge(t)
	for _, test := range []struct {
		rule, chains, literals, immutable string
		readsUnset                        bool
	}{
		{rule: "self.a == 1", chains: "self.a", literals: "[1]", readsUnset: true},
		{rule: "self.a.b == 1 || self.a.b == 1", chains: "self.a.b self.a.b", literals: "[1]", readsUnset: true},
		{rule: "has(self.a) && self.a == 'x'", chains: "has(self.a) self.a", literals: "[x]"},
		{rule: "!has(self.a) || self.a.b == true", chains: "has(self.a) self.a.b", literals: "[true]"},
		{rule: "self.?a.orValue(1.5) == 2", chains: "has(self.a) self.a", literals: "[1.5 2]"},
		{rule: "has(self.b)", chains: "has(self.b)", literals: "[]"},
		{rule: "has(self.a.b)", chains: "has(self.a.b)", literals: "[]", readsUnset: true},
		{rule: "self.a.size() == b'x'", chains: "self.a", literals: "[]", readsUnset: true},
		{rule: "self.x__dash__y == self.__in__", chains: "self.x-y self.in", literals: "[]"},
		{rule: "self.a == oldSelf.a", chains: "self.a oldSelf.a", literals: "[]", immutable: "a", readsUnset: true},
		{rule: "oldSelf.a.b == self.a.b", chains: "oldSelf.a.b self.a.b", literals: "[]", immutable: "a.b", readsUnset: true},
		{rule: "has(self.a) == has(oldSelf.a)", chains: "has(self.a) has(oldSelf.a)", literals: "[]"},
		{rule: "self.a != oldSelf.a", chains: "self.a oldSelf.a", literals: "[]", readsUnset: true},
		{rule: "self.a == self.a", chains: "self.a self.a", literals: "[]", readsUnset: true},
		{rule: "self.a == oldSelf.b", chains: "self.a oldSelf.b", literals: "[]", readsUnset: true},
		{rule: "self.a + 1 == oldSelf.a", chains: "self.a oldSelf.a", literals: "[1]", readsUnset: true},
		{rule: "self.a[k] == oldSelf.a", chains: "self.a oldSelf.a", literals: "[]", readsUnset: true},
	} {
		rule := parsed(t, test.rule)
		var chains []string
		for _, c := range rule.Chains() {
			text := c.Root + "." + strings.Join(c.Names, ".")
			if c.Tested {
				text = "has(" + text + ")"
			}
			chains = append(chains, text)
		}
		expect.Equal(t, test.chains, strings.Join(chains, " "), "%s reads", test.rule)
		expect.Equal(t, test.literals, fmt.Sprint(rule.Literals()), "%s has the literals", test.rule)
		expect.Equal(t, test.immutable, strings.Join(rule.ImmutableField(), "."), "%s has", test.rule)
		expect.Equal(t, test.readsUnset, rule.ReadsUnset([]string{"a"}), "%s reads a where it may be unset", test.rule)
		if isUpdate := strings.Contains(test.rule, "oldSelf"); rule.IsAboutUpdates() != isUpdate {
			t.Errorf("%s is about updates: %t", test.rule, !isUpdate)
		} else if got := judge(test.rule)(map[string]any{"x__dash__y": 1, "__in__": 1}); !isUpdate && (got == "fails") != test.readsUnset {
			t.Errorf("%s is %s without a", test.rule, got)
		}
	}
	_, ok := Parse("self.")
	expect.True(t, !ok, "self. is a rule")
}

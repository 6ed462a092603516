package cel

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/parser"

	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/celtest"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestExprBinds has CEL's parser read random expressions, with the parentheses that they need and with
// those around everything: it reads the same. No whole expression, argument or alternative has
// parentheses that it can do without; operands of relations and sums may.
func TestExprBinds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	plain := expect.Value(parser.NewParser())(t)
	read := func(text string) string {
		tree, errs := plain.Parse(common.NewTextSource(text))
		if len(errs.GetErrors()) > 0 {
			return errs.ToDisplayString()
		}
		written := expect.Value(parser.Unparse(tree.Expr(), tree.SourceInfo()))(t)
		return written
	}
	for range budget.Of(1000, 20000) {
		e, whole := randomExpr(r, 4)
		expect.Equal(t, read(whole), read(e.String()), "%s: CEL reads", e)
		for _, less := range withoutAPair(e.String()) {
			expect.True(t, read(less) != read(whole), "%s is %s with superfluous parentheses", e, less)
		}
	}
}

// whole matches the text around a whole expression, an argument or an alternative, which stands for a NUL.
var whole = regexp.MustCompile(`(^ |[(\[,?:] ?)\x00([)\],]| [?:]| $)`)

// withoutAPair returns texts that each lack one pair of the parentheses around a whole expression, an argument, or an alternative.
func withoutAPair(text string) []string {
	var less []string
	var open []int
	for i, r := range text {
		switch r {
		case '(':
			open = append(open, i)
		case ')':
			begin := open[len(open)-1]
			open = open[:len(open)-1]
			if around := " " + text[:begin] + "\x00" + text[i+1:] + " "; whole.MatchString(around) {
				less = append(less, text[:begin]+text[begin+1:i]+text[i+1:])
			}
		}
	}
	return less
}

// randomExpr returns an expression, and its text with parentheses around each part.
func randomExpr(r *rand.Rand, depth int) (Expr, string) {
	if depth == 0 {
		return Self.Field("namespace", "a").At(Text("x")), "((self.__namespace__.a)['x'])"
	}
	a, aText := randomExpr(r, r.IntN(depth))
	b, bText := randomExpr(r, r.IntN(depth))
	switch operator := pick(r, []string{"&&", "||", "+", "==", "!=", "<", ">=", "in", "!", "?", "all", "size", "[]", "."}); operator {
	case "&&", "||", "+":
		c, cText := randomExpr(r, r.IntN(depth))
		return join(operator, []Expr{join(operator, []Expr{a}), b, c}), fmt.Sprintf("((%s %s %s) %s %s)", aText, operator, bText, operator, cText)
	case "!":
		if a.form == "!" { // which CEL reads as none
			return a, aText
		}
		return Not(a), "(!" + aText + ")"
	case "?":
		c, cText := randomExpr(r, r.IntN(depth))
		return If(a, b, c), fmt.Sprintf("(%s ? %s : %s)", aText, bText, cText)
	case "all":
		return a.Method("all", Var("k"), b), fmt.Sprintf("(%s.all(k, %s))", aText, bText)
	case "size":
		return Call("size", a), "size(" + aText + ")"
	case "[]":
		return List(a, b).At(Int(1)), "([" + aText + ", " + bText + "][1])"
	case ".":
		return a.Field("f").Has(), "has((" + aText + ").f)"
	default:
		return Op(a, operator, b), "(" + aText + " " + operator + " " + bText + ")"
	}
}

func pick[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }

// TestShort has CEL judge random objects by random conditions, and by what is short for them: they come to
// the same.
func TestShort(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	judge := celtest.New(t, cel.OptionalTypes(), cel.CrossTypeNumericComparisons(true))
	shorter := 0
	for range budget.Of(100, 3000) {
		e := randomCondition(r, r.IntN(4))
		short := e.Short()
		if len(short.String()) < len(e.String()) {
			shorter++
		}
		again := short.Short()
		expect.True(t, again.Equals(short), "%s becomes %s, and then %s", e, short, again)
		if e.form == "&&" || e.form == "||" { // which are associative
			for n := range e.args {
				if nested := Op(join(e.form, e.args[:n]), e.form, join(e.form, e.args[n:])); n > 0 && !nested.Short().Equals(short) {
					t.Errorf("%s becomes %s, and nested %s", e, short, nested.Short())
				}
			}
		}
		long, brief := judge(e.String()), judge(short.String())
		for range 20 {
			self := randomObject(r)
			got, want := brief(self), long(self)
			expect.Must(t, got == want, "%v: %s is %s, and %s is %s", self, short, got, e, want)
		}
	}
	expect.True(t, shorter >= budget.Of(100, 3000)/2, "%d are shorter", shorter)
	s := Self.Field("s")
	expect.Equal(t, "self.?s.orValue('') != ''", And(s.Has(), Op(s, "!=", Text(""))).Short().String())
}

// randomCondition returns a condition that doesn't fail, of the kind that rules are made of.
func randomCondition(r *rand.Rand, depth int) Expr {
	field := func(names ...string) Expr { return Self.Field(names...) }
	set := func(names ...string) []Expr { return field(names...).Set(len(names)) }
	if depth == 0 {
		names := pick(r, [][]string{{"s"}, {"o", "s"}, {"o", "o", "s"}, {"o", "n"}, {"b"}, {"o", "b"}, {"o"}, {"o", "o"}})
		conditions := set(names...)
		switch at, last := field(names...), names[len(names)-1]; last {
		case "s":
			conditions = append(conditions, Op(at, "!=", Text("")))
		case "n":
			conditions = append(conditions, Op(at, "!=", Int(0)))
		case "b":
			conditions = append(conditions, pick(r, []Expr{at, Call("dyn", at)}))
		}
		if r.IntN(3) == 0 {
			conditions = set(names...)
		}
		return And(conditions...)
	}
	a, b := randomCondition(r, r.IntN(depth)), randomCondition(r, r.IntN(depth))
	switch r.IntN(9) {
	case 0:
		return And(a, b)
	case 1:
		return Or(a, b)
	case 2:
		return Not(a)
	case 3:
		return If(a, b, Not(b))
	case 4:
		return Op(a, "==", b)
	case 5: // alternatives in an object
		return And(append(set("o"), Or(field("o", "s").Has(), And(field("o", "n").Has(), Op(field("o", "n"), "!=", Int(0))), field("o", "b").Has()))...)
	case 6: // that is unset, or empty
		return Or(Not(field("o").Has()), Not(field("o", "s").Has()), Op(field("o", "s"), "==", Text("")), a)
	case 7:
		return Or(Not(field("o").Has()), a)
	default:
		return Or(List(Text("x"), Text("y")).Method("exists", Var("p"), Op(Var("p"), "in", field("l"))), a)
	}
}

// randomObject returns an object with what conditions read.
func randomObject(r *rand.Rand) map[string]any {
	object := map[string]any{"l": pick(r, [][]string{{}, {"x"}, {"y", "z"}})}
	for at, depth := object, 0; depth < 3; depth++ {
		for name, values := range map[string][]any{"s": {"", "a"}, "n": {int64(0), int64(1)}, "b": {true, false}} {
			if r.IntN(2) == 0 {
				at[name] = pick(r, values)
			}
		}
		if r.IntN(3) == 0 {
			break
		}
		inner := map[string]any{}
		at["o"], at = inner, inner
	}
	return object
}

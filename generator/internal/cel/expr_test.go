package cel

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/parser"

	"github.com/mrgen-io/mrgen/generator/internal/budget"
)

// TestExprBinds has CEL's parser read random expressions, with the parentheses that they need and with
// those around everything: it reads the same.
func TestExprBinds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	plain, err := parser.NewParser() // without macros, which Unparse can't write
	if err != nil {
		t.Fatal(err)
	}
	read := func(text string) string {
		tree, errs := plain.Parse(common.NewTextSource(text))
		if len(errs.GetErrors()) > 0 {
			t.Fatalf("%s: %s", text, errs.ToDisplayString())
		}
		written, err := parser.Unparse(tree.Expr(), tree.SourceInfo())
		if err != nil {
			t.Fatal(err)
		}
		return written
	}
	for range budget.Of(500, 20000) {
		e, whole := randomExpr(r, 4)
		if got, want := read(e.String()), read(whole); got != want {
			t.Errorf("%s: CEL reads %s, want %s", e, got, want)
		}
	}
}

// randomExpr returns an expression, and its text with parentheses around each part.
func randomExpr(r *rand.Rand, depth int) (Expr, string) {
	if depth == 0 {
		return Self.Field("namespace", "a").At(Text("x")), "((self.__namespace__.a)['x'])"
	}
	a, aText := randomExpr(r, r.IntN(depth))
	b, bText := randomExpr(r, r.IntN(depth))
	switch operator := pick(r, []string{"&&", "||", "+", "==", "!=", "<", "in", "!", "?", "all", "size", "[]", "."}); operator {
	case "&&", "||", "+":
		c, cText := randomExpr(r, r.IntN(depth))
		return join(operator, []Expr{a, b, c}), fmt.Sprintf("((%s %s %s) %s %s)", aText, operator, bText, operator, cText)
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

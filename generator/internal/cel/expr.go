package cel

import (
	"strconv"
	"strings"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

// An Expr is an expression to build rules from. String adds parentheses only where precedence requires them. The zero
// Expr stands for no expression.
type Expr struct {
	// form is an operator of levels, or one of the forms below; text is a name or a literal.
	form, text string
	args       []Expr
}

// The forms of expressions that aren't operators.
const (
	nameForm      = "name"
	literalForm   = "literal"
	selectionForm = "."
	optionalForm  = ".?"
	indexForm     = "[]"
	listForm      = "list"
	callForm      = "()"
	methodForm    = ".()"
	ternaryForm   = "?:"
)

// levels say how tightly operators bind their operands.
var levels = map[string]int{ternaryForm: 0, "||": 1, "&&": 2, "==": 3, "!=": 3, "<": 3, "<=": 3, ">": 3, ">=": 3, "in": 3, "+": 4, "!": 5}

// tightest is the level of expressions that never need parentheses.
const tightest = 6

// Self and OldSelf are the new and the old value that a rule is about.
var (
	Self    = Var("self")
	OldSelf = Var("oldSelf")
)

// Var returns a variable.
func Var(name string) Expr { return Expr{form: nameForm, text: name} }

// Text returns a literal for a text that needs no escapes.
func Text(text string) Expr { return Literal("'" + text + "'") }

// Int returns a literal for a whole number.
func Int(n int64) Expr { return Literal(strconv.FormatInt(n, 10)) }

// Literal returns a literal from its CEL source.
func Literal(text string) Expr { return Expr{form: literalForm, text: text} }

// List returns a list of values.
func List(of ...Expr) Expr { return Expr{form: listForm, args: of} }

// IsNone reports whether there is no expression.
func (e Expr) IsNone() bool { return e.form == "" }

// Equals reports whether two expressions have the same text.
func (e Expr) Equals(other Expr) bool { return e.String() == other.String() }

// Field returns a field below an object, by the names of the properties that lead there.
func (e Expr) Field(names ...string) Expr {
	for _, name := range names {
		escaped, _ := apiservercel.Escape(name)
		e = e.selected(escaped)
	}
	return e
}

func (e Expr) selected(text string) Expr { return Expr{selectionForm, text, []Expr{e}} }

// Has returns the condition that a field is set, provided that the object around it is set.
func (e Expr) Has() Expr { return Call("has", e) }

// Set returns the conditions that a field and the objects around it are set, for the last n names on the way there.
func (e Expr) Set(n int) []Expr {
	if n == 0 {
		return nil
	}
	return append(e.args[0].Set(n-1), e.Has())
}

// At returns an element of a list or a map.
func (e Expr) At(key Expr) Expr { return Expr{form: indexForm, args: []Expr{e, key}} }

// Call returns a call of a function.
func Call(function string, args ...Expr) Expr { return Expr{callForm, function, args} }

// Method returns a call of a function of e.
func (e Expr) Method(function string, args ...Expr) Expr {
	return Expr{methodForm, function, append([]Expr{e}, args...)}
}

// Op returns two expressions joined by an operator.
func Op(a Expr, operator string, b Expr) Expr { return Expr{form: operator, args: []Expr{a, b}} }

// Not returns the opposite of a condition.
func Not(e Expr) Expr { return Expr{form: "!", args: []Expr{e}} }

// And returns the condition that all conditions hold. It returns no expression if there are no conditions.
func And(of ...Expr) Expr { return join("&&", of) }

// Or returns the condition that at least one condition holds. It returns no expression if there are no conditions.
func Or(of ...Expr) Expr { return join("||", of) }

// Sum returns the sum of numbers. It returns no expression if there are no numbers.
func Sum(of ...Expr) Expr { return join("+", of) }

// If returns the expression that equals a where a condition holds, and b elsewhere.
func If(condition, a, b Expr) Expr { return Expr{form: ternaryForm, args: []Expr{condition, a, b}} }

func join(operator string, of []Expr) Expr {
	switch len(of) {
	case 0:
		return Expr{}
	case 1:
		return of[0]
	}
	return Expr{form: operator, args: of}
}

// String returns an expression as CEL writes it.
func (e Expr) String() string { return e.within(0) }

// within adds parentheses to an expression that doesn't bind as tightly as a level.
func (e Expr) within(level int) string {
	own, isOperator := levels[e.form]
	if !isOperator {
		own = tightest
	}
	text := e.write(own)
	if own < level {
		return "(" + text + ")"
	}
	return text
}

func (e Expr) write(level int) string {
	each := func(from, level int) []string {
		var all []string
		for _, arg := range e.args[from:] {
			all = append(all, arg.within(level))
		}
		return all
	}
	switch e.form {
	case nameForm, literalForm:
		return e.text
	case selectionForm, optionalForm:
		return e.args[0].within(tightest) + e.form + e.text
	case indexForm:
		return e.args[0].within(tightest) + "[" + e.args[1].String() + "]"
	case listForm:
		return "[" + strings.Join(each(0, 0), ", ") + "]"
	case callForm:
		return e.text + "(" + strings.Join(each(0, 0), ", ") + ")"
	case methodForm:
		return e.args[0].within(tightest) + "." + e.text + "(" + strings.Join(each(1, 0), ", ") + ")"
	case "!":
		return "!" + e.args[0].within(level)
	case ternaryForm: // a conditional binds to the right: the last operand needs no parentheses
		return e.args[0].within(1) + " ? " + e.args[1].within(1) + " : " + e.args[2].String()
	case "&&", "||": // associative: a && (b && c) needs no parentheses
		return strings.Join(each(0, level), " "+e.form+" ")
	}
	return strings.Join(each(0, level+1), " "+e.form+" ")
}

// CanName reports whether rules can name a property.
func CanName(property string) bool {
	_, ok := apiservercel.Escape(property)
	return ok
}

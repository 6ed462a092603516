package lateinit

import (
	"math"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
)

// passes returns the conditions that an observed value of a relation passes checks. The value
// is not a pointer.
func (w *pairWriter) passes(checks []check, r *relation, value *jen.Statement) []*jen.Statement {
	var conditions []*jen.Statement
	for _, c := range checks {
		conditions = append(conditions, w.passesCheck(r, c, value))
	}
	return conditions
}

// comparisons are the operators between a value, or its size, and the number of a demand.
var comparisons = map[demand]string{
	minimum: ">=", maximum: "<=", above: ">", below: "<", multiple: "%", shortest: ">=", longest: "<=", fewest: ">=", most: "<=",
}

func (w *pairWriter) passesCheck(r *relation, c check, value *jen.Statement) *jen.Statement {
	compare := func(value *jen.Statement) *jen.Statement {
		return value.Op(comparisons[c.demand]).Add(number(c.number))
	}
	text := func() *jen.Statement { return w.as(&textType, mapping.Base(r.Source), value) }
	switch c.demand {
	case anyOf:
		return w.isAnyOf(r, c, value)
	case minimum, maximum, above, below:
		return compare(value.Clone())
	case multiple:
		return compare(value.Clone()).Op("==").Lit(0)
	case shortest, longest:
		if c.demand == shortest && c.number == 1 {
			return value.Clone().Op("!=").Lit("")
		}
		return compare(w.File.Standard("unicode/utf8", "RuneCountInString").Call(text()))
	case matching:
		return w.pattern(c).Dot("MatchString").Call(text())
	case formatted:
		return w.help(formats[c.text], text())
	case fewest, most:
		return compare(jen.Len(value.Clone()))
	case unique:
		return w.help("AreUnique", value, w.Helper("Itself").Index(w.Type(r.item.Source)))
	default:
		return w.help("AreUnique", value, w.key(r, false))
	}
}

// joined returns conditions joined by an operator.
func joined(operator string, conditions []*jen.Statement) *jen.Statement {
	all := conditions[0].Clone()
	for _, c := range conditions[1:] {
		all.Op(operator).Add(c)
	}
	return all
}

// isAnyOf returns the condition that a value is one of a list.
func (w *pairWriter) isAnyOf(r *relation, c check, value *jen.Statement) *jen.Statement {
	var listed []jen.Code
	for _, v := range c.values {
		if n, isNumber := v.(float64); isNumber {
			listed = append(listed, number(n))
		} else {
			listed = append(listed, jen.Lit(v))
		}
	}
	if len(listed) == 1 {
		return value.Clone().Op("==").Add(listed[0])
	}
	return w.File.Standard("slices", "Contains").Call(jen.Index().Add(w.Type(mapping.Base(r.Source))).Values(listed...), value)
}

// number returns a number in its usual notation.
func number(n float64) *jen.Statement {
	if n == math.Trunc(n) && math.Abs(n) <= 1<<53 {
		return jen.Lit(int(n))
	}
	return jen.Op(strconv.FormatFloat(n, 'g', -1, 64))
}

// pattern returns a variable that holds a regular expression.
func (w *pairWriter) pattern(c check) *jen.Statement {
	i := slices.IndexFunc(w.patterns, func(p patternVariable) bool { return p.text == c.text })
	if i < 0 {
		i = len(w.patterns)
		w.patterns = append(w.patterns, patternVariable{w.Names.Declare(gosyntax.Unexported(c.owner) + "Pattern"), c.text})
	}
	return jen.Id(w.patterns[i].name)
}

// A patternVariable is a variable for a regular expression.
type patternVariable struct{ name, text string }

// patternVariables writes the variables that conditions name.
func (w *pairWriter) patternVariables() {
	if len(w.patterns) == 0 {
		return
	}
	w.comment("The patterns that spec demands.", "")
	w.File.Var().DefsFunc(func(g *jen.Group) {
		for _, p := range w.patterns {
			text := strconv.Quote(p.text)
			if strconv.CanBackquote(p.text) {
				text = "`" + p.text + "`"
			}
			g.Id(p.name).Op("=").Add(w.File.Standard("regexp", "MustCompile")).Call(jen.Op(text))
		}
	})
	w.File.Line()
}

package lintrules

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

var ruleEffect = &linter.Rule{
	Name: "rule-effect",
	Doc:  "Rules compare fields with values that the schema admits, don't ask whether a field with a default is set, and hold for each update.",
	Source: linter.Source{
		Name: "Kubernetes, CustomResourceDefinitions: validation rules",
		URL:  "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules",
	},
	Why:      "The rule refuses or accepts other objects than its author means.",
	Severity: linter.Warning,
	Run: func(p *linter.Pass) {
		for _, k := range p.Kinds {
			checkRuleEffect(p, k, k.Root(k.Version))
		}
	},
}

// checkRuleEffect checks the rules of a value and of the values in it.
func checkRuleEffect(p *linter.Pass, k *linter.Kind, at schema.Cursor) {
	for _, written := range at.Schema.XValidations {
		marker, isAuthored := rules.RuleMarker(at.Markers(), written)
		rule, isRule := cel.Parse(written.Rule)
		names, _, _ := rules.Choice(written)
		if !isAuthored || !isRule || len(names) > 0 { // generate warns about choices
			continue
		}
		here := at
		here.Pos = marker
		if place, value, found := refusedLiteral(at, rule); found {
			p.Cursor(k, here, "the rule compares %s with %s, which the schema refuses: correct the rule or the schema", nameOf(place), schema.JSON(value))
		} else if place, as, found := orderedAsText(at, rule); found {
			p.Cursor(k, here, "the rule compares the texts of %s, so that 10h is less than 9m, and 10Gi than 9Mi: write %s", nameOf(place), as)
		} else if place, found := alwaysSet(at, rule); found {
			p.Cursor(k, here, "has(…) is always true for %s, whose default is filled in before rules run: compare its value, or remove the default", nameOf(place))
		} else if name := evasion(at, written); name != "" {
			p.Cursor(k, here, "users can remove %s and set it anew, which the rule doesn't see: %s", name, evasionRemedy(at, written, name))
		}
		if !seesNew(written) && hasOnlyLater(rule) {
			p.Cursor(k, here, "the API server applies the rule to updates alone, and so its conditions without oldSelf, too: make these a rule of their own")
		}
	}
	for below := range at.Below() {
		checkRuleEffect(p, k, below)
	}
}

// nameOf returns the name of the property that has a value, or its elements.
func nameOf(at schema.Cursor) string {
	for ; at.Above != nil; at = *at.Above {
		if last := at.Path[len(at.Path)-1]; last.Kind == schema.Property {
			return last.Name
		}
	}
	return "self"
}

// refusedLiteral returns a literal of a rule that the API server refuses where the rule compares it. Zero values may stand for
// an unset value.
func refusedLiteral(at schema.Cursor, rule *cel.Rule) (place schema.Cursor, value any, found bool) {
	for _, e := range rule.Nodes(ast.CallKind) {
		isComparison := cel.IsCall(e, operators.Equals, 2) || cel.IsCall(e, operators.NotEquals, 2)
		if !isComparison && !cel.IsCall(e, operators.In, 2) {
			continue
		}
		sides := e.Children()
		compared, literals := sides[0], sides[1:]
		switch {
		case isComparison && compared.Kind() == ast.LiteralKind:
			compared, literals = sides[1], sides[:1]
		case !isComparison && sides[1].Kind() == ast.ListKind:
			literals = sides[1].Children()
		}
		place, isPlace := placeOf(at, compared)
		if !isPlace {
			continue
		}
		of := *place.Schema
		of.XValidations = nil // which may be this rule
		for _, literal := range literals {
			if literal.Kind() != ast.LiteralKind {
				continue
			}
			switch value := literal.AsLiteral().Value().(type) {
			case string, int64, float64:
				if isZero := value == "" || value == int64(0); !isZero && !(apiserver.Upstream{}).Accepts(context.Background(), &of, value) {
					return place, value, true
				}
			}
		}
	}
	return schema.Cursor{}, nil, false
}

// inOrder says how rules compare values whose texts have another order.
var inOrder = map[model.Encoding]string{
	model.Duration: "duration(…) on both sides",
	model.Quantity: "quantity(string(…)).compareTo(quantity(string(…))) and compare that with 0",
}

// orderedAsText returns a duration or a quantity that a rule compares as a text, and how to compare it.
func orderedAsText(at schema.Cursor, rule *cel.Rule) (place schema.Cursor, as string, found bool) {
	orders := []string{operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals}
	for _, e := range rule.Nodes(ast.CallKind) {
		if !slices.ContainsFunc(orders, func(order string) bool { return cel.IsCall(e, order, 2) }) {
			continue
		}
		for _, side := range e.Children() {
			if cel.IsCall(side, "string", 1) {
				side = side.Children()[0]
			}
			if place, isPlace := placeOf(at, side); isPlace && place.Type != nil && inOrder[place.Type.Deref().Encoding()] != "" {
				return place, inOrder[place.Type.Deref().Encoding()], true
			}
		}
	}
	return schema.Cursor{}, "", false
}

// alwaysSet returns a field with a default for which a rule calls has() and doesn't read the value.
func alwaysSet(at schema.Cursor, rule *cel.Rule) (place schema.Cursor, found bool) {
	var tested []schema.Cursor
	read := map[string]bool{}
	for _, e := range rule.Nodes(ast.SelectKind) {
		place, isPlace := placeOf(at, e)
		switch {
		case !isPlace:
		case !e.AsSelect().IsTestOnly():
			read[place.Path.String()] = true
		case place.Schema.Default != nil && !place.Schema.Nullable:
			tested = append(tested, place)
		}
	}
	i := slices.IndexFunc(tested, func(place schema.Cursor) bool { return !read[place.Path.String()] })
	if i < 0 {
		return schema.Cursor{}, false
	}
	return tested[i], true
}

// placeOf returns the value that an expression of a rule stands for. It returns false if that isn't known.
func placeOf(at schema.Cursor, e ast.NavigableExpr) (place schema.Cursor, isPlace bool) {
	switch {
	case e.Kind() == ast.IdentKind:
		loop, isVariable := loopOf(e)
		if !isVariable {
			return at, e.AsIdent() == "self"
		}
		list, isPlace := placeOf(at, loop.Children()[0])
		place = list.Items() // the variable of a map has its keys
		return place, isPlace && place.Schema != nil && !loop.AsComprehension().HasIterVar2()
	case e.Kind() == ast.SelectKind, cel.IsCall(e, operators.Index, 2):
		around, isPlace := placeOf(at, e.Children()[0])
		if !isPlace {
			return place, false
		}
		place, isElement := around.Element()
		if !isElement && e.Kind() == ast.SelectKind {
			place = around.Property(unescaped(e.AsSelect().FieldName()))
		}
		return place, place.Schema != nil
	}
	return place, false
}

func unescaped(name string) string {
	if property, isEscaped := apiservercel.Unescape(name); isEscaped {
		return property
	}
	return name
}

// loopOf returns the loop that declares a variable, such as all(x, …).
func loopOf(variable ast.NavigableExpr) (loop ast.NavigableExpr, found bool) {
	below := variable
	for loop, ok := variable.Parent(); ok; loop, ok = loop.Parent() {
		if loop.Kind() == ast.ComprehensionKind {
			c, name := loop.AsComprehension(), variable.AsIdent()
			isInside := below.ID() != loop.Children()[0].ID()
			if isInside && (c.IterVar() == name || c.IterVar2() == name) {
				return loop, true
			}
		}
		below = loop
	}
	return nil, false
}

// seesNew reports whether the API server applies a rule with oldSelf to new values, too.
func seesNew(rule apiextensionsv1.ValidationRule) bool {
	return rule.OptionalOldSelf != nil && *rule.OptionalOldSelf
}

// hasOnlyLater reports whether a rule joins conditions that compare with the old value and conditions on the new one, which a new value
// may violate.
func hasOnlyLater(rule *cel.Rule) bool {
	isOfOld := map[int64]bool{} // by condition, where all must hold
	for _, e := range rule.Nodes(ast.IdentKind) {
		condition := e
		for around, ok := e.Parent(); ok; around, ok = around.Parent() {
			if !cel.IsCall(around, operators.LogicalAnd, 2) {
				condition = around
			}
		}
		// a test whether a field is set mostly guards the other conditions
		if chain, isChain := cel.ChainTo(condition); cel.IsSelf(e.AsIdent()) && !(isChain && chain.Tested) {
			isOfOld[condition.ID()] = isOfOld[condition.ID()] || e.AsIdent() == "oldSelf"
		}
	}
	all := slices.Collect(maps.Values(isOfOld))
	return slices.Contains(all, true) && slices.Contains(all, false)
}

// evasion returns the name of a field that users may remove, alone or with an object around it, and set anew, although a rule is for its
// updates: the API server applies such a rule only where the value was and is. It returns "" if a rule further out may see it.
func evasion(at schema.Cursor, rule apiextensionsv1.ValidationRule) string {
	isStatus := at.Path.HasPrefix(schema.Properties("status")) // which only Go writes
	if isStatus || seesNew(rule) || !cel.IsAboutUpdates(rule.Rule) || at.Path.HasPrefix(schema.Properties("spec", "initProvider")) {
		return ""
	}
	way := at.Way()
	for i := len(way) - 1; i > 0 && way[i].Path[len(way[i].Path)-1].Kind == schema.Property; i-- {
		name := way[i].Path[len(way[i].Path)-1].Name
		sees := func(rule apiextensionsv1.ValidationRule) bool {
			return strings.Contains(rule.Rule, "oldSelf") && (strings.Contains(rule.Rule, name) || !strings.Contains(rule.Rule, "oldSelf."))
		}
		isSeen := slices.ContainsFunc(way[:i], func(around schema.Cursor) bool { return slices.ContainsFunc(around.Schema.XValidations, sees) })
		if !way[i].Always() && !isSeen {
			return name
		}
	}
	return ""
}

// evasionRemedy says how to make a rule see each update.
func evasionRemedy(at schema.Cursor, rule apiextensionsv1.ValidationRule, name string) string {
	if at.Path.HasPrefix(forProvider) && strings.Join(strings.Fields(rule.Rule), "") == "self==oldSelf" {
		return "write +" + markers.Immutable + " instead"
	}
	return fmt.Sprintf("add the rule !has(oldSelf.%[1]s) || has(self.%[1]s) to the struct around it", name)
}

package compare

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// An implication tells which rules follow from those of the old schema of a kind.
type implication struct {
	old, new *props
	// given are the rules of the old schema, by the place that they have in common.
	given map[string][]cel.RuleAt
}

func newImplication(old, new *props) implication {
	return implication{old, new, map[string][]cel.RuleAt{}}
}

// holds reports whether what the old schema accepts satisfies a rule that the new one has at a
// path: other rules and bounds ask for as much, in another form or at another place.
func (i implication) holds(path schema.Path, rule apiextensionsv1.ValidationRule) bool {
	parsed, ok := cel.Parse(rule.Rule)
	if !ok || isOptional(rule) {
		return false
	}
	// Rules that stand around an element, and those in it, tell of different values.
	common := 0
	for n, step := range path {
		if step.Kind != schema.Property {
			common = n + 1
		}
	}
	was, is := schema.At(i.old, path[:common]), schema.At(i.new, path[:common])
	if was == nil || is == nil {
		return false
	}
	at := path[common:].Names()
	var premises []cel.RuleAt
	for _, chain := range parsed.Chains() {
		field := slices.Concat(at, chain.Names)
		if !readsAlike(was, is, field) {
			return false
		}
		premises = append(premises, bounding(was, field)...)
	}
	if hasNull(was, at) {
		return false
	}
	place := path[:common].String()
	if _, known := i.given[place]; !known {
		i.given[place] = rulesBelow(was, nil)
	}
	premises = append(premises, i.given[place]...)
	return cel.Implies(premises, cel.RuleAt{Rule: parsed, At: at}, cel.Facts{
		Always: func(names []string) bool {
			around := schema.At(was, schema.Properties(names[:len(names)-1]...))
			return around != nil && schema.Always(around, names[len(names)-1])
		},
		Type: func(names []string) string {
			s := schema.At(was, schema.Properties(names...))
			if s == nil || s.XIntOrString {
				return ""
			}
			return s.Type
		},
	})
}

func isOptional(rule apiextensionsv1.ValidationRule) bool {
	return rule.OptionalOldSelf != nil && *rule.OptionalOldSelf
}

// readsAlike reports whether rules read a field of two schemas in the same way, and null isn't one
// of its values.
func readsAlike(was, is *props, names []string) bool {
	for i := range names {
		step := schema.Step{Name: names[i]}
		below, now := schema.Child(was, step), schema.Child(is, step)
		if below == nil && now == nil {
			break // a key of a map, say
		}
		if below == nil || now == nil || below.Nullable || now.Nullable || !reflect.DeepEqual(decodeDefault(below), decodeDefault(now)) {
			return false
		}
		was, is = below, now
	}
	return reflect.DeepEqual(inRules(was), inRules(is)) && reflect.DeepEqual(defaultsIn(was), defaultsIn(is))
}

// hasNull reports whether null is a value of a field, or of one around it.
func hasNull(s *props, names []string) bool {
	for _, name := range names {
		if s = schema.Child(s, schema.Step{Name: name}); s == nil {
			return false
		}
		if s.Nullable {
			return true
		}
	}
	return false
}

// defaultsIn returns the defaults in the schemas below one, by their paths.
func defaultsIn(s *props) map[string]any {
	all := map[string]any{}
	var collect func(s *props, at schema.Path)
	collect = func(s *props, at schema.Path) {
		if len(at) > 0 && s.Default != nil {
			all[at.String()] = decodeDefault(s)
		}
		for step, below := range schema.Below(s) {
			collect(below, at.With(step))
		}
	}
	collect(s, nil)
	return all
}

// rulesBelow returns the rules of a schema, and of those that its properties lead to. Rules about
// what may be null aren't always asked.
func rulesBelow(s *props, at []string) []cel.RuleAt {
	var all []cel.RuleAt
	for _, rule := range slices.Concat(s.XValidations, alternatives(s)) {
		parsed, ok := cel.Parse(rule.Rule)
		readsNull := ok && slices.ContainsFunc(parsed.Chains(), func(c cel.Chain) bool { return hasNull(s, c.Names) })
		if ok && !readsNull && !isOptional(rule) {
			all = append(all, cel.RuleAt{Rule: parsed, At: at})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if property := s.Properties[name]; !property.Nullable {
			all = append(all, rulesBelow(&property, append(slices.Clip(at), name))...)
		}
	}
	return all
}

// alternatives returns rules that say what anyOf and oneOf do, if they do no more than require
// fields.
func alternatives(s *props) (all apiextensionsv1.ValidationRules) {
	add := func(rule cel.Expr) { all = append(all, apiextensionsv1.ValidationRule{Rule: rule.String()}) }
	for _, list := range [][]props{s.AnyOf, s.OneOf} {
		if branches, ok := requiring(list); ok && len(list) > 0 {
			add(cel.Or(branches...))
		}
	}
	branches, _ := requiring(s.OneOf)
	for i := range branches {
		for _, other := range branches[:i] {
			add(cel.Not(cel.And(branches[i], other)))
		}
	}
	return all
}

// requiring returns conditions that say what schemas do. It returns false if they say more than
// which fields are required, or rules can't name one.
func requiring(list []props) (branches []cel.Expr, ok bool) {
	for _, branch := range list {
		if !reflect.DeepEqual(branch, props{Required: branch.Required}) {
			return nil, false
		}
		conditions := []cel.Expr{cel.Literal("true")}
		for _, name := range branch.Required {
			if !cel.CanName(name) {
				return nil, false
			}
			conditions = append(conditions, cel.Self.Field(name).Has())
		}
		branches = append(branches, cel.And(conditions...))
	}
	return branches, true
}

// bounding returns rules that say of a field what its bounds and enum do.
func bounding(s *props, names []string) []cel.RuleAt {
	field := schema.At(s, schema.Properties(names...))
	if field == nil {
		return nil
	}
	var bounds []cel.Expr
	number := func(n *float64, operator string, isExclusive bool) {
		if n == nil {
			return
		}
		text := strconv.FormatFloat(*n, 'f', -1, 64)
		if field.Type == "number" && !strings.Contains(text, ".") {
			text += ".0"
		}
		if !isExclusive {
			operator += "="
		}
		bounds = append(bounds, cel.Op(cel.Self, operator, cel.Literal(text)))
	}
	size := func(n *int64, operator string) {
		if n != nil {
			bounds = append(bounds, cel.Op(cel.Call("size", cel.Self), operator, cel.Int(*n)))
		}
	}
	switch field.Type {
	case "integer", "number":
		number(field.Minimum, ">", field.ExclusiveMinimum)
		number(field.Maximum, "<", field.ExclusiveMaximum)
	case "string":
		size(field.MinLength, ">=")
		size(field.MaxLength, "<=")
		var values []cel.Expr
		for _, value := range field.Enum {
			if text, isText := decode(value.Raw).(string); isText {
				values = append(values, cel.Literal(strconv.Quote(text)))
			}
		}
		if len(values) > 0 && len(values) == len(field.Enum) {
			bounds = append(bounds, cel.Op(cel.Self, "in", cel.List(values...)))
		}
	case "array":
		size(field.MinItems, ">=")
		size(field.MaxItems, "<=")
	case "object":
		size(field.MinProperties, ">=")
		size(field.MaxProperties, "<=")
	}
	var all []cel.RuleAt
	for _, bound := range bounds {
		if parsed, ok := cel.Parse(bound.String()); ok {
			all = append(all, cel.RuleAt{Rule: parsed, At: names})
		}
	}
	return all
}

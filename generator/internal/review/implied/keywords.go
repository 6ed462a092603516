package implied

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/review/bounds"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// ruleFor returns the rule with the meaning of a keyword, or "" if the schema lacks the keyword or no rule has its
// meaning.
func ruleFor(k *schema.Keyword, s *props) string {
	switch {
	case !k.IsSet(s):
		return ""
	case k.Sign != 0:
		return bound(k, s)
	}
	switch k.Name {
	case "pattern":
		return "self.matches(" + strconv.Quote(s.Pattern) + ")"
	case "enum":
		return enum(s)
	case "anyOf":
		return branches(s, s.AnyOf, cel.Or)
	case "allOf":
		return branches(s, s.AllOf, cel.And)
	case "oneOf":
		return branches(s, s.OneOf, exactlyOne)
	case "not":
		return branches(s, []props{*s.Not}, func(of ...cel.Expr) cel.Expr { return cel.Not(of[0]) })
	default:
		return ""
	}
}

// isSet returns the rule that a property is set. Null satisfies the keyword required, and not the rule.
func isSet(root, name string) string { return cel.Var(root).Field(name).Has().String() }

// maxRepeated is the most often that a regular expression can repeat a part.
const maxRepeated = 1000

// textPattern returns the regular expression with the meaning of a keyword for texts, or "".
func textPattern(name string, s *props) string {
	switch {
	case name == "pattern":
		return s.Pattern
	case name == "minLength" && s.MinLength != nil && *s.MinLength <= maxRepeated:
		return fmt.Sprintf("^(?s:.{%d,})$", *s.MinLength)
	case name == "maxLength" && s.MaxLength != nil && *s.MaxLength <= maxRepeated:
		return fmt.Sprintf("^(?s:.{0,%d})$", *s.MaxLength)
	}
	return ""
}

// Patterns returns the regular expressions that all texts of a schema match.
func Patterns(s *props) []string {
	all := []string{textPattern("pattern", s), textPattern("minLength", s), textPattern("maxLength", s)}
	return slices.DeleteFunc(all, func(pattern string) bool { return pattern == "" })
}

// bound returns the rule for a bound of numbers, lengths or counts.
func bound(k *schema.Keyword, s *props) string {
	value, isExclusive := bounds.Of(k, s)
	field, operator := "self", ">"
	if k.Limits != "number" {
		field = "size(self)"
	}
	if k.Sign > 0 {
		operator = "<"
	}
	if !isExclusive {
		operator += "="
	}
	return fmt.Sprintf("%s %s %s", field, operator, strconv.FormatFloat(*value, 'f', -1, 64))
}

func enum(s *props) string {
	var values []string
	for _, value := range s.Enum {
		var decoded any
		if err := json.Unmarshal(value.Raw, &decoded); err != nil || decoded == nil {
			return "" // null isn't a value to compare with
		}
		values = append(values, schema.RawJSON(value.Raw))
	}
	return "self in [" + strings.Join(values, ", ") + "]"
}

// branches joins the rules of schemas that only require properties.
func branches(s *props, all []props, join func(of ...cel.Expr) cel.Expr) string {
	var conditions []cel.Expr
	for i := range all {
		condition, ok := requires(s, &all[i])
		if !ok {
			return ""
		}
		conditions = append(conditions, condition)
	}
	if len(conditions) == 0 {
		return ""
	}
	return join(conditions...).String()
}

// requires returns the condition that a schema which only requires properties of an object accepts it.
func requires(object, s *props) (cel.Expr, bool) {
	rest := props{Required: s.Required, Not: s.Not}
	if !reflect.DeepEqual(&rest, s) || len(s.Required) == 0 && s.Not == nil {
		return cel.Expr{}, false
	}
	var conditions []cel.Expr
	for _, name := range s.Required {
		// A property that is null counts as required, and not as set.
		if property, known := object.Properties[name]; !known || property.Nullable {
			return cel.Expr{}, false
		}
		conditions = append(conditions, cel.Var("self").Field(name).Has())
	}
	if s.Not != nil {
		condition, ok := requires(object, s.Not)
		if !ok {
			return cel.Expr{}, false
		}
		conditions = append(conditions, cel.Not(condition))
	}
	return cel.And(conditions...), true
}

// exactlyOne returns the condition that exactly one condition holds.
func exactlyOne(of ...cel.Expr) cel.Expr {
	var cases []cel.Expr
	for i := range of {
		var all []cel.Expr
		for j, condition := range of {
			if i != j {
				condition = cel.Not(condition)
			}
			all = append(all, condition)
		}
		cases = append(cases, cel.And(all...))
	}
	return cel.Or(cases...)
}

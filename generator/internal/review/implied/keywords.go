package implied

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A keyword is a keyword of a schema, and the rule with the same meaning. The rule is "" if the schema lacks the
// keyword, or no rule has its meaning.
type keyword struct {
	name string
	rule func(s *props) string
}

// keywords are the keywords that rules can express.
var keywords = []keyword{
	{"minimum", func(s *props) string { return bound(s.Minimum, s.ExclusiveMinimum, ">") }},
	{"maximum", func(s *props) string { return bound(s.Maximum, s.ExclusiveMaximum, "<") }},
	{"minLength", func(s *props) string { return size(s.MinLength, ">=") }},
	{"maxLength", func(s *props) string { return size(s.MaxLength, "<=") }},
	{"minItems", func(s *props) string { return size(s.MinItems, ">=") }},
	{"maxItems", func(s *props) string { return size(s.MaxItems, "<=") }},
	{"minProperties", func(s *props) string { return size(s.MinProperties, ">=") }},
	{"maxProperties", func(s *props) string { return size(s.MaxProperties, "<=") }},
	{"pattern", func(s *props) string {
		if s.Pattern == "" {
			return ""
		}
		return "self.matches(" + strconv.Quote(s.Pattern) + ")"
	}},
	{"enum", enum},
	{"anyOf", func(s *props) string { return branches(s, s.AnyOf, cel.Or) }},
	{"allOf", func(s *props) string { return branches(s, s.AllOf, cel.And) }},
	{"oneOf", func(s *props) string { return branches(s, s.OneOf, exactlyOne) }},
	{"not", func(s *props) string {
		if s.Not == nil {
			return ""
		}
		return branches(s, []props{*s.Not}, func(of ...cel.Expr) cel.Expr { return cel.Not(of[0]) })
	}},
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

func bound(limit *float64, exclusive bool, operator string) string {
	switch {
	case limit == nil:
		return ""
	case !exclusive:
		operator += "="
	}
	return fmt.Sprintf("self %s %s", operator, strconv.FormatFloat(*limit, 'f', -1, 64))
}

func size(limit *int64, operator string) string {
	if limit == nil {
		return ""
	}
	return fmt.Sprintf("size(self) %s %d", operator, *limit)
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
	if len(values) == 0 {
		return ""
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

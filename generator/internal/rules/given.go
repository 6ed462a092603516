package rules

import "github.com/mrgen-io/mrgen/generator/internal/model"

// A Value is a field that Go omits from JSON if it is empty.
type Value struct {
	JSONName string
	Type     *model.Type
}

// AnySet returns a rule for an object that at least one of its fields is set. Empty values
// such as "" don't count, since Go omits them when it sends the object. It returns false if
// rules can't name one of the fields.
func AnySet(values ...Value) (rule string, ok bool) {
	var set []string
	for _, v := range values {
		if !canName(v.JSONName) {
			return "", false
		}
		field := selection{root: "self"}.below(v.JSONName)
		conditions := []string{field.has()}
		if nonEmpty := v.nonEmpty(field.String()); nonEmpty != "" {
			conditions = append(conditions, nonEmpty)
		}
		set = append(set, and(conditions...))
	}
	return or(set...), true
}

// nonEmpty returns the condition that an expression with the value isn't empty, or "" if
// JSON omits no such value.
func (v Value) nonEmpty(expr string) string {
	switch t := v.Type; {
	case t.IsCollection(), t.Basic == "string":
		return "size(" + expr + ") > 0"
	case t.Kind != model.Basic:
		return ""
	case t.Basic == "bool":
		return expr
	case t.Basic == "float32", t.Basic == "float64":
		return expr + " != 0.0"
	default:
		return expr + " != 0"
	}
}

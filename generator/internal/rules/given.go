package rules

import "github.com/mrgen-io/mrgen/generator/internal/model"

// A Value is a field of an object that Go leaves out of JSON if there is nothing in it.
type Value struct {
	JSONName string
	Type     *model.Type
}

// Given returns a rule for an object, which holds if one of the values is there. A value
// that JSON omits, such as "", is not: the object must be valid as Go sends it, too. It
// returns false if rules can't name one of the values.
func Given(values ...Value) (rule string, ok bool) {
	var given []string
	for _, v := range values {
		if !reachable(v.JSONName) {
			return "", false
		}
		field := selection{root: "self"}.below(v.JSONName)
		conditions := []string{field.has()}
		if content := v.content(field.String()); content != "" {
			conditions = append(conditions, content)
		}
		given = append(given, and(conditions...))
	}
	return or(given...), true
}

// content returns the condition that there is something in a value, which is at an
// expression, or "" if JSON has all values.
func (v Value) content(expr string) string {
	switch t := v.Type; {
	case t.Kind == model.Slice && !t.Array, t.Kind == model.Map, t.Basic == "string":
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

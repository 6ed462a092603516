package rules

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/cel"
)

// A selection is a field of self, oldSelf or another expression, by the names that lead to it.
type selection struct {
	root  string
	names []string
}

// below returns a field of the selected object.
func (s selection) below(names ...string) selection {
	return selection{s.root, slices.Concat(s.names, names)}
}

// String returns the selection in CEL.
func (s selection) String() string {
	return strings.Join(append([]string{s.root}, escape(s.names)...), ".")
}

// has returns a condition that the field is set, provided that the object around it is.
func (s selection) has() string { return "has(" + s.String() + ")" }

// set returns the conditions that the field and every object around it are set.
func (s selection) set() []string {
	var conditions []string
	for i := range s.names {
		conditions = append(conditions, selection{s.root, s.names[:i+1]}.has())
	}
	return conditions
}

// canName reports whether rules can name a property.
func canName(name string) bool {
	_, ok := cel.Escape(name)
	return ok
}

// escape returns names of properties as rules write them.
func escape(names []string) []string {
	var all []string
	for _, name := range names {
		escaped, _ := cel.Escape(name)
		all = append(all, escaped)
	}
	return all
}

// dotted joins the names of properties for messages.
func dotted(names []string, more ...string) string {
	return strings.Join(append(slices.Clip(names), more...), ".")
}

// and and or join conditions, and parenthesize those that are joined themselves.
func and(conditions ...string) string { return join(" && ", conditions) }
func or(conditions ...string) string  { return join(" || ", conditions) }

func join(operator string, conditions []string) string {
	if len(conditions) == 1 {
		return conditions[0]
	}
	var parts []string
	for _, c := range conditions {
		parts = append(parts, parenthesize(c))
	}
	return strings.Join(parts, operator)
}

// isJoined reports whether a condition has an operator outside parentheses.
func isJoined(condition string) bool {
	depth := 0
	for i, r := range condition {
		switch r {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '|', '&':
			if depth == 0 && i > 0 {
				return true
			}
		}
	}
	return false
}

// parenthesize puts a condition in parentheses if it has an operator.
func parenthesize(condition string) string {
	if isJoined(condition) {
		return "(" + condition + ")"
	}
	return condition
}

func not(condition string) string { return "!" + parenthesize(condition) }

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// fieldPathOf returns the fieldPath of a rule, which has the names of properties unescaped.
// A name that rules can name contains no quote.
func fieldPathOf(names []string) string {
	var b strings.Builder
	for _, name := range names {
		if plainName.MatchString(name) {
			b.WriteString("." + name)
		} else {
			b.WriteString("['" + name + "']")
		}
	}
	return b.String()
}

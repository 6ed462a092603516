package rules

import (
	"regexp"
	"strings"

	"k8s.io/apiserver/pkg/cel"
)

// A selection is a field below self or oldSelf: the names that lead to it.
type selection struct {
	root  string
	names []string
}

// below returns a field of the object that s is.
func (s selection) below(names ...string) selection {
	return selection{s.root, append(append([]string(nil), s.names...), names...)}
}

// String returns the field in CEL. Its names can be escaped, see [reachable].
func (s selection) String() string {
	text := s.root
	for _, name := range s.names {
		escaped, _ := cel.Escape(name)
		text += "." + escaped
	}
	return text
}

// has returns a condition that holds if the field is set, in an object that is.
func (s selection) has() string { return "has(" + s.String() + ")" }

// set returns conditions that hold if the field is set, and all that lead to it.
func (s selection) set() []string {
	var conditions []string
	for i := range s.names {
		conditions = append(conditions, selection{s.root, s.names[:i+1]}.has())
	}
	return conditions
}

// reachable reports whether rules can name a property.
func reachable(name string) bool {
	_, ok := cel.Escape(name)
	return ok
}

// Reachable reports whether rules can name a property.
func Reachable(name string) bool { return reachable(name) }

// and and or join conditions. A condition that is itself joined is put in
// parentheses.
func and(conditions ...string) string { return join(" && ", conditions) }
func or(conditions ...string) string  { return join(" || ", conditions) }

func join(operator string, conditions []string) string {
	if len(conditions) == 1 {
		return conditions[0]
	}
	var parts []string
	for _, c := range conditions {
		if isJoined(c) {
			c = "(" + c + ")"
		}
		parts = append(parts, c)
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

func not(condition string) string {
	if isJoined(condition) {
		condition = "(" + condition + ")"
	}
	return "!" + condition
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// fieldPathOf returns the fieldPath of a rule, with the raw names of the
// properties. A name that can be reached has no quote in it.
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

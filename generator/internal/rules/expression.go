package rules

import (
	"regexp"
	"slices"
	"strings"
)

// dotted joins the names of properties for messages.
func dotted(names []string, more ...string) string {
	return strings.Join(append(slices.Clip(names), more...), ".")
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// fieldPathOf returns the fieldPath of a rule. Unlike expressions, a fieldPath doesn't escape the names of properties.
func fieldPathOf(names []string) string {
	var b strings.Builder
	for _, name := range names {
		if plainName.MatchString(name) {
			b.WriteString("." + name)
		} else {
			// no need to escape quotes: rules can't name a property that contains one
			b.WriteString("['" + name + "']")
		}
	}
	return b.String()
}

package fixes

import (
	"strings"
	"unicode"

	"github.com/gobuffalo/flect"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/stages/resolvers"
)

// purpose returns the comment of a companion, in the words of Crossplane's providers.
func purpose(c resolvers.Companion, m resolvers.Missing, values []string) string {
	what := withArticle(m.Target)
	if m.Slice {
		what = flect.Pluralize(m.Target)
	}
	switch {
	case c.Selector && m.Slice:
		what = "selects references to " + what
	case c.Selector:
		what = "selects a reference to " + what
	default:
		what = "references " + what
	}
	return c.Name + " " + what + " to retrieve " + diag.And(values) + "."
}

// withArticle puts the indefinite article before the name of a kind. It spells acronyms, and treats U as a
// consonant, as in Usage.
func withArticle(kind string) string {
	vowels := "AEIO"
	if runes := []rune(kind); len(runes) > 1 && unicode.IsUpper(runes[1]) {
		vowels = "AEFHILMNORSX"
	}
	if strings.ContainsAny(kind[:1], vowels) {
		return "an " + kind
	}
	return "a " + kind
}

// Package prose interprets the comments and names of fields: the values that a comment lists, and whether the order of a
// list matters. It guesses from words, so callers mark or report a guess.
package prose

import (
	"regexp"
	"slices"
	"strings"
)

// listed matches the introduction of a list of values.
var listed = regexp.MustCompile(`(?i)\b((possible|valid|allowed|accepted|supported|permitted) (values|options)( are| include)?( one of)?( the following)?|one of( the following( values| options)?)?):`)

// value matches a value with its quotes, and separator matches the text between two values.
var (
	value     = regexp.MustCompile("^[\"'`“]?([A-Za-z0-9][A-Za-z0-9_./+-]*)[\"'`”]?$")
	separator = regexp.MustCompile(`\s*(,|;|\||\n\s*[-*]|\n|\bor\b|\band\b)\s*`)
)

// Values returns the values that a comment lists, or none if they are uncertain.
func Values(doc string) []string {
	at := listed.FindStringIndex(doc)
	if at == nil || combined.MatchString(doc) {
		return nil
	}
	rest := doc[at[1]:]
	// After an empty line or a sentence, the comment is about something else.
	rest, _, _ = strings.Cut(strings.TrimLeft(rest, "\n "), "\n\n")
	if end := sentence.FindStringIndex(rest); end != nil {
		rest = rest[:end[0]]
	}
	var values []string
	for _, word := range separator.Split(strings.TrimRight(strings.TrimLeft(rest, " -*\n"), " .\n"), -1) {
		if word == "" {
			continue
		}
		m := value.FindStringSubmatch(strings.TrimRight(word, "."))
		if m == nil || slices.Contains(vague, strings.ToLower(m[1])) { // one uncertain value makes the list uncertain
			return nil
		}
		if !slices.Contains(values, m[1]) {
			values = append(values, m[1])
		}
	}
	return values
}

// combined matches comments about values that are combinations of values in the list.
var combined = regexp.MustCompile(`(?i)\b(combinations? of|one or more of)\b`)

// vague are words that replace values in a list.
var vague = []string{"etc", "any", "other", "others", "default", "empty", "more", "e.g", "i.e"}

var sentence = regexp.MustCompile(`\.(\s+[A-Z]|\s*$|\n)`)

// Keys are the names of fields that identify the items of a list.
var Keys = []string{"key", "name", "id"}

// IsSet reports whether the order of a list doesn't matter, judging by its name. Item is the name of the items' struct,
// and texts are the names of its text fields. Both are empty for a list of texts.
func IsSet(name, item string, texts []string) bool {
	switch {
	case sequences.MatchString(name) || sequences.MatchString(item):
		return false
	case item == "": // a list of texts
		return identifiers.MatchString(name)
	}
	return slices.ContainsFunc(texts, func(text string) bool { return slices.Contains(Keys, text) })
}

// SaysOrder reports whether a comment is about the order of items.
func SaysOrder(doc string) bool { return ordered.MatchString(inOrderTo.ReplaceAllString(doc, "")) }

var (
	// identifiers matches names of lists of unique values.
	identifiers = regexp.MustCompile(`(IDs|Ids|ARNs|Arns|URNs|Urns|UUIDs|Uuids|UIDs|GUIDs|Guids|SelfLinks|Names|CIDRs|Cidrs|(CIDR|Cidr)_?Blocks|(IP|Ip|Source|Destination)Ranges|Groups|Subnets|Subnetworks|Zones|Tags|Members|Users|Roles|Accounts|Principals|Scopes|Permissions|Privileges)$`)
	// sequences matches names of lists and items whose order matters, or that aren't identifiers.
	sequences = regexp.MustCompile(`(?i)(column|field|schema|sort|order|step|stage|action|command|argument|args|rule|route|filter|priorit|prefer|server|layer|processor|transform|chain|path|header|query|sequence|job|phase)`)
	// ordered matches comments on the order of items. inOrderTo matches a phrase that isn't about order.
	ordered   = regexp.MustCompile(`(?i)\b(order|ordered|ordering|priority|priorities|sequence|first|last|prefer\w*|primary|position|respective\w*|correspond\w*|must match)\b`)
	inOrderTo = regexp.MustCompile(`(?i)\bin order (to|for)\b`)
)

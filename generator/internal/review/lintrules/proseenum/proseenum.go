// Package proseenum is about the rule prose-enum.
package proseenum

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

// Rule is the rule.
var Rule = &linter.Rule{
	Name:   "prose-enum",
	Doc:    "Values that a comment lists are in the schema.",
	Source: "Managed Resources API Patterns, Pointer Types and Markers: example",
	URL:    "https://github.com/crossplane/crossplane/blob/main/design/one-pager-managed-resource-api-design.md#example",
	Why:    "The API server refuses a value with a typo, which the external API would refuse later, if at all.",
	Before: `// IPVersion of the address. Possible values: IPV4, IPV6
// +optional
IPVersion *string ` + "`" + `json:"ipVersion,omitempty"` + "`" + ``,
	After: `// IPVersion of the address.
// +kubebuilder:validation:Enum=IPV4;IPV6
// +optional
IPVersion *string ` + "`" + `json:"ipVersion,omitempty"` + "`" + ``,
	Severity: linter.Hint,
	Fix:      linter.Fix{Doc: "It adds the values as an enumeration.", Narrows: true},
	Run:      run,
}

// listed matches what introduces a list of values.
var listed = regexp.MustCompile(`(?i)\b(possible|valid|allowed|accepted|supported|permitted) (values|options)( are| include)?( one of)?( the following)?:`)

// value matches a value, with its quotes, and separator what is between two.
var (
	value     = regexp.MustCompile("^[\"'`“]?([A-Za-z0-9][A-Za-z0-9_./+-]*)[\"'`”]?$")
	separator = regexp.MustCompile(`\s*(,|;|\||\n\s*[-*]|\n|\bor\b|\band\b)\s*`)
)

func run(p *linter.Pass) {
	for _, f := range p.ManagedFields() {
		if f.Part&(linter.ForProvider|linter.InitProvider|linter.Spec) == 0 || !f.IsText() || !strings.Contains(f.Doc, ":") || f.IsReference() || isLimited(f) {
			continue
		}
		values := Values(f.Doc)
		if len(values) < 2 {
			continue
		}
		p.Field(f, []linter.Edit{linter.AddMarker(f, markers.Enum+"="+strings.Join(values, ";"))},
			"the comment of %s lists its values, and the schema accepts any: mark it +%s=%s", f.Name, markers.Enum, strings.Join(values, ";"))
	}
}

// isLimited reports whether the schema limits the values of a field.
func isLimited(f *linter.Field) bool {
	return model.Named(slices.Concat(f.Markers, f.Type.Deref().AllMarkers()), markers.Enum, markers.K8sEnum, markers.Pattern, markers.Format) != nil
}

// Values returns the values that a comment lists, or none if it is not certain which they are.
func Values(doc string) []string {
	at := listed.FindStringIndex(doc)
	if at == nil {
		return nil
	}
	rest := doc[at[1]:]
	// What follows an empty line, or a sentence, is about something else.
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
		if m == nil || slices.Contains(vague, strings.ToLower(m[1])) {
			return nil
		}
		if !slices.Contains(values, m[1]) {
			values = append(values, m[1])
		}
	}
	return values
}

// vague are words that stand for values.
var vague = []string{"etc", "any", "other", "others", "default", "empty", "more", "e.g", "i.e"}

var sentence = regexp.MustCompile(`\.(\s+[A-Z]|\s*$|\n)`)

package lintrules

import (
	"regexp"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var jsonSpelling = &linter.Rule{
	Name:     "json-spelling",
	Doc:      "A JSON name is not the field's Go name, a misspelt form of it, the only one in another style, or the Go name of another field.",
	Source:   kubernetesAPI.section("Naming conventions", "#naming-conventions"),
	Why:      "Users set the other field, and a misspelt name can't be changed later.",
	Severity: linter.Warning,
	Run:      checkJSONSpelling,
}

// capitalized matches names that begin with a capital, and not with an acronym, which often is meant.
var capitalized = regexp.MustCompile(`^[A-Z][a-z]`)

// isGoName reports whether a field has its Go name in JSON, with a capital.
func isGoName(f *linter.Field) bool { return f.JSONName == f.Name && capitalized.MatchString(f.Name) }

func checkJSONSpelling(p *linter.Pass) {
	odd := oddName(p)
	for _, k := range p.Kinds {
		for _, f := range k.Fields {
			if strings.EqualFold(f.JSONName, f.Name) {
				if isGoName(f) {
					p.Field(f, nil, "the JSON name %s begins with a capital: write %s, in a version to come if there are users", f.Name, gosyntax.Unexported(f.Name))
				}
				continue
			}
			for _, other := range f.DeclaringStruct.Fields {
				if other.Name != f.Name && strings.EqualFold(other.Name, f.JSONName) {
					p.Field(f, nil, "the JSON name %s is the Go name of another field, %s: swap or correct their tags", f.JSONName, other.Name)
				}
			}
			if odd == f.JSONName {
				p.Field(f, nil, "the JSON name %s is the only one with an underscore or a hyphen: write %s", odd, camelCase(odd))
			}
			name := gosyntax.Unexported(f.Name)
			if isSlip(f.JSONName, name) {
				p.Field(f, nil, "the JSON name %s looks like a misspelt %s: correct it, or rename the Go field", f.JSONName, recased(name, f.JSONName))
			}
		}
	}
}

// oddName returns the only JSON name of the provider's fields with a sign, among several without, or "".
func oddName(p *linter.Pass) string {
	const several = 5
	names, odd := map[string]bool{}, ""
	for _, f := range p.ManagedFields() {
		names[f.JSONName] = true
		if !strings.ContainsFunc(f.JSONName, isSign) || f.JSONName == odd {
			continue
		}
		if odd != "" {
			return ""
		}
		odd = f.JSONName
	}
	if len(names) <= several {
		return ""
	}
	return odd
}

// isSlip reports whether a name differs from another one by a letter or two that belong in its middle. An ending may be
// a plural, and a beginning an abbreviation.
func isSlip(name, meant string) bool {
	name, meant = strings.ToLower(camelCase(name)), strings.ToLower(meant)
	_, isNear := markers.Nearest(name, []string{meant})
	return isNear && name != meant && len(name) > 4 && name[0] == meant[0] && name[len(name)-1] == meant[len(meant)-1]
}

// recased returns a name with the capitals of another where both begin and end alike: a Go name such as VPCIDsRefs doesn't
// say where its words begin.
func recased(name, like string) string {
	n := 0
	for n < min(len(name), len(like)) && strings.EqualFold(name[:n+1], like[:n+1]) {
		n++
	}
	name = like[:n] + name[n:]
	for i := 1; i <= min(len(name), len(like))-n && strings.EqualFold(name[len(name)-i:], like[len(like)-i:]); i++ {
		name = name[:len(name)-i] + like[len(like)-i:]
	}
	return name
}

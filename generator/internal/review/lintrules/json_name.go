package lintrules

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var jsonName = &linter.Rule{
	Name:     "json-name",
	Doc:      "JSON names are in camel case, and the same as the Go names.",
	Source:   kubernetesAPI.section("Naming conventions", "#naming-conventions"),
	Why:      "Users need not look up how a name is spelt, and who reads the code finds the field that a manifest names.",
	Severity: linter.Warning,
	Run:      checkJsonName,
}

var camel = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)

func checkJsonName(p *linter.Pass) {
	for _, k := range p.Kinds {
		for _, f := range k.Fields {
			switch {
			case !camel.MatchString(f.JSONName):
				p.Field(f, nil,
					"the JSON name %q is not in camel case: write it as %s, in a version to come if there are users", f.JSONName, camelCase(f.JSONName))
			case !strings.EqualFold(f.Name, f.JSONName) && !related(letters(f.Name), letters(f.JSONName)):
				p.Field(f, nil, "%s is called %s in JSON: call it the same in both", f.Name, f.JSONName)
			}
		}
	}
}

// letters returns a name in lower case, without what separates its words, and with the word
// that Crossplane has in JSON for a reference.
func letters(name string) string { return plain.Replace(strings.ToLower(name)) }

var plain = strings.NewReplacer("_", "", "-", "", ".", "", "reference", "ref")

// related reports whether one of two names is a part of the other.
func related(a, b string) bool { return strings.Contains(a, b) || strings.Contains(b, a) }

// camelCase returns a name in camel case.
func camelCase(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		words[i] = gosyntax.Exported(w)
		if i == 0 {
			words[i] = gosyntax.Unexported(w)
		}
	}
	return strings.Join(words, "")
}

package lintrules

import (
	"regexp"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var jsonName = &linter.Rule{
	Name:     "json-name",
	Doc:      "JSON names are in camel case.",
	Source:   kubernetesAPI.section("Naming conventions", "#naming-conventions"),
	Why:      "Users need not look up how a name is spelt.",
	Severity: linter.Off,
	Read:     4, Worth: 1,
	Yields: []*linter.Rule{jsonSpelling},
	Run:    checkJsonName,
}

var camel = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)

func checkJsonName(p *linter.Pass) {
	for _, k := range p.Kinds {
		for _, f := range k.Fields {
			if !camel.MatchString(f.JSONName) && !isGoName(f) {
				p.Field(f, nil,
					"the JSON name %q is not in camel case: write it as %s, in a version to come if there are users", f.JSONName, camelCase(f.JSONName))
			}
		}
	}
}

// camelCase returns a name in camel case.
func camelCase(name string) string {
	words := strings.FieldsFunc(name, isSign)
	for i, w := range words {
		words[i] = gosyntax.Exported(w)
		if i == 0 {
			words[i] = gosyntax.Unexported(w)
		}
	}
	return strings.Join(words, "")
}

package lintrules

import "github.com/mrgen-io/mrgen/generator/internal/review/linter"

var longName = &linter.Rule{
	Name:     "long-name",
	Doc:      "A JSON name has at most 40 letters.",
	Source:   kubernetesAPI.section("Naming conventions", "#naming-conventions"),
	Why:      "Users can read it, and remember it.",
	Severity: linter.Hint,
	Run:      linter.EachField(checkLongName),
}

func checkLongName(p *linter.Pass, f *linter.Field) {
	if len(f.JSONName) > 40 {
		p.Field(f, nil, "the JSON name %s has %d letters: find a shorter one", f.JSONName, len(f.JSONName))
	}
}

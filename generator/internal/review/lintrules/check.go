package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var check = &linter.Rule{
	Name: "check",
	Doc:  "What mrgen guessed has been checked.",
	Source: linter.Source{
		Name: "mrgen, Make a kind from an SDK",
		URL:  "https://github.com/mrgen-io/mrgen/blob/main/docs/guide/kind-from-sdk.md",
	},
	Why:      "An SDK doesn't say everything that a kind must: which field is a secret, or what credentials look like.",
	Severity: linter.Warning,
	Run:      checkCheck,
}

func checkCheck(p *linter.Pass) {
	for at, text := range p.Remarks(markers.CheckComment) {
		p.File(at, text, nil, "this was guessed: %s Correct it if that is wrong, and delete the comment", text)
	}
}

package lintrules

import "github.com/mrgen-io/mrgen/generator/internal/review/linter"

var undecided = &linter.Rule{
	Name: "undecided",
	Doc:  "The decisions about kinds from an SDK are made.",
	Source: linter.Source{
		Name: "mrgen, Make a kind from an SDK",
		URL:  "https://github.com/mrgen-io/mrgen/blob/main/docs/guide/kind-from-sdk.md",
	},
	Why:      "The types of an SDK don't say everything that a kind must. The provider doesn't start a kind before its author has decided.",
	Severity: linter.Warning,
	Run:      checkUndecided,
}

func checkUndecided(p *linter.Pass) {
	for at, name := range p.Calls("internal/decisions", "Undecided") {
		p.File(at, name, nil, "%s is undecided: choose a candidate, change the code if it does something else, and write ByAuthor", name)
	}
}

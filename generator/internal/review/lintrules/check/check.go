// Package check is about the rule check.
package check

import (
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

// Word begins comments that say what was guessed.
const Word = "mrgen:check: "

// Rule is the rule.
var Rule = &linter.Rule{
	Name:   "check",
	Doc:    "What mrgen guessed has been checked.",
	Source: "mrgen, Make a kind from an SDK",
	URL:    "https://github.com/mrgen-io/mrgen/blob/main/docs/guide/kind-from-sdk.md",
	Why:    "An SDK doesn't say everything that a kind must: which field is a secret, or what credentials look like.",
	Before: `// ProjectID tells where the external resource is.
ProjectID int64 ` + "`" + `json:"projectId"` + "`" + ` // mrgen:check: the SDK takes any value for it, as pid.`,
	After: `// ProjectID tells where the external resource is.
ProjectID int64 ` + "`" + `json:"projectId"` + "`" + ``,
	Severity: linter.Warning,
	Run:      run,
}

func run(p *linter.Pass) {
	for at, text := range p.Remarks(Word) {
		p.File(at, text, nil, "this was guessed: %s Correct it if that is wrong, and delete the comment", text)
	}
}

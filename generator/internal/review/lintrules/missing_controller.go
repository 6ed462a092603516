package lintrules

import "github.com/mrgen-io/mrgen/generator/internal/review/linter"

var missingController = ofContract(linter.Rule{
	Name: "missing-controller",
	Doc:  "The selected packages have external clients.",
	Why:  "A check that looks at nothing passes.",
	Run: func(p *linter.Pass) {
		if len(p.Code.Clients) > 0 {
			return
		}
		for _, k := range p.Managed() {
			p.Kind(k, nil, nil,
				"no external client was found, for %s or any other kind: name the packages that have them in lint.controllers", k.Object.Name)
			return
		}
	},
})

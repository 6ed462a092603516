package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/review/controllers"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var comparedUnsent = ofContract(linter.Rule{
	Name: "compared-unsent",
	Doc:  "Update reads each field that Observe compares.",
	Why:  "The resource is never up to date, and is updated for ever.",
	Run: func(p *linter.Pass) {
		eachParameter(p, func(f *linter.Field, code *controllers.Field) {
			compared, read := code.Compared[kindOf(f.Kind)], code.ReadFor(kindOf(f.Kind))
			isUpdated := (read|code.AskedFor(kindOf(f.Kind)))&(controllers.InUpdate|controllers.Elsewhere) != 0
			if !isLeaf(f) || len(compared) == 0 || len(code.Read) == 0 || isUpdated || isFixed(f) || !updates(p, f) {
				return
			}
			p.Field(f, nil,
				"%s is compared by %s, but Update never reads it, so that a difference stays for ever: send it in Update, or mark it +immutable",
				f.Name, functions(compared))
		})
	},
})

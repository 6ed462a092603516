package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/review/controllers"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var unfilledObservation = ofContract(linter.Rule{
	Name: "unfilled-observation",
	Doc:  "Some code sets each field of status.atProvider.",
	Why:  "The field is documented, and never there.",
	Run: func(p *linter.Pass) {
		isWritten := func(c *controllers.Field) bool { return len(c.Written) > 0 }
		eachField(p, linter.AtProvider, func(f *linter.Field, _ *controllers.Field) {
			if !lacks(p, f, isWritten) || isWithin(p, f.ParentField, isWritten) || idle.MatchString(linter.Words(f.Doc)) {
				return
			}
			p.Field(f, nil, "no code sets %s, neither %s nor what it calls: set it in Observe, or remove the field", f.Name, looked(p, f))
		})
	},
})

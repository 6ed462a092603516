package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/review/controllers"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var uncomparedParameter = ofContract(linter.Rule{
	Name: "uncompared-parameter",
	Doc:  "Observe reads each field that Update reads, if status.atProvider mirrors it.",
	Why:  "A change of the field has no effect until another one is changed.",
	Run: func(p *linter.Pass) {
		eachParameter(p, func(f *linter.Field, code *controllers.Field) {
			read := code.ReadFor(kindOf(f.Kind))
			isObserved := read&(controllers.InObserve|controllers.AsWhole|controllers.Elsewhere) != 0 || read&controllers.InUpdate == 0
			if !isLeaf(f) || isObserved || !isMirrored(f) || isFixed(f) || !updates(p, f) {
				return
			}
			p.Field(f, nil,
				"Update reads %s, but Observe never does, so that changing it alone has no effect: compare it in Observe, or mark it +immutable",
				f.Name)
		})
	},
})

// isMirrored reports whether status.atProvider has the field, too, so that the API answers with it: others are about how to update.
func isMirrored(f *linter.Field) bool {
	observed := f.Kind.AtProvider()
	return f.IsTop() && observed != nil && observed.Field(f.JSONName) != nil
}

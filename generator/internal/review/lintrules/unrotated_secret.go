package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/review/controllers"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var unrotatedSecret = ofSecret(linter.Rule{
	Name: "unrotated-secret",
	Doc:  "A secret that Create sends, Update sends or Observe compares.",
	Why:  "A changed secret has no effect on the external resource.",
}, func(p *linter.Pass, f *linter.Field, code *controllers.Field) {
	read := code.ReadFor(kindOf(f.Kind))
	if read&controllers.InCreate == 0 || read&^(controllers.InCreate|controllers.InDelete) != 0 || isFixed(f) || !updates(p, f) {
		return
	}
	p.Field(f, nil, "only Create reads %s, so that a changed secret has no effect: send it in Update, or mark it +immutable", f.Name)
})

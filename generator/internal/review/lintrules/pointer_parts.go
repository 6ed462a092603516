package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var pointerParts = &linter.Rule{
	Name:     "pointer-parts",
	Doc:      "The spec of a managed resource and its forProvider are structs, and no pointers.",
	Source:   providerTemplate.section("sample types", ""),
	Why:      "Methods and controllers read both without looking whether they are nil, and crash on an object without them.",
	Severity: linter.Error,
	Run:      linter.EachManaged(checkPointerParts),
}

func checkPointerParts(p *linter.Pass, k *linter.Kind) {
	for _, f := range []*model.Field{k.Object.Spec, k.Object.Spec.Part("forProvider")} {
		if f != nil && f.Type.Kind == model.Pointer {
			p.Detail(k, f.Pos, f.Name, "%s is a pointer, and code doesn't look whether it is nil: write %s", f.Name, f.Type.Deref().Name)
		}
	}
}

package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var embeddedKind = &linter.Rule{
	Name:     "embedded-kind",
	Doc:      "A type with metadata that is a part of a kind is a kind by itself only if a marker says so.",
	Source:   linter.Source{Name: "Kubebuilder, CRD generation", URL: "https://book.kubebuilder.io/reference/generating-crd.html"},
	Why:      "controller-gen and mrgen write a CRD for each struct that embeds TypeMeta and ObjectMeta, and clusters get a kind that nobody reconciles.",
	Severity: linter.Warning,
	Run: func(p *linter.Pass) {
		parts := map[*model.Type]bool{}
		for _, k := range p.Kinds {
			for _, f := range k.Fields {
				parts[f.Type.Leaf()] = true
			}
		}
		for _, k := range p.Kinds {
			isMarked := k.Object.HasMarker(markers.ObjectRoot) && !k.Object.HasMarker(markers.ObjectRoot+"=false")
			if parts[k.Object.Type] && !isMarked {
				p.Kind(k, nil, nil, "%s is a part of another kind, and gets a CRD, since it embeds TypeMeta and ObjectMeta: mark it +%s=true, or leave out one of them",
					k.Object.Name, markers.ObjectRoot)
			}
		}
	},
}

package lintrules

import (
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var crdMetadata = &linter.Rule{
	Name:     "crd-metadata",
	Doc:      "A managed kind has no labels and annotations by marker, which Crossplane drops.",
	Source:   mrdDesign,
	Why:      "Crossplane 2 makes the definition of a managed kind from its ManagedResourceDefinition, without labels and annotations.",
	Severity: linter.Warning,
	Run:      linter.EachManaged(checkCrdMetadata),
}

func checkCrdMetadata(p *linter.Pass, k *linter.Kind) {
	for _, m := range k.Object.Type.Markers {
		if strings.HasPrefix(m.Text, markers.Metadata+":") {
			p.Detail(k, m.Pos, "metadata",
				"Crossplane makes the definition of %s without the labels and annotations of +%s: remove the marker", k.Object.Name, markers.Metadata)
		}
	}
}

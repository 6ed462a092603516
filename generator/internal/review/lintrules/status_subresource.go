package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var statusSubresource = &linter.Rule{
	Name:     "status-subresource",
	Doc:      "A kind with a status has the status subresource.",
	Source:   providerTemplate.section("sample types", ""),
	Why:      "Without it the controller cannot update the status, which crossplane-runtime does at every reconciliation.",
	Severity: linter.Error,
	Fix:      linter.Fix{Doc: "It adds the marker."},
	Run:      checkStatusSubresource,
}

func checkStatusSubresource(p *linter.Pass) {
	for _, k := range p.Kinds {
		if s := k.APIVersion().Subresources; k.Object.Status != nil && (s == nil || s.Status == nil) {
			p.Kind(k, nil, []diag.Edit{linter.AddTypeMarker(k.Object.Type, markers.StatusSubresource)},
				"%s has no status subresource, without which its controller can't update the status: add +%s", k.Object.Name, markers.StatusSubresource)
		}
	}
}

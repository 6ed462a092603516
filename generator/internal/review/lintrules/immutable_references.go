package lintrules

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var immutableReferences = &linter.Rule{
	Name:     "immutable-references",
	Doc:      "The reference of an immutable value is immutable, and its selector never is.",
	Source:   apiPatterns.section("Immutable Properties", "#immutable-properties"),
	Why:      "If the reference changes, the API server refuses its new value at every reconciliation. A selector only says how a reference is found.",
	Severity: linter.Off,
	Read:     5, Worth: 0,
	Once: true,
	Fix:  linter.Fix{Doc: "It marks references immutable, and takes the marker off selectors.", Narrows: true},
	Run:  linter.EachField(checkImmutableReferences),
}

func checkImmutableReferences(p *linter.Pass, f *linter.Field) {
	if f.Part&(linter.ForProvider|linter.InitProvider) == 0 || !f.IsReference() {
		return
	}
	value, marked := f.Value(), f.Marker(markers.Immutable, markers.K8sImmutable)
	switch {
	case marked != nil && (f.IsSelector() || value == nil && strings.HasSuffix(f.Type.Leaf().Name, "Selector")):
		p.At(f, marked.Pos, slices.Concat(f.Markers, f.DeclaringStruct.Markers), []diag.Edit{linter.RemoveMarker(*marked, "")},
			"%s is a selector, which only says how a reference is found: remove +%s", f.Name, marked.Text)
	case marked == nil && value != nil && value.MarkedImmutable() && !f.IsSelector():
		p.Field(f, []diag.Edit{linter.AddMarker(f, markers.Immutable)},
			"%s refers to what %s is taken from, which is immutable: mark it +%s", f.Name, value.Name, markers.Immutable)
	}
}

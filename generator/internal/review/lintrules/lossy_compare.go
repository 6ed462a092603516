package lintrules

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/controllers"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var lossyCompare = ofContract(linter.Rule{
	Name: "lossy-compare",
	Doc:  "Values are compared, not pointers, and lists without an order as sets.",
	Why:  "The resource is updated for ever: no address is that of another value, and the API may sort its answer.",
	Run: func(p *linter.Pass) {
		eachParameter(p, func(f *linter.Field, code *controllers.Field) {
			for _, at := range code.ByAddress {
				p.Field(f, nil, "%s compares the address of %s at %s, which is never that of the API's value: compare the values", at.Function, f.Name, at.Pos)
			}
			if len(code.InOrder) > 0 && f.HasMarker("listType") && !hasText(f, "listType=atomic") {
				p.Field(f, nil,
					"%s compares %s in order at %s, but the list has none: compare sets", code.InOrder[0].Function, f.Name, code.InOrder[0].Pos)
			}
		})
	},
})

// hasText reports whether a field bears a marker with that text.
func hasText(f *linter.Field, text string) bool {
	return slices.ContainsFunc(f.Markers, func(m model.Marker) bool { return strings.TrimSpace(m.Text) == text })
}

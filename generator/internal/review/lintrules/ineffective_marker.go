package lintrules

import (
	"cmp"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var ineffectiveMarker = &linter.Rule{
	Name:     "ineffective-marker",
	Doc:      "Each marker has an effect: no later one overrides it, and its struct is declared in this module.",
	Source:   linter.Source{Name: "Kubebuilder, Markers", URL: "https://book.kubebuilder.io/reference/markers.html"},
	Why:      "The schema has fewer limits than the source shows, and a secret that is marked in another module isn't treated as one.",
	Severity: linter.Warning,
	Read:     1, Worth: 1,
	Run: checkIneffectiveMarker,
}

func checkIneffectiveMarker(p *linter.Pass) {
	const foreign = "the marker +%s in %s.%s has no effect, since that struct is declared in another module: declare it in this one"
	unread := map[*model.Type]string{}
	for _, k := range p.Kinds {
		model.EachField(k.Object.Type.Fields, func(f *model.Field) bool {
			if held := f.Type.Leaf(); f.Inline && unreadIn(held, unread) != "" { // the fields of the API are the embedded struct's
				p.Detail(k, f.Pos, f.Name, foreign, unread[held], held.Package, held.Name)
			}
			return f.Type.Leaf().Local
		})
		for _, f := range k.Fields {
			for _, m := range slices.Concat(f.Markers, f.DeclaringStruct.Markers, f.Type.Leaf().Markers) {
				if m.Overridden != nil {
					p.At(f, m.Pos, f.Markers, nil, "the marker +%s has no effect, since the one at %d:%d counts: remove one of them",
						m.Name(), m.Overridden.Pos.Line, m.Overridden.Pos.Column)
				}
			}
			if held := f.Type.Leaf(); unreadIn(held, unread) != "" {
				p.Field(f, nil, foreign, unread[held], held.Package, held.Name)
			}
		}
	}
}

// unreadIn returns the first of mrgen's markers in a struct of another module, or in the types that it consists of, or "".
func unreadIn(t *model.Type, known map[*model.Type]string) string {
	if _, seen := known[t]; !seen && !t.Local {
		known[t] = t.Unread // a type may be part of itself
		for _, f := range t.Fields {
			known[t] = cmp.Or(known[t], unreadIn(f.Type.Leaf(), known))
		}
	}
	return known[t]
}

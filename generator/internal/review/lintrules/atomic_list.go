package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var atomicList = &linter.Rule{
	Name:   "atomic-list",
	Doc:    "The items of a list in spec.forProvider that hold references are told apart by a key.",
	Source: linter.Source{Name: "crossplane/crossplane issue 4617", URL: "https://github.com/crossplane/crossplane/issues/4617"},
	Why: "A list without keys belongs to one writer: applying it again deletes the values that the provider has resolved into its items, " +
		"and the provider resolves them again, and so on.",
	Severity: linter.Warning,
	Read:     9, Worth: 6,
	Fix: linter.Fix{Doc: "It marks lists whose items have a required name, key or id.", Narrows: true},
	Run: linter.EachField(checkAtomicList),
}

func checkAtomicList(p *linter.Pass, f *linter.Field) {
	if f.Part&(linter.ForProvider|linter.InitProvider) == 0 || !f.IsValue() || f.List == nil {
		return
	}
	for list := f.List; list != nil; list = list.List { // the ones around it, too
		reportAtomic(p, f, list)
	}
}

// reportAtomic reports a list whose items have the value of a reference.
func reportAtomic(p *linter.Pass, f, list *linter.Field) {
	advice, edits := "give its items a key, and mark it +listType=map and +listMapKey", []diag.Edit(nil)
	if key := keyOf(list.Type.Leaf()); key != "" && list.Type.Deref().Kind == model.Slice {
		advice = "mark it +listType=map and +listMapKey=" + key
		edits = []diag.Edit{linter.AddMarker(list, markers.ListMapKey+"="+key), linter.AddMarker(list, markers.ListType+"=map")}
	}
	if list.Marker(markers.ListType, markers.K8sListType) != nil {
		edits = nil // the author has said otherwise
	}
	p.Field(list, edits,
		"the items of %s have references, such as the one of %s, and no key, so applying the list deletes resolved values: %s",
		list.Name, f.Name, advice)
}

// atomicListKeys are the names of fields that tell items apart.
var atomicListKeys = []string{"name", "key", "id"}

// keyOf returns the field that tells the items of a list apart, or "".
func keyOf(item *model.Type) string {
	for _, name := range atomicListKeys {
		f := item.Field(name)
		if f != nil && f.Required && f.Type.Kind == model.Basic && f.OwnMarker(markers.ReferenceType) == nil {
			return name
		}
	}
	return ""
}

package lintrules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/review/prose"
	"github.com/mrgen-io/mrgen/markers"
)

var listOrder = &linter.Rule{
	Name: "list-order",
	Doc:  "A list in spec.forProvider whose order means nothing is not compared by order.",
	Source: linter.Source{
		Name: "Kubernetes API Conventions, Lists of named subobjects preferred over maps; merge strategies of lists",
		URL:  "https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy",
	},
	Why:      "Many APIs return IDs and tags in an order of their own. Diff then names the list, and the controller updates the resource, at every reconciliation.",
	Severity: linter.Warning,
	Fix:      linter.Fix{Doc: "It has Diff compare the list as a set."},
	Run:      linter.EachManaged(checkListOrder),
}

func checkListOrder(p *linter.Pass, k *linter.Kind) {
	if !hasDiff(k) {
		return
	}
	for _, f := range k.Fields {
		if f.Part != linter.ForProvider || f.HasMarker(markers.ListType, markers.K8sListType) || p.Secret(f.Field) != "" || isDecided(f) {
			continue
		}
		if isSet, stronger := isSet(f); isSet && !prose.SaysOrder(linter.Words(f.Doc)) {
			p.Field(f, []diag.Edit{linter.AddMarker(f, markers.Diff+"=unordered")},
				"Diff compares %s in order, which few APIs keep: mark it +%s=unordered%s", f.Name, markers.Diff, stronger)
		}
	}
}

// hasDiff reports whether mrgen writes the method Diff of spec.forProvider, unless a marker leaves it out:
// status.atProvider mirrors spec.forProvider, and the author wrote no such method.
func hasDiff(k *linter.Kind) bool {
	desired, observed := k.ForProvider(), k.AtProvider()
	if desired == nil || observed == nil {
		return false
	}
	if at, found := desired.Methods["Diff"]; found && !isGenerated(at) {
		return false
	}
	// The author may embed the generated mirror in another struct.
	return isGenerated(observed.Pos) || slices.ContainsFunc(observed.Fields, func(f *model.Field) bool {
		return f.Inline && isGenerated(f.Type.Deref().Pos)
	})
}

// isGenerated reports whether a position is in a file of mrgen or of a similar generator.
func isGenerated(at diag.Position) bool {
	return strings.HasPrefix(path.Base(at.File), "zz_generated.")
}

// isDecided reports whether a marker says how to compare the field, there or around it.
func isDecided(f *linter.Field) bool {
	for at := f; at != nil; at = at.ParentField {
		if at.HasMarker(markers.Diff) {
			return true
		}
	}
	o := f.Kind.Object
	return model.FindMarker(o.Type.Markers, markers.Diff) != nil || model.FindMarker(o.Package.Markers, markers.Diff) != nil
}

// isSet reports whether the order of a list means nothing: its items are identifiers, or have a
// key. It also returns advice to say so to the API server, if that is possible.
func isSet(f *linter.Field) (ok bool, stronger string) {
	const advice = "; +" + markers.ListType + "=%s is stronger, if no two items have the same %s"
	t := f.Type.Deref()
	if !t.IsSlice() || t.Marshals {
		return false, ""
	}
	item := t.Elem.Deref()
	if item.Kind != model.Struct {
		return linter.IsText(item) && prose.IsSet(f.Name, "", nil), fmt.Sprintf(advice, "set", "value")
	}
	var texts []string
	for _, name := range prose.Keys {
		if key := item.Field(name); key != nil && linter.IsText(key.Type.Deref()) {
			texts = append(texts, name)
			if key.Required && len(texts) == 1 {
				stronger = fmt.Sprintf(advice, "map with +"+markers.ListMapKey+"="+name, name)
			}
		}
	}
	return len(texts) > 0 && prose.IsSet(f.Name, item.Name, texts), stronger
}

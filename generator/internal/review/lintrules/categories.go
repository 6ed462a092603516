package lintrules

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var categories = &linter.Rule{
	Name:     "categories",
	Doc:      "A managed kind has the categories crossplane and managed, and one that is named after the provider.",
	Source:   providerTemplate.section("sample types", ""),
	Why:      "kubectl get managed lists all managed resources, and kubectl get with the name of a provider lists its own.",
	Severity: linter.Warning,
	Read:     9, Worth: 9,
	Once: true,
	Fix:  linter.Fix{Doc: "It adds the categories to the marker, unless an MRD has been written, whose names are immutable."},
	Run:  checkCategories,
}

// ofProvider stands for a category that kinds of one provider share.
const ofProvider = "that of the provider"

func checkCategories(p *linter.Pass) {
	provider := usual(p.Managed())
	for _, k := range p.Managed() {
		have := k.CRD.Spec.Names.Categories
		want := slices.Clone(have)
		var missing []string
		for _, c := range []string{"crossplane", "managed"} {
			if !slices.Contains(have, c) {
				missing = append(missing, c)
				want = append(want, c)
			}
		}
		if ownCategory(have) == "" {
			if provider == "" {
				missing = append(missing, ofProvider)
			} else {
				missing = append(missing, provider)
				want = append(want, provider)
			}
		}
		if own := ownCategory(have); !slices.Contains(have, provider) {
			if near, isMisspelt := misspelt(own, []string{provider}); isMisspelt {
				p.Kind(k, nil, nil, "%s has the category %s, and other kinds have %s: write the same in +%s", k.Object.Name, own, near, markers.Resource)
			}
		}
		if len(missing) == 0 {
			continue
		}
		noun, them := "the categories", "them"
		switch {
		case len(missing) == 1 && missing[0] == ofProvider:
			noun, them, missing[0] = "a category", "one", "of its provider"
		case len(missing) == 1:
			noun, them = "the category", "it"
		}
		p.Kind(k, nil, edits(p, k, want), "%s lacks %s %s: add %s to +%s", k.Object.Name, noun, diag.And(missing), them, markers.Resource)
	}
}

// usual returns the category that most kinds have beside Crossplane's, or "".
func usual(kinds []*linter.Kind) string {
	counts, most := map[string]int{}, ""
	for _, k := range kinds {
		if c := ownCategory(k.CRD.Spec.Names.Categories); c != "" {
			counts[c]++
			if counts[c] > counts[most] || counts[c] == counts[most] && c < most {
				most = c
			}
		}
	}
	return most
}

// ownCategory returns the first category that is not Crossplane's, or "".
func ownCategory(categories []string) string {
	for _, c := range categories {
		if c != "crossplane" && c != "managed" {
			return c
		}
	}
	return ""
}

// categoriesListed matches the categories in the arguments of a marker.
var categoriesListed = regexp.MustCompile(`categories=(\{[^}]*\}?|[^,]*)`)

// edits returns those that give a kind its categories. Those of an MRD that is shipped are
// immutable.
func edits(p *linter.Pass, k *linter.Kind, categories []string) []diag.Edit {
	if p.MRDDir != "" && p.Exists(path.Join(p.MRDDir, k.FileName())) {
		return nil
	}
	list := "categories={" + strings.Join(categories, ",") + "}"
	for i, m := range k.Object.Type.Markers {
		rest, found := strings.CutPrefix(m.Text, markers.Resource+":")
		if !found {
			continue
		}
		with := m.Text + "," + list
		if at := categoriesListed.FindStringIndex(rest); at != nil {
			with = markers.Resource + ":" + rest[:at[0]] + list + rest[at[1]:]
		}
		return []diag.Edit{linter.RemoveMarker(k.Object.Type.Markers[i], with)}
	}
	return []diag.Edit{linter.AddTypeMarker(k.Object.Type, markers.Resource+":"+list)}
}

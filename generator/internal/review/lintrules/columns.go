package lintrules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var columns = &linter.Rule{
	Name:     "columns",
	Doc:      "kubectl get shows READY, SYNCED and AGE of a managed resource, and AGE of another kind with columns.",
	Source:   providerTemplate.section("sample types", ""),
	Why:      "Users see at a glance whether a resource is there and in sync, in the same way for all providers.",
	Severity: linter.Warning,
	Read:     6, Worth: 6,
	Once: true,
	Fix:  linter.Fix{Doc: "It adds the columns that are missing, and replaces others with their names."},
	Run: func(p *linter.Pass) {
		for _, k := range p.Kinds {
			checkColumns(p, k)
		}
	},
}

// columnsColumns are the columns of all managed resources.
var columnsColumns = []struct{ name, typ, path string }{
	{"READY", "string", ".status.conditions[?(@.type=='Ready')].status"},
	{"SYNCED", "string", ".status.conditions[?(@.type=='Synced')].status"},
	{"AGE", "date", ".metadata.creationTimestamp"},
}

func checkColumns(p *linter.Pass, k *linter.Kind) {
	shown := k.APIVersion().AdditionalPrinterColumns
	var missing []string
	var edits []diag.Edit
	wanted := columnsColumns
	switch {
	case k.Managed():
	case len(shown) == 0: // kubectl shows AGE
		return
	default:
		wanted = wanted[len(wanted)-1:]
	}
	for _, c := range wanted {
		// Quotes may be of either sort.
		if slices.ContainsFunc(shown, func(s apiextensionsv1.CustomResourceColumnDefinition) bool {
			return strings.ReplaceAll(s.JSONPath, `"`, "'") == c.path
		}) {
			continue
		}
		missing = append(missing, c.name)
		marker := fmt.Sprintf("%s:name=%q,type=%q,JSONPath=%q", markers.PrintColumn, c.name, c.typ, c.path)
		edit := linter.AddTypeMarker(k.Object.Type, marker)
		named := regexp.MustCompile(`(?i)^` + markers.PrintColumn + `:(.*,)?name="?` + c.name + `"?(,|$)`)
		for _, m := range k.Object.Type.Markers {
			if named.MatchString(m.Text) {
				edit = linter.RemoveMarker(m, marker) // a second column of that name would help nobody
			}
		}
		edits = append(edits, edit)
	}
	if len(missing) > 0 {
		p.Kind(k, nil, edits, "kubectl get doesn't show %s of %s: add or correct its marker +%s", diag.And(missing), k.Object.Name, markers.PrintColumn)
	}
}

package lintrules

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var statusFields = &linter.Rule{
	Name:     "status-fields",
	Doc:      "A field of status has omitempty in its tag, and is marked neither optional nor required.",
	Source:   apiPatterns.section("Pointer Types and Markers", "#pointer-types-and-markers"),
	Why:      "Fields that weren't observed are omitted and not shown as zero, and no update of the status is refused for a missing field.",
	Severity: linter.Off,
	Read:     5, Worth: 2,
	Fix: linter.Fix{Doc: "It adds omitempty to the tag, and removes the markers."},
	Run: linter.EachField(checkStatusFields),
}

func checkStatusFields(p *linter.Pass, f *linter.Field) {
	if !f.In(linter.AtProvider|linter.Status) || isKey(f) {
		return
	}
	var advice []string
	var edits []diag.Edit
	if !f.Omits() {
		advice = append(advice, "add omitempty to its tag")
		edits = append(edits, linter.AddOption(f, "omitempty"))
	}
	for _, marked := range []struct {
		names []string
		word  string
	}{{linter.Optionals, "optional"}, {linter.Requireds, "required"}} {
		if m := f.Marker(marked.names...); m != nil {
			advice = append(advice, "remove +"+m.Text)
			edits = append(edits, linter.RemoveMarkers(f, marked.names...)...)
		}
	}
	if len(advice) > 0 {
		p.Field(f, edits, "%s is observed, and there or not as the external API has it: %s", f.Name, diag.And(advice))
	}
}

// isKey reports whether a field tells the items of a list apart, which it has to be required for.
func isKey(f *linter.Field) bool {
	return f.ParentField != nil && slices.ContainsFunc(f.ParentField.Markers, func(m model.Marker) bool {
		return (m.Name() == markers.ListMapKey || m.Name() == markers.K8sListMapKey) && strings.HasSuffix(m.Text, "="+f.JSONName)
	})
}

// Package listorder is about the rule list-order.
package listorder

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

// Rule is the rule.
var Rule = &linter.Rule{
	Name:   "list-order",
	Doc:    "A list in spec.forProvider whose order means nothing is not compared by order.",
	Source: "Kubernetes API Conventions, Lists of named subobjects preferred over maps; merge strategies of lists",
	URL:    "https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy",
	Why:    "Many APIs return IDs and tags in an order of their own. Diff then names the list at every reconciliation, and the controller updates the resource without end.",
	Before: `// SecurityGroupIDs of the instance.
// +optional
SecurityGroupIDs []string ` + "`" + `json:"securityGroupIds,omitempty"` + "`" + ``,
	After: `// SecurityGroupIDs of the instance.
// +optional
// +mrgen:diff=unordered
SecurityGroupIDs []string ` + "`" + `json:"securityGroupIds,omitempty"` + "`" + ``,
	Severity: linter.Warning,
	Fix:      linter.Fix{Doc: "It has Diff compare the list as a set."},
	Run:      run,
}

func run(p *linter.Pass) {
	for _, k := range p.Managed() {
		if !k.HasDiff() {
			continue
		}
		for _, f := range k.Fields {
			if f.Part != linter.ForProvider || f.HasMarker(markers.ListType, markers.K8sListType) || p.Secret(f.Field) != "" || isDecided(f) {
				continue
			}
			if isSet, stronger := isSet(f); isSet && !SaysOrder(linter.Words(f.Doc)) {
				p.Field(f, []linter.Edit{linter.AddMarker(f, markers.Diff+"=unordered")},
					"Diff compares %s in order, which few APIs keep: mark it +%s=unordered%s", f.Name, markers.Diff, stronger)
			}
		}
	}
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
		return linter.IsText(item) && IsSet(f.Name, "", nil), fmt.Sprintf(advice, "set", "value")
	}
	var texts []string
	for _, name := range keys {
		if key := item.Field(name); key != nil && linter.IsText(key.Type.Deref()) {
			texts = append(texts, name)
			if key.Required && len(texts) == 1 {
				stronger = fmt.Sprintf(advice, "map with +"+markers.ListMapKey+"="+name, name)
			}
		}
	}
	return len(texts) > 0 && IsSet(f.Name, item.Name, texts), stronger
}

// keys are the names of fields that tell the items of a list apart.
var keys = []string{"key", "name", "id"}

// IsSet reports whether the order of a list means nothing, by its name: that of texts, or of structs
// with a name, which have texts with these names.
func IsSet(name, item string, texts []string) bool {
	switch {
	case sequences.MatchString(name) || sequences.MatchString(item):
		return false
	case item == "":
		return identifiers.MatchString(name)
	}
	return slices.ContainsFunc(texts, func(text string) bool { return slices.Contains(keys, text) })
}

// SaysOrder reports whether a comment is about the order of items.
func SaysOrder(doc string) bool { return ordered.MatchString(inOrderTo.ReplaceAllString(doc, "")) }

var (
	// identifiers matches names of lists of what is unique.
	identifiers = regexp.MustCompile(`(IDs|Ids|ARNs|Arns|URNs|Urns|UUIDs|Uuids|UIDs|GUIDs|Guids|SelfLinks|Names|CIDRs|Cidrs|(CIDR|Cidr)_?Blocks|(IP|Ip|Source|Destination)Ranges|Groups|Subnets|Subnetworks|Zones|Tags|Members|Users|Roles|Accounts|Principals|Scopes|Permissions|Privileges)$`)
	// sequences matches names of lists and items whose order means something, and of those
	// that are no identifiers.
	sequences = regexp.MustCompile(`(?i)(column|field|schema|sort|order|step|stage|action|command|argument|args|rule|route|filter|priorit|prefer|server|layer|processor|transform|chain|path|header|query|sequence|job|phase)`)
	// ordered matches comments on the order of items, but for the phrase in inOrderTo.
	ordered   = regexp.MustCompile(`(?i)\b(order|ordered|ordering|priority|priorities|sequence|first|last|prefer\w*|primary|position|respective\w*|correspond\w*|must match)\b`)
	inOrderTo = regexp.MustCompile(`(?i)\bin order (to|for)\b`)
)

package lintrules

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

var kindNames = &linter.Rule{
	Name:     "kind-names",
	Doc:      "The group of managed kinds is <service>.<provider> with a domain, and has a label m for namespaced kinds of a provider with both scopes.",
	Source:   apiPatterns.section("Group Version Kind", "#group-version-kind-gvk"),
	Why:      "Users find kinds by the names that the provider has for them, and kinds of both scopes can be installed side by side.",
	Severity: linter.Hint,
	Run:      checkKindNames,
}

func checkKindNames(p *linter.Pass) {
	// Only a provider of both scopes has to tell them apart.
	both := slices.ContainsFunc(p.Managed(), func(k *linter.Kind) bool { return !k.Object.Namespaced() })
	for _, k := range p.Managed() {
		group := k.CRD.Spec.Group
		labels := strings.Split(group, ".")
		modern := slices.Contains(labels, "m")
		namespaced := k.Object.Namespaced()
		at := schema.Properties("apiVersion")
		generation := k.Object.Generation
		isModern := generation != nil && generation.Namespaced && namespaced // by the types that it embeds
		switch {
		case both && isModern && !modern:
			p.Kind(k, at, nil,
				"%s is namespaced, and its group %s has no label m, which tells namespaced kinds from cluster-scoped ones: call the group %s",
				k.Object.Name, group, withLabel(labels))
		case generation != nil && !generation.Namespaced && !namespaced && modern:
			p.Kind(k, at, nil,
				"%s is of the whole cluster, and its group %s has the label m of namespaced kinds: leave it out", k.Object.Name, group)
		case len(labels) < 3:
			p.Kind(k, at, nil,
				"the group %s of %s names no service and no provider: call it <service>.<provider>, with a domain of yours", group, k.Object.Name)
		}
	}
}

// withLabel returns a group with the label m before its domain.
func withLabel(labels []string) string {
	at := max(len(labels)-2, 0)
	return strings.Join(slices.Insert(slices.Clone(labels), at, "m"), ".")
}

package lintrules

import (
	"path"
	"slices"
	"strings"

	"github.com/gobuffalo/flect"

	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

var kindNames = &linter.Rule{
	Name:     "kind-names",
	Doc:      "Each folder of kinds has a group of its own, which is <service>.<provider> with a domain, and has a label m for namespaced kinds of a provider with both scopes.",
	Source:   apiPatterns.section("Group Version Kind", "#group-version-kind-gvk"),
	Why:      "Users find kinds by the names that the provider has for them, and kinds of both scopes can be installed side by side.",
	Severity: linter.Hint,
	Run:      checkKindNames,
}

func checkKindNames(p *linter.Pass) {
	checkGroups(p)
	checkPlurals(p)
	checkShortNames(p)
	// Only a provider of both scopes has to tell them apart. add scope may give the label cluster to the other one's groups.
	both := slices.ContainsFunc(p.Managed(), func(k *linter.Kind) bool {
		isMistaken := k.Object.Generation != nil && k.Object.Generation.Namespaced // another rule is about its scope
		return !k.Object.Namespaced() && !isMistaken && !slices.Contains(strings.Split(k.CRD.Spec.Group, "."), "cluster")
	})
	for _, k := range p.Managed() {
		group := k.CRD.Spec.Group
		labels := strings.Split(group, ".")
		modern := slices.Contains(labels, "m")
		namespaced := k.Object.Namespaced()
		at := schema.Properties("apiVersion")
		generation := k.Object.Generation
		isModern := generation != nil && generation.Namespaced && namespaced // by the types that it embeds
		switch {
		case strings.HasSuffix(k.Object.Name, "List"):
			p.Kind(k, schema.Properties("kind"), nil, "clients take %s for a list of other objects, since its name ends with List: call it otherwise", k.Object.Name)
		case isModern && !modern && slices.ContainsFunc(p.Managed(), func(o *linter.Kind) bool { return o.CRD.Spec.Group == group && !o.Object.Namespaced() }):
			p.Kind(k, at, nil,
				"%s is namespaced, and others of the group %s are of the whole cluster: embed the same type of spec as they, or move it to another group",
				k.Object.Name, group)
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

// checkGroups reports folders of different groups whose packages have one group and version: one is most likely a copy of the other.
func checkGroups(p *linter.Pass) {
	kinds := p.Managed()
	slices.SortStableFunc(kinds, func(a, b *linter.Kind) int { return strings.Compare(a.Object.Package.Dir, b.Object.Package.Dir) })
	first := map[string]string{} // the folders of versions
	for _, k := range kinds {
		pkg := k.Object.Package
		version := pkg.Group + "/" + pkg.Version
		folder, isKnown := first[version]
		first[version] = pkg.Dir
		if isKnown && path.Dir(folder) != path.Dir(pkg.Dir) {
			p.Kind(k, schema.Properties("apiVersion"), nil, "%s and %s both have the group %s: correct +%s in one of them", folder, pkg.Dir, pkg.Group, markers.GroupName)
		}
	}
}

// checkPlurals reports plurals that are the kind's singular, or the plural of another kind, whose marker was copied.
func checkPlurals(p *linter.Pass) {
	usual := map[string]string{} // the kinds by the plurals that they have without a marker
	for _, k := range p.Kinds {
		usual[flect.Pluralize(strings.ToLower(k.Object.Name))] = k.Object.Name
	}
	for _, k := range p.Kinds {
		names, own := k.CRD.Spec.Names, flect.Pluralize(strings.ToLower(k.Object.Name))
		other := usual[names.Plural]
		switch {
		case names.Plural == own:
		case other != "" && other != k.Object.Name:
			p.Kind(k, schema.Properties("kind"), nil, "%s and %[3]s have the plural %[2]s: write path=%[4]s in the marker +%[5]s here", k.Object.Name, names.Plural, other, own, markers.Resource)
		case names.Plural == strings.ToLower(k.Object.Name):
			p.Kind(k, schema.Properties("kind"), nil, "the plural of %s is %s, its singular: write path=%s in its marker +%s", k.Object.Name, names.Plural, own, markers.Resource)
		}
	}
}

// checkShortNames reports short names that two kinds have.
func checkShortNames(p *linter.Pass) {
	first := map[string]*linter.Kind{}
	for _, k := range p.Kinds {
		for _, name := range k.CRD.Spec.Names.ShortNames {
			earlier := first[name]
			switch {
			case earlier == nil:
				first[name] = k
			case earlier.CRD.Name != k.CRD.Name:
				p.Kind(k, schema.Properties("kind"), nil, "%s and %s have the short name %s, and kubectl takes it for one of them: give them two",
					k.Object.Name, earlier.Object.Name, name)
			}
		}
	}
}

// withLabel returns a group with the label m before its domain.
func withLabel(labels []string) string {
	at := max(len(labels)-2, 0)
	return strings.Join(slices.Insert(slices.Clone(labels), at, "m"), ".")
}

package lintrules

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var configTypes = &linter.Rule{
	Name:     "config-types",
	Doc:      "ProviderConfigs and their usages embed Crossplane's types, each the one for its scope.",
	Source:   v2Proposal.section("Namespaced managed resources", ""),
	Why:      "They have no methods otherwise, so that nothing keeps a ProviderConfig in use from being deleted.",
	Severity: linter.Error,
	Run:      checkConfigTypes,
}

// typedUsage is the type for usages by namespaced managed resources, and its interface.
const typedUsage = "TypedProviderConfigUsage"

func checkConfigTypes(p *linter.Pass) {
	const embeds = "%s embeds %s, which the managed resources of its scope don't use: embed %s"
	isTyped := func(k *linter.Kind) bool {
		return k.Object.Role == model.ProviderConfigUsage && k.Object.Generation.Interface == typedUsage
	}
	isUntyped := func(k *linter.Kind) bool { return k.Object.Role == model.ProviderConfigUsage && !isTyped(k) }
	// Managed resources of the cluster record their usages in the untyped form, if crossplane-runtime has both.
	isLegacy := func(k *linter.Kind) bool {
		g := k.Object.Generation
		return k.Managed() && g != nil && !g.Namespaced && !g.OneScope
	}
	needsUntyped := slices.ContainsFunc(p.Kinds, isLegacy) && !slices.ContainsFunc(p.Kinds, isUntyped) && p.Knows(model.ProviderConfigUsage)
	for _, k := range p.Kinds {
		o := k.Object
		usage := "ProviderConfigUsage"
		if namespaced(k) {
			usage = typedUsage
		}
		switch isNamed := o.Role == model.Unmanaged; {
		case isNamed && strings.HasSuffix(o.Name, "ProviderConfigUsage") && !o.Methods["GetResourceReference"]:
			p.Kind(k, nil, nil, "%s embeds no type of usages inline, and so has no methods: embed %s", o.Name, usage)
		case isNamed && strings.HasSuffix(o.Name, "ProviderConfig") && !o.Methods["SetUsers"]:
			p.Kind(k, nil, nil, "%s has no methods, which need a spec, and a status that embeds ProviderConfigStatus inline: add the missing one", o.Name)
		case isUntyped(k) && namespaced(k), isTyped(k) && !namespaced(k) && needsUntyped && !strings.HasPrefix(o.Name, "Cluster"):
			p.Kind(k, nil, nil, embeds, o.Name, o.Generation.Embed.Name, usage)
		}
	}
}

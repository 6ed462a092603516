package lintrules

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var usageScope = &linter.Rule{
	Name:     "usage-scope",
	Doc:      "Namespaced managed resources have a namespaced ProviderConfigUsage.",
	Source:   v2Proposal.section("Namespaced managed resources", ""),
	Why:      "A cluster scoped usage can't be owned by a resource in a namespace: it is collected at once, or stays for ever.",
	Severity: linter.Error,
	Read:     2, Worth: 2,
	Run: checkUsageScope,
}

func checkUsageScope(p *linter.Pass) {
	var usage, managed *linter.Kind
	for _, k := range p.Kinds {
		isNamespaced := k.CRD.Spec.Scope == apiextensionsv1.NamespaceScoped
		switch {
		case k.Object.Role == model.ProviderConfigUsage && isNamespaced:
			return
		case k.Object.Role == model.ProviderConfigUsage:
			usage = k
		case k.Managed() && isNamespaced:
			managed = k
		}
	}
	if usage != nil && managed != nil && p.Knows(model.ProviderConfigUsage) {
		p.Kind(usage, nil, nil, "%s is cluster scoped, but %s and others are namespaced: declare a namespaced one, with TypedProviderConfigUsage",
			usage.Object.Name, managed.Object.Name)
	}
}

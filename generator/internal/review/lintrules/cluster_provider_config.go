package lintrules

import (
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var clusterProviderConfig = &linter.Rule{
	Name: "cluster-provider-config",
	Doc:  "A provider with namespaced managed resources has a ClusterProviderConfig, which they use by default.",
	Source: linter.Source{
		Name: "crossplane-contrib/provider-argocd issue 386",
		URL:  "https://github.com/crossplane-contrib/provider-argocd/issues/386",
	},
	Why:      "A managed resource without a providerConfigRef uses the ClusterProviderConfig called default. Without this kind, it waits for ever.",
	Severity: linter.Error,
	Read:     3, Worth: 3,
	Run: checkClusterProviderConfig,
}

// wanted is the kind that providerConfigRef defaults to.
const wanted = "ClusterProviderConfig"

func checkClusterProviderConfig(p *linter.Pass) {
	for _, k := range p.Kinds {
		isPair := func(other *linter.Kind) bool {
			return other.Object.Name == wanted && other.Object.Package == k.Object.Package
		}
		if k.Object.Role == model.ProviderConfig && !isPair(k) && !namespaced(k) && slices.ContainsFunc(p.Kinds, isPair) {
			p.Kind(k, nil, nil, "%s is cluster scoped beside %s, and is looked for in the namespace of managed resources: write +%s:scope=Namespaced",
				k.Object.Name, wanted, markers.Resource)
		}
	}
	var config *linter.Kind
	for _, k := range p.Kinds {
		switch {
		case k.Object.Name == wanted && namespaced(k):
			p.Kind(k, nil, nil, "%s is namespaced, and is looked for without a namespace: write +%s:scope=Cluster", wanted, markers.Resource)
			return
		case k.Object.Name == wanted:
			return
		case k.Object.Role == model.ProviderConfig && (config == nil || namespaced(k)):
			config = k
		}
	}
	if config == nil || !p.Knows(model.ProviderConfig) {
		return // the patterns may leave them out, or errors
	}
	for _, k := range p.Managed() {
		ref := k.Root(k.Version).Property("spec").Property("providerConfigRef")
		if ref.Schema != nil && ref.Schema.Default != nil && strings.Contains(string(ref.Schema.Default.Raw), wanted) {
			p.Kind(config, nil, nil,
				"there is no %s, which %s and others refer to by default: declare one, as mrgen init does", wanted, k.Object.Name)
			return
		}
	}
}

func namespaced(k *linter.Kind) bool { return k.CRD.Spec.Scope == apiextensionsv1.NamespaceScoped }

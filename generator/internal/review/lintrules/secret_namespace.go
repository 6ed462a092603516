package lintrules

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var secretNamespace = &linter.Rule{
	Name:     "secret-namespace",
	Doc:      "A namespaced managed resource refers to secrets of its own namespace.",
	Source:   v2Proposal.section("Namespaced managed resources", ""),
	Why:      "A user who may create the resource in one namespace could read any secret of the cluster through the provider.",
	Severity: linter.Error,
	Read:     10, Worth: 10,
	Run: linter.EachManaged(checkSecretNamespace),
}

func checkSecretNamespace(p *linter.Pass, k *linter.Kind) {
	if k.CRD.Spec.Scope != apiextensionsv1.NamespaceScoped {
		return
	}
	for _, f := range k.Fields {
		if p.NamesSecretNamespace(f.Field) {
			p.Field(f, nil,
				"%s may name a secret of any namespace, and authors of %s objects get at it then: refer to a secret by name alone, as LocalSecretKeySelector does", f.Name, k.Object.Name)
		}
	}
}

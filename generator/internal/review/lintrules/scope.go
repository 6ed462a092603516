package lintrules

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var scope = &linter.Rule{
	Name:     "scope",
	Doc:      "A managed kind declares the scope of the type that its spec embeds.",
	Source:   linter.Source{Name: "Crossplane v2, namespaced managed resources", URL: "https://docs.crossplane.io/latest/whats-new/"},
	Why:      "A kind without a scope is namespaced: a cluster-scoped spec would refer to secrets and configurations that it never finds.",
	Severity: linter.Warning,
	Read:     7, Worth: 7,
	Once: true,
	Run:  linter.EachManaged(checkScope),
}

func checkScope(p *linter.Pass, k *linter.Kind) {
	g := k.Object.Generation
	if g == nil {
		return
	}
	want := apiextensionsv1.ClusterScoped
	if g.Namespaced {
		want = apiextensionsv1.NamespaceScoped
	}
	switch {
	case k.CRD.Spec.Scope != want:
		p.Kind(k, nil, nil, "%s is of scope %s, and its spec of %s: write +%s:scope=%s, or embed the spec of the other scope", k.Object.Name,
			k.CRD.Spec.Scope, want, markers.Resource, want)
	case k.Object.Scope == "":
		p.Kind(k, nil, nil, "%s doesn't declare its scope, and is %s: write +%s:scope=%s", k.Object.Name, want, markers.Resource, want)
	}
}

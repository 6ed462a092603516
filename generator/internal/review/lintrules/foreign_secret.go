package lintrules

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/review/controllers"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var foreignSecret = &linter.Rule{
	Name:        "foreign-secret",
	Doc:         "The controller of a namespaced kind reads secrets of the namespace of the resource.",
	Source:      v2Proposal.section("Namespaced managed resources", ""),
	Why:         "A user who may create the resource in one namespace can read any secret of the cluster through the provider.",
	Severity:    linter.Error,
	Controllers: true,
	Run: func(p *linter.Pass) {
		eachField(p, linter.ForProvider|linter.InitProvider, func(f *linter.Field, code *controllers.Field) {
			sites := code.Foreign[kindOf(f.Kind)]
			if len(sites) == 0 || f.Kind.CRD.Spec.Scope != apiextensionsv1.NamespaceScoped {
				return
			}
			p.Field(f, nil,
				"%s reads a secret at %s from the namespace in %s: read it from the namespace of the resource", sites[0].Function, sites[0].Pos, f.Name)
		})
	},
}

package lintrules

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var misplacedPolicy = &linter.Rule{
	Name: "misplaced-policy",
	Doc:  "managementPolicies, deletionPolicy and providerConfigRef are fields of spec.",
	Source: linter.Source{
		Name: "crossplane-runtime, Managed",
		URL:  "https://pkg.go.dev/github.com/crossplane/crossplane-runtime/v2/pkg/resource#Managed",
	},
	Why:      "The reconciler reads them in spec alone: elsewhere, users set them, and nothing happens.",
	Severity: linter.Error,
	Read:     5, Worth: 5,
	Once: true,
	Run:  checkMisplacedPolicy,
}

// names are the fields that only spec has.
var names = []string{"managementPolicies", "deletionPolicy", "providerConfigRef"}

func checkMisplacedPolicy(p *linter.Pass) {
	const advice = "%s has no effect here, since the reconciler reads the one of spec: remove the field"
	for _, k := range p.Managed() {
		for _, f := range k.Object.Type.Fields {
			if slices.Contains(names, f.JSONName) {
				p.Detail(k, f.Pos, f.JSONName, advice, f.JSONName)
			}
		}
		for _, f := range k.Fields {
			if f.Part&(linter.ForProvider|linter.InitProvider) != 0 && f.IsTop() && slices.Contains(names, f.JSONName) {
				p.Field(f, nil, advice, f.JSONName)
			}
		}
	}
}

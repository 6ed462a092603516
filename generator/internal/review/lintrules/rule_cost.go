package lintrules

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var ruleCost = &linter.Rule{
	Name: "rule-cost",
	Doc:  "Rules cost less than half of what the API server allows.",
	Source: linter.Source{
		Name: "Kubernetes, CustomResourceDefinitions: resource use by validation functions",
		URL:  "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#resource-use-by-validation-functions",
	},
	Why:      "One more field or rule may have the API server refuse the definition, and with it the upgrade of the provider.",
	Severity: linter.Warning,
	Run:      checkRuleCost,
}

func checkRuleCost(p *linter.Pass) {
	kinds := slices.DeleteFunc(p.Managed(), func(k *linter.Kind) bool { return k.Version > 0 || !k.MayCost() })
	costs := make([][]apiserver.RuleCost, len(kinds))
	parallel.Do(len(kinds), func(i int) { costs[i] = apiserver.RuleCosts(kinds[i].CRD) })
	for i, first := range kinds {
		for _, k := range p.Kinds {
			if k.Definition == first.Definition {
				checkCosts(p, k, costs[i])
			}
		}
	}
}

func checkCosts(p *linter.Pass, k *linter.Kind, costs []apiserver.RuleCost) {
	var total uint64
	for _, c := range costs {
		if c.Version != k.APIVersion().Name {
			continue
		}
		total += c.Cost
		if c.Cost > crdvalidation.MaxRuleCost/2 {
			at := k.Root(k.Version).Follow(c.Path)
			p.Cursor(k, at,
				"a rule of %s costs %d of the %d that the API server allows: bound the lists and strings that it reads by MaxItems and MaxLength",
				k.Object.Name, c.Cost, crdvalidation.MaxRuleCost)
		}
	}
	if total > apiserver.MaxCost/2 {
		p.Kind(k, nil, nil,
			"the rules of %s cost %d of the %d that the API server allows: bound the lists and strings that they read by MaxItems and MaxLength",
			k.Object.Name, total, apiserver.MaxCost)
	}
}

package lintrules

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var configFields = &linter.Rule{
	Name:     "config-fields",
	Doc:      "The ProviderConfigs of both scopes have the same fields.",
	Source:   v2Proposal.section("Provider Configs", ""),
	Why:      "A setting that only one scope has can't be used with the managed resources of the other.",
	Severity: linter.Warning,
	Run:      checkConfigFields,
}

func checkConfigFields(p *linter.Pass) {
	for _, k := range p.Kinds {
		for _, other := range p.Kinds {
			isPair := k.Object.Role == model.ProviderConfig && other.Object.Role == model.ProviderConfig && bothScopes(k) == bothScopes(other)
			if isPair && k.Object.Spec != nil && other.Object.Spec != nil {
				reportMissing(p, k, k.Object.Spec.Type, other, other.Object.Spec.Type)
			}
		}
	}
}

// bothScopes returns the group of a kind without the element by which the groups of namespaced kinds differ.
func bothScopes(k *linter.Kind) string {
	isM := func(element string) bool { return element == "m" }
	return strings.Join(slices.DeleteFunc(strings.Split(k.CRD.Spec.Group, "."), isM), ".")
}

// reportMissing reports the fields of a struct in one kind that its counterpart in another kind lacks. Structs of other
// modules differ on purpose, such as references to secrets.
func reportMissing(p *linter.Pass, k *linter.Kind, in *model.Type, other *linter.Kind, there *model.Type) {
	in, there = in.Deref(), there.Deref()
	if in == there || !in.Local || !there.Local {
		return
	}
	for _, f := range in.Fields {
		switch found := there.Field(f.JSONName); {
		case f.Inline, f.Ignored:
		case found != nil:
			reportMissing(p, k, f.Type, other, found.Type)
		default:
			p.Detail(k, f.Pos, f.JSONName, "%s has no field %s: add it there, too, or remove it here", other.Name(), f.JSONName)
		}
	}
}

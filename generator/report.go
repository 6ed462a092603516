package generator

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
)

// A KindReport has the rules in one version of a kind.
type KindReport struct {
	Group, Version, Kind string
	// Rules are the rules that mrgen wrote.
	Rules []RuleReport
	// Cost is the API server's estimate for all rules of the version, also for those of the
	// author. It accepts up to [MaxCost].
	Cost uint64
}

// A RuleReport is a rule that mrgen wrote.
type RuleReport struct {
	// Field is the path of the field that the rule restricts: ".spec.forProvider.region".
	Field string
	// Subject is what the rule enforces: "region can't be changed once set".
	Subject string
	// Cost is the API server's estimate.
	Cost uint64
}

// MaxCost is the greatest cost of the rules of a version that the API server accepts.
const MaxCost uint64 = apiserver.MaxCost

// reportRules returns the rules of kinds, sorted by group, kind and version, without versions that have none.
func reportRules(kinds []stage.Definition) []KindReport {
	perKind := make([][]KindReport, len(kinds))
	parallel.Do(len(perKind), func(i int) { perKind[i] = rulesOf(kinds[i]) })
	return slices.Concat(perKind...)
}

func rulesOf(d stage.Definition) []KindReport {
	costs := apiserver.RuleCosts(d.CRD)
	var reports []KindReport
	for i, v := range d.CRD.Spec.Versions {
		report := KindReport{Group: d.CRD.Spec.Group, Version: v.Name, Kind: d.CRD.Spec.Names.Kind}
		cost := func(path schema.Path, rule int) (cost uint64) {
			for _, c := range costs {
				if c.Version == v.Name && c.Rule == rule && c.Path.Compare(path) == 0 {
					cost += c.Cost
				}
			}
			return cost
		}
		for _, c := range costs {
			if c.Version == v.Name {
				report.Cost += c.Cost
			}
		}
		seen := map[*provenance.Rule]bool{} // several fields may share a rule
		for _, decided := range d.DecisionsOf(i) {
			if r := decided.Rule; r != nil && !seen[r] {
				seen[r] = true
				report.Rules = append(report.Rules, RuleReport{
					Field: decided.Field.String(), Subject: r.Subject, Cost: cost(r.Path, r.Index),
				})
			}
		}
		if len(report.Rules) > 0 {
			reports = append(reports, report)
		}
	}
	return reports
}

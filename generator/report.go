package generator

import (
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A KindReport is what the rules in one version of a kind demand, and cost.
type KindReport struct {
	// Group, Version and Kind name it.
	Group, Version, Kind string
	// Rules are those that mrgen made.
	Rules []RuleReport
	// Cost is what the API server estimates that all rules of the version cost, those
	// of the author included. It accepts up to [MaxCost].
	Cost uint64
}

// A RuleReport is a rule that mrgen made.
type RuleReport struct {
	// Field is what the rule is about: ".spec.forProvider.region".
	Field string
	// Subject says what the rule demands: "region is immutable".
	Subject string
	// Cost is what the API server estimates that the rule costs.
	Cost uint64
}

// MaxCost is what the rules of a version may cost together.
const MaxCost uint64 = apiserver.MaxCost

// Rules returns the rules of the managed kinds, in the order of groups, kinds and
// versions, versions without rules left out. It compiles them again, which takes
// about a millisecond each. There are none without
// [Options.KeepSchemas].
func (r Result) Rules() []KindReport {
	perKind := make([][]KindReport, len(r.definitions))
	parallel.Do(len(perKind), func(i int) { perKind[i] = reportRules(r.definitions[i]) })
	var reports []KindReport
	for _, kind := range perKind {
		reports = append(reports, kind...)
	}
	return reports
}

func reportRules(d pipeline.Definition) []KindReport {
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
		if i < len(d.Decisions) {
			seen := map[*rules.Rule]bool{} // fields share a rule that is about several
			for _, decision := range d.Decisions[i] {
				if r := decision.Rule; r != nil && !seen[r] {
					seen[r] = true
					report.Rules = append(report.Rules, RuleReport{
						Field: decision.Field.String(), Subject: r.Subject, Cost: cost(r.Path, r.Index),
					})
				}
			}
		}
		if len(report.Rules) > 0 {
			reports = append(reports, report)
		}
	}
	return reports
}

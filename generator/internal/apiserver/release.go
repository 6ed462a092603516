package apiserver

import (
	"fmt"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
)

// releaseProblems returns the rules that the given release of Kubernetes refuses, unless the newest one has refused the
// version, too.
func releaseProblems(
	internal *apiextensions.CustomResourceDefinition, release *version.Version, found []crdvalidation.ValidationError,
) []crdvalidation.ValidationError {
	var problems []crdvalidation.ValidationError
	for _, schema := range schemas(internal) {
		if slices.ContainsFunc(found, func(p crdvalidation.ValidationError) bool {
			return p.Version == "" || slices.Contains(schema.versions, p.Version)
		}) {
			continue
		}
		var perVersion []crdvalidation.ValidationError
		var costs []expression
		for s := range ruledSchemas(schema.root) {
			refused, estimated := s.refused(release)
			perVersion, costs = append(perVersion, refused...), append(costs, estimated...)
		}
		if len(perVersion) == 0 {
			perVersion = contributions(mostExpensive(costs), " in Kubernetes "+minor(release).String())
		}
		for _, v := range schema.versions {
			for _, p := range perVersion {
				p.Version = v
				problems = append(problems, p)
			}
		}
	}
	return problems
}

// refused returns the rules that the newest release accepts and the given one refuses, without the version of the
// schema. It also returns the estimated cost of each rule.
func (s ruledSchema) refused(release *version.Version) ([]crdvalidation.ValidationError, []expression) {
	last := newestRelease()
	if release.AtLeast(last) { // it accepts all of these
		return nil, nil
	}
	judgements := s.judgements(release)
	var problems []crdvalidation.ValidationError
	var costs []expression
	for i, v := range judgements {
		costs = append(costs, v.expression)
		if !v.isRefused() {
			continue
		}
		since := release.AddMinor(1)
		// Name the first release that accepts the rule.
		for since.LessThan(last) && s.judgements(since)[i].isRefused() {
			since = since.AddMinor(1)
		}
		reason := costsTooMuch(release, since)
		if v.failure != "" {
			reason = fmt.Sprintf("does not compile in Kubernetes %s: change it, or set minKubernetes to %s: %s", minor(release), since, v.failure)
		}
		problems = append(problems, crdvalidation.ValidationError{Path: s.path, Rule: v.rule, Field: v.field, Reason: oneLine(reason)})
	}
	return problems, costs
}

// A judgement is a release's answer about a rule or a messageExpression.
type judgement struct {
	expression
	// failure is the compiler's error, or "".
	failure string
}

func (v judgement) isRefused() bool { return v.failure != "" || v.cost > crdvalidation.MaxRuleCost }

// judgements returns a release's answers about the rules and their message expressions.
func (s ruledSchema) judgements(release *version.Version) []judgement {
	results, err := s.compile(environmentOf(release))
	if err != nil {
		return nil
	}
	var all []judgement
	// costs returns two expressions for each rule.
	for i, e := range s.costs(results) {
		v := judgement{expression: e}
		if err := results[i/2].Error; err != nil && e.field == "rule" {
			v.failure = err.Detail
		}
		if err := results[i/2].MessageExpressionError; err != nil && e.field != "rule" {
			v.failure = err.Detail
		}
		all = append(all, v)
	}
	return all
}

// minor returns the release without its patch version: the minor version decides which fields and functions exist.
func minor(release *version.Version) *version.Version {
	return version.MajorMinor(release.Major(), release.Minor())
}

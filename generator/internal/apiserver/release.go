package apiserver

import (
	"fmt"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
)

// The first releases of Kubernetes in which a field has an effect without
// switching on a feature gate. Older ones drop the field, and accept the rest.
var (
	// The gate CustomResourceValidationExpressions was beta, and on, since 1.25.
	rulesSince = version.MajorMinor(1, 25)
	// The gate CustomResourceFieldSelectors was beta, and on, since 1.31, see
	// pkg/features of k8s.io/apiextensions-apiserver.
	selectableFieldsSince = version.MajorMinor(1, 31)
)

// A ruleField is a field of a rule that came after the first release with rules.
type ruleField struct {
	name  string
	since *version.Version
	isSet func(*apiextensions.ValidationRule) bool
}

// ruleFields follow ValidationRule in pkg/apis/apiextensions/v1 of
// k8s.io/apiextensions-apiserver v0.26 to v0.30, and pkg/features there.
var ruleFields = []ruleField{
	{
		name:  "messageExpression",
		since: version.MajorMinor(1, 27),
		isSet: func(r *apiextensions.ValidationRule) bool { return r.MessageExpression != "" },
	},
	{
		name:  "reason",
		since: version.MajorMinor(1, 28),
		isSet: func(r *apiextensions.ValidationRule) bool { return r.Reason != nil },
	},
	{
		name:  "fieldPath",
		since: version.MajorMinor(1, 28),
		isSet: func(r *apiextensions.ValidationRule) bool { return r.FieldPath != "" },
	},
	{
		// There since 1.29, but behind the gate CRDValidationRatcheting, which was
		// beta, and on, since 1.30.
		name:  "optionalOldSelf",
		since: version.MajorMinor(1, 30),
		isSet: func(r *apiextensions.ValidationRule) bool { return r.OptionalOldSelf != nil },
	},
}

// releaseProblems returns the problems with the given release of Kubernetes: fields that it doesn't support, and rules
// that it refuses.
func releaseProblems(
	internal *apiextensions.CustomResourceDefinition, release *version.Version, found []crdvalidation.ValidationError,
) []crdvalidation.ValidationError {
	var problems []crdvalidation.ValidationError
	if release.LessThan(selectableFieldsSince) {
		for _, v := range internal.Spec.Versions {
			if len(v.SelectableFields) > 0 || len(internal.Spec.SelectableFields) > 0 {
				problems = append(problems, crdvalidation.ValidationError{
					Version: v.Name,
					Rule:    -1,
					Field:   "selectableFields",
					Reason:  unknown("selectableFields", release, selectableFieldsSince),
				})
			}
		}
	}

	for _, schema := range schemas(internal) {
		// Rules that the newest release refuses are reported already.
		broken := slices.ContainsFunc(found, func(p crdvalidation.ValidationError) bool {
			return p.Version == "" || slices.Contains(schema.versions, p.Version)
		})
		var perVersion []crdvalidation.ValidationError
		var costs []expression
		for s := range ruledSchemas(schema.root) {
			perVersion = append(perVersion, s.unknownFields(release)...)
			if !broken {
				refused, estimated := s.refused(release)
				perVersion, costs = append(perVersion, refused...), append(costs, estimated...)
			}
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

// unknownFields returns the fields of rules that release doesn't know, without
// the version of the schema.
func (s ruledSchema) unknownFields(release *version.Version) []crdvalidation.ValidationError {
	var problems []crdvalidation.ValidationError
	for i := range s.rules {
		if release.LessThan(rulesSince) {
			problems = append(problems, crdvalidation.ValidationError{
				Path:   s.path,
				Rule:   i,
				Field:  "rule",
				Reason: unknown("x-kubernetes-validations", release, rulesSince),
			})
			continue
		}
		for _, f := range ruleFields {
			if release.LessThan(f.since) && f.isSet(&s.rules[i]) {
				problems = append(problems, crdvalidation.ValidationError{
					Path:   s.path,
					Rule:   i,
					Field:  f.name,
					Reason: unknown(f.name, release, f.since),
				})
			}
		}
	}
	return problems
}

func unknown(field string, release, since *version.Version) string {
	return fmt.Sprintf("%s has no effect in Kubernetes %s: remove it, or set minKubernetes to %s", field, minor(release), since)
}

// refused returns the rules that the newest release accepts and the given one refuses, without the version of the
// schema. It also returns the estimated cost of each rule.
func (s ruledSchema) refused(release *version.Version) ([]crdvalidation.ValidationError, []expression) {
	last := environment.DefaultCompatibilityVersion().AddMinor(1)
	if release.LessThan(rulesSince) || release.AtLeast(last) {
		// unknownFields reports rules in releases without them, and the newest release accepts all of these.
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

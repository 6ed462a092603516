package apiserver

import (
	"fmt"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
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

// releaseProblems are what the given release of Kubernetes doesn't know. Rules
// of versions in which the newest release has found problems are not compiled.
func releaseProblems(internal *apiextensions.CustomResourceDefinition, release *version.Version, found []Problem) []Problem {
	var problems []Problem
	if release.LessThan(selectableFieldsSince) {
		for _, v := range internal.Spec.Versions {
			if len(v.SelectableFields) > 0 || len(internal.Spec.SelectableFields) > 0 {
				problems = append(problems, Problem{Version: v.Name, Rule: -1, Field: "selectableFields", Reason: unknown("selectableFields", release, selectableFieldsSince)})
			}
		}
	}

	for _, schema := range schemas(internal) {
		broken := slices.ContainsFunc(found, func(p Problem) bool { return p.Version == "" || slices.Contains(schema.versions, p.Version) })
		for s := range ruledSchemas(schema.root) {
			perVersion := s.unknownFields(release)
			if !broken {
				perVersion = append(perVersion, s.uncompilable(release)...)
			}
			for _, v := range schema.versions {
				for _, p := range perVersion {
					p.Version = v
					problems = append(problems, p)
				}
			}
		}
	}
	return problems
}

// unknownFields returns the fields of rules that release doesn't know, without
// the version of the schema.
func (s ruledSchema) unknownFields(release *version.Version) []Problem {
	var problems []Problem
	for i := range s.rules {
		if release.LessThan(rulesSince) {
			problems = append(problems, Problem{Path: s.path, Rule: i, Field: "rule", Reason: unknown("x-kubernetes-validations", release, rulesSince)})
			continue
		}
		for _, f := range ruleFields {
			if release.LessThan(f.since) && f.isSet(&s.rules[i]) {
				problems = append(problems, Problem{Path: s.path, Rule: i, Field: f.name, Reason: unknown(f.name, release, f.since)})
			}
		}
	}
	return problems
}

func unknown(field string, release, since *version.Version) string {
	return fmt.Sprintf("%s has no effect in Kubernetes %s, only from %s on", field, minor(release), since)
}

// uncompilable returns the rules that compile with the newest release, but not
// with the given one, without the version of the schema.
func (s ruledSchema) uncompilable(release *version.Version) []Problem {
	newest := environment.DefaultCompatibilityVersion().AddMinor(1)
	if release.LessThan(rulesSince) || release.AtLeast(newest) {
		return nil
	}
	results, err := s.compile(environmentOf(release))
	if err != nil {
		return nil
	}
	var problems []Problem
	for i, result := range results {
		for _, failure := range failures(result) {
			since := release.AddMinor(1)
			for since.LessThan(newest) && !s.compilesOn(since, i) {
				since = since.AddMinor(1)
			}
			problems = append(problems, Problem{
				Path: s.path, Rule: i, Field: failure.field,
				Reason: oneLine(fmt.Sprintf("does not compile in Kubernetes %s, only from %s on: %s", minor(release), since, failure.detail)),
			})
		}
	}
	return problems
}

// A failure is why a rule or its messageExpression doesn't compile.
type failure struct {
	field, detail string
}

func failures(result cel.CompilationResult) []failure {
	var all []failure
	if result.Error != nil {
		all = append(all, failure{"rule", result.Error.Detail})
	}
	if result.MessageExpressionError != nil {
		all = append(all, failure{"messageExpression", result.MessageExpressionError.Detail})
	}
	return all
}

// compilesOn reports whether a release compiles a rule and its messageExpression.
func (s ruledSchema) compilesOn(release *version.Version, rule int) bool {
	results, err := s.compile(environmentOf(release))
	return err == nil && len(failures(results[rule])) == 0
}

// environmentOf returns the functions and types that new rules may use in a
// release of Kubernetes: those that the minor release before it knows, so that a
// cluster can be rolled back, see environment.DefaultCompatibilityVersion.
// Kubernetes 1.27 and older don't hold back, but have nothing to hold back either.
func environmentOf(release *version.Version) *environment.EnvSet {
	return environment.MustBaseEnvSet(release.SubtractMinor(1))
}

// minor returns the release without its patch version, which says nothing about
// what a server knows.
func minor(release *version.Version) *version.Version {
	return version.MajorMinor(release.Major(), release.Minor())
}

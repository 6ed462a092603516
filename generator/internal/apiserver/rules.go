package apiserver

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math/bits"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A versionSchema is a schema with the names of the versions that have it.
type versionSchema struct {
	versions []string
	root     *apiextensions.JSONSchemaProps
}

// schemas returns the schemas of a definition.
func schemas(internal *apiextensions.CustomResourceDefinition) []versionSchema {
	var all []versionSchema
	shared := versionSchema{}
	for _, v := range internal.Spec.Versions {
		shared.versions = append(shared.versions, v.Name)
		if v.Schema != nil && v.Schema.OpenAPIV3Schema != nil {
			all = append(all, versionSchema{versions: []string{v.Name}, root: v.Schema.OpenAPIV3Schema})
		}
	}
	// The API server's form of a definition has the schema here if all versions have the same.
	if v := internal.Spec.Validation; v != nil && v.OpenAPIV3Schema != nil {
		shared.root = v.OpenAPIV3Schema
		all = append(all, shared)
	}
	return all
}

// A ruledSchema is a schema with rules, and its place below the root.
type ruledSchema struct {
	path    schema.Path
	rules   apiextensions.ValidationRules
	context *validation.CELSchemaContext
}

// ruledSchemas returns the schemas with rules at and below root. A schema comes before the schemas below it, and
// properties are in the order of their names.
func ruledSchemas(root *apiextensions.JSONSchemaProps) iter.Seq[ruledSchema] {
	return func(yield func(ruledSchema) bool) {
		if validation.SchemaHas(root, hasRules) {
			walkRuled(nil, root, validation.RootCELContext(root), yield)
		}
	}
}

func hasRules(schema *apiextensions.JSONSchemaProps) bool { return len(schema.XValidations) > 0 }

func walkRuled(
	path schema.Path, s *apiextensions.JSONSchemaProps, context *validation.CELSchemaContext, yield func(ruledSchema) bool,
) bool {
	if s == nil {
		return true
	}
	if hasRules(s) && !yield(ruledSchema{path: path, rules: s.XValidations, context: context}) {
		return false
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		if !walkRuled(path.With(schema.Step{Name: name}), &property, context.ChildPropertyContext(&property, name), yield) {
			return false
		}
	}
	if items := s.Items; items != nil {
		below := path.With(schema.Step{Kind: schema.Items})
		if !walkRuled(below, items.Schema, context.ChildItemsContext(items.Schema), yield) {
			return false
		}
	}
	values := s.AdditionalProperties
	return values == nil ||
		walkRuled(path.With(schema.Step{Kind: schema.Values}), values.Schema, context.ChildAdditionalPropertiesContext(values.Schema), yield)
}

// compile compiles the rules of s like a server with the given environment.
func (s ruledSchema) compile(env *environment.EnvSet) ([]cel.CompilationResult, error) {
	types, err := s.context.TypeInfo()
	if err != nil {
		return nil, err
	}
	return cel.Compile(types.Schema, types.DeclType, celconfig.PerCallLimit, env, cel.NewExpressionsEnvLoader())
}

// The API server names up to four rules. Each costs at least a hundredth of the limit, see validation.TotalCost.
const (
	maxContributors     = 4
	minContributionCost = validation.StaticEstimatedCRDCostLimit / 100
)

// expensiveRules names the most expensive rules of each schema whose rules cost too much together. Among equally
// expensive rules, the first in the order of paths comes first.
func expensiveRules(
	internal *apiextensions.CustomResourceDefinition, found []crdvalidation.ValidationError,
) []crdvalidation.ValidationError {
	var problems []crdvalidation.ValidationError
	for _, schema := range schemas(internal) {
		for _, p := range contributions(mostExpensive(expressions(schema.root, newest())), "") {
			for _, p.Version = range schema.versions {
				if !slices.ContainsFunc(found, p.SameLocation) {
					// a rule in found costs too much on its own, which is reported already
					problems = append(problems, p)
				}
			}
		}
	}
	return problems
}

// contributions returns the problem, in the words of the API server, that expressions cost too much together, without
// the version. Where is appended to it.
func contributions(all []expression, where string) []crdvalidation.ValidationError {
	var problems []crdvalidation.ValidationError
	for _, e := range all {
		problems = append(problems, crdvalidation.ValidationError{
			Path: e.path, Rule: e.rule, Field: e.field,
			Reason: fmt.Sprintf("Forbidden: %s%s (%d of %d)", crdvalidation.Contributed, where, e.cost, validation.StaticEstimatedCRDCostLimit),
		})
	}
	return problems
}

// An expression is a rule or its messageExpression.
type expression struct {
	path  schema.Path
	rule  int
	field string
	cost  uint64
}

// mostExpensive returns the rules of a schema that make it too expensive, or nil if it isn't.
func mostExpensive(all []expression) []expression {
	var total validation.TotalCost
	for _, e := range all {
		total.ObserveExpressionCost(nil, e.cost)
	}
	if total.Total <= validation.StaticEstimatedCRDCostLimit {
		return nil
	}
	all = slices.DeleteFunc(all, func(e expression) bool { return e.cost < minContributionCost })
	// a stable sort keeps the order of paths among equals
	slices.SortStableFunc(all, func(a, b expression) int { return cmp.Compare(b.cost, a.cost) })
	return all[:min(len(all), maxContributors)]
}

// newest returns the functions and types that new rules may use in the newest release.
func newest() *environment.EnvSet {
	return environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
}

// expressions returns the rules of a schema that compile, with the cost that the API server estimates.
func expressions(root *apiextensions.JSONSchemaProps, env *environment.EnvSet) []expression {
	var all []expression
	for s := range ruledSchemas(root) {
		results, err := s.compile(env)
		if err != nil { // the rules don't compile, which the validation reports
			continue
		}
		all = append(all, s.costs(results)...)
	}
	return all
}

// costs returns the cost that the API server estimates for each rule, followed by the cost of its messageExpression.
func (s ruledSchema) costs(results []cel.CompilationResult) []expression {
	var all []expression
	for i, r := range results {
		cardinality := r.MaxCardinality
		// In a list or map, the rule runs once for each element. Compiling it shows only the bounds around self.
		if s.context.MaxCardinality != nil {
			cardinality = *s.context.MaxCardinality
		}
		all = append(all,
			expression{path: s.path, rule: i, field: "rule", cost: multiply(r.MaxCost, cardinality)},
			expression{path: s.path, rule: i, field: "messageExpression", cost: r.MessageExpressionMaxCost})
	}
	return all
}

// A RuleCost is the cost that the API server estimates for a rule.
type RuleCost struct {
	// Version is the name of the version, Path leads to the schema with the rule, and Rule is the rule's index there.
	Version string
	Path    schema.Path
	Rule    int
	// Cost is in the API server's units. A rule may cost [crdvalidation.MaxRuleCost], and the rules
	// of a version may cost [MaxCost] together.
	Cost uint64
}

// MaxCost is the most that the rules of a version may cost together.
const MaxCost = validation.StaticEstimatedCRDCostLimit

// This compiles only if the limit for a rule is the API server's.
var _ = [1]struct{}{}[crdvalidation.MaxRuleCost-validation.StaticEstimatedCostLimit]

// RuleCosts returns the cost of each rule of a definition, in the order of versions and paths. Rules that don't compile
// are left out.
func RuleCosts(crd *apiextensionsv1.CustomResourceDefinition) []RuleCost {
	internal, err := Convert(crd)
	if err != nil {
		return nil
	}
	var costs []RuleCost
	for _, schema := range schemas(internal) {
		for _, e := range expressions(schema.root, newest()) {
			if e.field != "rule" {
				continue
			}
			for _, v := range schema.versions {
				costs = append(costs, RuleCost{Version: v, Path: e.path, Rule: e.rule, Cost: e.cost})
			}
		}
	}
	slices.SortStableFunc(costs, func(a, b RuleCost) int { return cmp.Compare(a.Version, b.Version) })
	return costs
}

// Cost implements [crdvalidation.Validator].
func (Upstream) Cost(root *apiextensionsv1.JSONSchemaProps, at schema.Path, field []string, rule apiextensionsv1.ValidationRule) uint64 {
	internal := &apiextensions.JSONSchemaProps{}
	props := only(root, at, field, rule, false)
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, internal, nil); err != nil {
		return crdvalidation.MaxRuleCost // a rule that can't be estimated must not look cheap
	}
	for _, e := range expressions(internal, dearest()) {
		if e.field == "rule" && e.path.Compare(at) == 0 {
			return e.cost
		}
	}
	return crdvalidation.MaxRuleCost
}

// only returns a schema with a rule where the path leads to. It drops the properties beside that path, and beside the
// field that the rule reads.
func only(
	s *apiextensionsv1.JSONSchemaProps, at schema.Path, field []string, rule apiextensionsv1.ValidationRule, inItems bool,
) *apiextensionsv1.JSONSchemaProps {
	shallow := *s
	shallow.XValidations = nil
	step := schema.Step{Kind: schema.Property}
	switch {
	case len(at) > 0:
		step, at = at[0], at[1:]
	default:
		if rule.Rule != "" {
			shallow.XValidations = apiextensionsv1.ValidationRules{rule}
		}
		if len(field) == 0 {
			return &shallow
		}
		step.Name, field, rule = field[0], field[1:], apiextensionsv1.ValidationRule{}
	}
	below := only(schema.Child(s, step), at, field, rule, inItems || step.Kind != schema.Property)
	// The least size of an item bounds the number of items, so an item keeps all of its properties.
	if shallow.Properties = nil; inItems {
		shallow.Properties = maps.Clone(s.Properties)
	}
	schema.Put(&shallow, step, below)
	return &shallow
}

// multiply returns the product, or the largest number if it overflows, like the API server's multiplication.
func multiply(a, b uint64) uint64 {
	if high, low := bits.Mul64(a, b); high == 0 {
		return low
	}
	return ^uint64(0)
}

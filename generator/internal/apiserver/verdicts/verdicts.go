// Package verdicts makes validation faster if definitions have rules in common, by remembering accepted rules: compiling
// rules takes most of the time. Everything works without it, only slower.
package verdicts

import (
	"context"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A Validator returns the same as another validator, and asks that one less often about rules that it has accepted
// before.
//
// The other one validates each definition as a whole, but without the known rules: it has accepted them in other
// definitions, where they could read the same fields. If it accepts the rest, the definition is accepted. If not, it
// validates the whole definition, and the result of that is returned.
//
// So a definition could only be accepted wrongly because of a rule that was left out. The API server's verdict on a rule
// (see ValidateCustomResourceDefinitionOpenAPISchema in pkg/apis/apiextensions/validation and ValidateDefaults in
// pkg/apiserver/schema/defaulting of k8s.io/apiextensions-apiserver) depends only on
//
//   - the rule, and the schemas that it reads. Both are in its key, see [keyOf].
//   - the lists and maps around it, which repeat it, and embedded resources around it. A rule in one is never left out.
//   - defaults at its schema or above, which it is evaluated on. Rules below a default are never left out either.
//   - the total cost of a version's rules, see [Validator.affordable].
//
// Nothing else depends on rules, except that the versions of a definition must not all have the same schema. With
// several versions, no rule is left out.
//
// A Validator may be used concurrently.
type Validator struct {
	upstream crdvalidation.Validator
	// parsed has rules by their text, nil for rules without a key.
	parsed parallel.Memo[string, *parsed]
	// accepted has the keys of accepted rules, and costs has the costs of rules, by their keys, as far as they were
	// needed.
	accepted sync.Map
	costs    parallel.Memo[string, uint64]
}

// New returns a Validator that remembers what another one has accepted.
func New(upstream crdvalidation.Validator) *Validator { return &Validator{upstream: upstream} }

// Validate implements [crdvalidation.Validator].
func (v *Validator) Validate(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) []crdvalidation.ValidationError {
	rest, found := v.withoutKnown(crd)
	if rest != crd {
		if len(v.upstream.Validate(ctx, rest)) > 0 { // report the errors of the whole definition
			return v.upstream.Validate(ctx, crd)
		}
		v.remember(ctx, found)
		return nil
	}
	problems := v.upstream.Validate(ctx, crd)
	if len(problems) == 0 {
		v.remember(ctx, found)
	}
	return problems
}

// remember keeps accepted rules.
func (v *Validator) remember(ctx context.Context, found *finder) {
	if ctx.Err() != nil { // a cancelled run may not have evaluated the rules on defaults
		return
	}
	for _, r := range found.rules {
		v.accepted.Store(r.key, true)
	}
}

// withoutKnown returns a definition without the known rules, and the rules that can be remembered. It returns the
// definition itself if nothing can be left out.
func (v *Validator) withoutKnown(crd *apiextensionsv1.CustomResourceDefinition) (*apiextensionsv1.CustomResourceDefinition, *finder) {
	f := &finder{validator: v}
	if len(crd.Spec.Versions) != 1 { // several versions may be refused for having the same schema, rules included
		return crd, f
	}
	version := crd.Spec.Versions[0]
	if version.Schema == nil || version.Schema.OpenAPIV3Schema == nil {
		return crd, f
	}
	whole := version.Schema.OpenAPIV3Schema
	root, changed := f.without(*whole, true)
	if !changed || !v.affordable(f.rules, countRules(whole)) {
		return crd, f
	}
	version.Schema = &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &root}
	rest := *crd
	rest.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{version}
	return &rest, f
}

// affordable reports whether all rules of a version stay within the limit together, given the rules that can be
// remembered and the number of all rules.
func (v *Validator) affordable(rules []rule, count int) bool {
	if count <= apiserver.MaxCost/crdvalidation.MaxRuleCost { // an accepted rule costs no more than one may
		return true
	}
	// These rules are in no list or map, so the API server's estimate for the rule alone is its cost in the version.
	var total validation.TotalCost
	for _, r := range rules {
		total.ObserveExpressionCost(nil, v.cost(r))
	}
	// Take the others to cost as much as a rule may.
	for range count - len(rules) {
		total.ObserveExpressionCost(nil, crdvalidation.MaxRuleCost)
	}
	return total.Total <= apiserver.MaxCost
}

// cost returns what a rule costs.
func (v *Validator) cost(r rule) uint64 {
	return v.costs.Get(r.key, func() uint64 {
		root := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": r.schema}}
		return v.upstream.Cost(root, schema.Path{{Name: "spec"}}, nil, r.ValidationRule)
	})
}

// Cost implements [crdvalidation.Validator].
func (v *Validator) Cost(root *apiextensionsv1.JSONSchemaProps, at schema.Path, field []string, r apiextensionsv1.ValidationRule) uint64 {
	cost := func() uint64 { return v.upstream.Cost(root, at, field, r) }
	key := ""
	if s := inPlainObjects(root, at); s != nil { // elsewhere, lists and maps around the rule change its cost
		key = v.key(&r, s)
	}
	if key == "" {
		return cost()
	}
	return v.costs.Get(key, cost)
}

// Accepts implements [crdvalidation.Validator].
func (v *Validator) Accepts(ctx context.Context, props *apiextensionsv1.JSONSchemaProps, value any) bool {
	return v.upstream.Accepts(ctx, props, value)
}

// key returns the key of a rule on a schema, or "" if it can't be remembered.
func (v *Validator) key(r *apiextensionsv1.ValidationRule, s *apiextensionsv1.JSONSchemaProps) string {
	if !isSimple(r) {
		return ""
	}
	p := v.parsed.Get(r.Rule, func() *parsed { return parse(r.Rule) })
	if p == nil {
		return ""
	}
	return keyOf(p, r, s)
}

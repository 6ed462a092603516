// Package verdicts makes validation faster where definitions have rules in common: to compile
// rules is what takes most of its time. Everything works without it, only slower.
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

// A Validator returns what another one returns, and spares that one rules that it has
// accepted before.
//
// The other one validates each definition as a whole, but without the rules that are known:
// it has accepted them in other definitions, where they could read the same. If it accepts the
// rest, the definition is accepted. If not, it validates all of the definition, and what it says of
// that is returned.
//
// So a definition could only be accepted wrongly for what was left out. What the API
// server's code says of a rule (see ValidateCustomResourceDefinitionOpenAPISchema in
// pkg/apis/apiextensions/validation and ValidateDefaults in pkg/apiserver/schema/defaulting
// of k8s.io/apiextensions-apiserver) depends on nothing but
//
//   - the rule, and the schemas of what it reads. Both are in its key, see [keyOf].
//   - the lists and maps around it, which repeat it, and resources around it that are
//     embedded. A rule in one is never left out.
//   - defaults at its schema or above, for which it is evaluated. The same.
//   - what the rules of a version cost together, see [Validator.affordable].
//
// Nothing else depends on rules, but that a definition must not have the same schema for
// all of its versions. With several versions, no rule is left out.
//
// A Validator may be used concurrently.
type Validator struct {
	upstream crdvalidation.Validator
	// parsed has rules by their text, nil for those without a key.
	parsed parallel.Memo[string, *parsed]
	// accepted has the keys of accepted rules, and costs has what rules cost, by their
	// keys, as far as that was needed.
	accepted sync.Map
	costs    parallel.Memo[string, uint64]
}

// New returns a Validator that remembers what another one has accepted.
func New(upstream crdvalidation.Validator) *Validator {
	return &Validator{upstream: upstream}
}

// Validate implements [crdvalidation.Validator].
func (v *Validator) Validate(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) []crdvalidation.ValidationError {
	rest, found := v.withoutKnown(crd)
	if rest != crd {
		if len(v.upstream.Validate(ctx, rest)) > 0 {
			return v.upstream.Validate(ctx, crd)
		}
		v.remember(ctx, found)
		return apiserver.SizeProblems(crd)
	}
	problems := v.upstream.Validate(ctx, crd)
	if len(problems) == 0 {
		v.remember(ctx, found)
	}
	return problems
}

// remember keeps rules that were accepted, unless the run is cancelled: then they may not
// have been evaluated for defaults.
func (v *Validator) remember(ctx context.Context, found *finder) {
	if ctx.Err() != nil {
		return
	}
	for _, r := range found.rules {
		v.accepted.Store(r.key, true)
	}
}

// withoutKnown returns a definition without the rules that are known, and all that
// can be remembered. It returns the definition itself if nothing can be left out.
func (v *Validator) withoutKnown(crd *apiextensionsv1.CustomResourceDefinition) (*apiextensionsv1.CustomResourceDefinition, *finder) {
	f := &finder{validator: v}
	if len(crd.Spec.Versions) != 1 {
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

// affordable reports whether all rules of a version cost no more together than they may,
// given those that can be remembered and how many there are. A rule that is accepted costs
// no more than one may: if there are few, no more needs to be known. Others are taken to
// cost as much. What can be remembered is in no list or map, so that the estimate of the
// API server's code for the rule is what the rule costs; that code adds them up, too.
func (v *Validator) affordable(rules []rule, count int) bool {
	if count <= apiserver.MaxCost/crdvalidation.MaxRuleCost {
		return true
	}
	var total validation.TotalCost
	for _, r := range rules {
		total.ObserveExpressionCost(nil, v.cost(r))
	}
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
	if s := inPlainObjects(root, at); s != nil {
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

package apiserver

import (
	"context"
	"slices"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/version"
)

// A Judge validates definitions as [Validate] does, and remembers which parts of them
// the API server's validation has accepted. Definitions have much in common: a provider
// of thousands of kinds has a few hundred different fields and rules, apart from their
// names. A Judge may be used concurrently.
//
// What it relies on is that the API server judges the parts of a definition on their
// own, see [division]. Whatever isn't accepted in parts is validated as a whole, so that
// problems are the same with and without a Judge.
type Judge struct {
	release *version.Version
	mu      sync.RWMutex
	// verdicts has a verdict for each part, by its key.
	verdicts map[string]verdict
}

// A verdict tells whether the API server accepts a part, and what its rules cost.
type verdict struct {
	accepted bool
	cost     uint64
}

// NewJudge returns a Judge for definitions that a release of Kubernetes must know, nil
// for any.
func NewJudge(minKubernetes *version.Version) *Judge {
	return &Judge{release: minKubernetes, verdicts: map[string]verdict{}}
}

// Validate returns what [Validate] does.
func (j *Judge) Validate(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) []Problem {
	if j.accepts(ctx, crd) {
		return sizeProblems(crd)
	}
	return Validate(ctx, crd, j.release)
}

// accepts reports whether the API server accepts a definition of any size. If not, it
// may still do.
func (j *Judge) accepts(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) bool {
	costs, ok := j.costs(ctx, crd)
	return ok && slices.Max(costs) <= MaxCost
}

// costs returns what the rules of the versions of a definition cost, or more. It
// reports false if the API server may refuse the definition for any other reason.
func (j *Judge) costs(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) ([]uint64, bool) {
	rest := *crd
	rest.Spec.Versions = slices.Clone(crd.Spec.Versions)
	costs := make([]uint64, len(rest.Spec.Versions))
	for i := range rest.Spec.Versions {
		v := &rest.Spec.Versions[i]
		if len(v.SelectableFields) > 0 || v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
			return nil, false
		}
		d := division{ctx: ctx, judge: j}
		v.Schema = &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: d.divide(v.Schema.OpenAPIV3Schema)}
		if d.refused {
			return nil, false
		}
		costs[i] = d.cost
	}
	if len(Validate(ctx, &rest, j.release)) > 0 {
		return nil, false
	}
	for i, v := range rest.Spec.Versions {
		// Only the rules of what is accepted can be compiled without fear.
		if root := v.Schema.OpenAPIV3Schema; containsRules(root) {
			costs[i] = add(costs[i], costOf(root))
		}
	}
	return costs, true
}

// known returns the verdict on the part with a key, if it was asked for.
func (j *Judge) known(key []byte) (verdict, bool) {
	j.mu.RLock()
	defer j.mu.RUnlock()
	v, known := j.verdicts[string(key)]
	return v, known
}

// remember keeps the verdict on the part with a key.
func (j *Judge) remember(key string, v verdict) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.verdicts[key] = v
}

// ask asks for the verdict on the schema of a resource, but for the cost.
func (j *Judge) ask(ctx context.Context, schema *apiextensionsv1.JSONSchemaProps) verdict {
	return verdict{accepted: len(Validate(ctx, probe(schema), j.release)) == 0 && ctx.Err() == nil}
}

// costOf returns what the API server estimates that all rules of a schema cost.
func costOf(root *apiextensionsv1.JSONSchemaProps) uint64 {
	cost := uint64(0)
	crd := probe(root)
	internal, err := convert(crd)
	if err != nil {
		return cost
	}
	for _, schema := range schemas(internal) {
		for _, e := range expressions(schema.root) {
			cost = add(cost, e.cost)
		}
	}
	return cost
}

// probe returns a definition that is right but for its schema, which may be not.
func probe(root *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.CustomResourceDefinition {
	crd := &apiextensionsv1.CustomResourceDefinition{
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "probe.example.org",
			Names: apiextensionsv1.CustomResourceDefinitionNames{Kind: "Probe", ListKind: "ProbeList", Plural: "probes", Singular: "probe"},
			Scope: apiextensionsv1.ClusterScoped,
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: root},
			}},
		},
	}
	crd.Name = crd.Spec.Names.Plural + "." + crd.Spec.Group
	return crd
}

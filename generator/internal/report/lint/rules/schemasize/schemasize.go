// Package schemasize is about the rule schema-size.
package schemasize

import (
	"encoding/json"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint"
)

// Rule is the rule.
var Rule = &lint.Rule{
	Name: "schema-size",
	Doc:  "A definition is small enough for the API server and for kubectl apply.",
	Source: lint.Source{
		Title: "Kubernetes, limits of etcd and of annotations",
		URL:   "https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/",
	},
	Why: "A definition that is too large cannot be installed: kubectl apply writes all of it to an annotation, and etcd takes 1.5 MB in all.",
	Before: `// A Cluster has two versions, in all detail.
type Cluster struct {`,
	After: `crds:
  maxDescription: 300 # in mrgen.yaml`,
	Severity: lint.Hint,
	Run:      run,
}

// The limits, in bytes of JSON.
const (
	annotation = 262_078
	etcd       = 1_560_000
)

func run(p *lint.Pass) {
	kinds := slices.DeleteFunc(slices.Clone(p.Kinds), func(k *lint.Kind) bool { return k.Version > 0 })
	sizes := make([]int, len(kinds))
	parallel.Do(len(kinds), func(i int) {
		atMost := 0
		for _, v := range kinds[i].CRD.Spec.Versions {
			atMost += bound(v.Schema.OpenAPIV3Schema)
		}
		if atMost < annotation {
			return // most are small, and to write them takes a while
		}
		content, err := json.Marshal(kinds[i].CRD)
		if err == nil {
			sizes[i] = len(content)
		}
	})
	for i, k := range kinds {
		switch {
		case sizes[i] > etcd*8/10:
			p.Kind(k, nil, nil, "the definition of %s takes %d bytes of the %d that the API server stores: set crds.maxDescription, or drop versions", k.Object.Name, sizes[i], etcd)
		case sizes[i] > annotation:
			p.Kind(k, nil, nil, "the definition of %s takes %d bytes, and kubectl apply refuses more than %d: set crds.maxDescription, or have it installed as part of a package", k.Object.Name, sizes[i], annotation)
		}
	}
}

// bound returns more than a schema takes in JSON, unless its texts are full of what JSON
// escapes.
func bound(s *apiextensionsv1.JSONSchemaProps) int {
	if s == nil {
		return 0
	}
	const keywords = 400 // for what has a bounded length, with its name
	n := keywords + 2*len(s.Description) + 2*len(s.Pattern)
	for _, r := range s.XValidations {
		n += keywords + 2*(len(r.Rule)+len(r.Message)+len(r.MessageExpression))
	}
	for _, e := range s.Enum {
		n += 2*len(e.Raw) + 1
	}
	if s.Default != nil {
		n += 2 * len(s.Default.Raw)
	}
	for _, name := range s.Required {
		n += len(name) + 3
	}
	for name := range s.Properties {
		below := s.Properties[name]
		n += len(name) + bound(&below)
	}
	if s.Items != nil {
		n += bound(s.Items.Schema)
	}
	if s.AdditionalProperties != nil {
		n += bound(s.AdditionalProperties.Schema)
	}
	return n
}

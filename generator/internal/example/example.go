// Package example makes manifests of managed resources that the API server accepts,
// from the schema of their CRD and from markers.
package example

import (
	"context"
	"path"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/render"
)

const (
	codeExample diag.Code = "example"

	// externalName is the annotation that says which external resource is meant.
	externalName = "crossplane.io/external-name"

	marker = "mrgen:example"
)

// A Manifest is a file with an object.
type Manifest struct {
	// Path is relative to the folder for manifests.
	Path string
	// Content is YAML.
	Content []byte
}

// Manifests returns two manifests for each version of a managed kind that is served:
// one with what is needed to create an external resource, and one to observe one that
// exists, if the kind has management policies.
func Manifests(ctx context.Context, d pipeline.Definition) ([]Manifest, diag.List, error) {
	var manifests []Manifest
	var diags diag.List
	for i, v := range d.CRD.Spec.Versions {
		if !v.Served {
			continue
		}
		name := path.Join(d.CRD.Spec.Group, v.Name, strings.ToLower(d.CRD.Spec.Names.Kind))
		for _, observeOnly := range []bool{false, true} {
			file := name + ".yaml"
			if observeOnly {
				if policy, _ := observePolicy(v.Schema.OpenAPIV3Schema); policy == "" {
					continue
				}
				file = name + "-observe.yaml"
			}
			s := sampler{ctx: ctx, definition: d, version: i, observeOnly: observeOnly, withExamples: !observeOnly}
			object, refusals, err := s.admitted(v.Schema.OpenAPIV3Schema)
			if err != nil {
				return nil, nil, err
			}
			for _, r := range refusals {
				s.diags = append(s.diags, s.refused(r))
			}
			diags = append(diags, s.diags...)
			content, err := render.YAML([]string{d.Objects[i].Package.Dir}, object)
			if err != nil {
				return nil, nil, err
			}
			manifests = append(manifests, Manifest{Path: file, Content: content})
		}
	}
	return manifests, diags, nil
}

// admitted returns an object, and why the API server would refuse it if it would. An
// object to observe has fields with examples only if it needs them.
func (s *sampler) admitted(schema *apiextensionsv1.JSONSchemaProps) (map[string]any, []apiserver.Refusal, error) {
	object := s.object()
	if s.diags.HasErrors() {
		return object, nil, nil
	}
	refusals, err := apiserver.Refusals(s.ctx, schema, object)
	if err != nil || len(refusals) == 0 || s.withExamples {
		return object, refusals, err
	}
	s.withExamples = true
	return s.admitted(schema)
}

// refused returns the diagnostic for an example that the API server would refuse, at
// the field that it would object to.
func (s *sampler) refused(r apiserver.Refusal) diag.Diagnostic {
	at := declaration(s.definition.Place(s.version), strings.Split(r.Field, "."))
	return diag.Errorf(at, codeExample, "the API server would refuse the example of %s, since %s: %s: add +%s markers that make it valid",
		s.definition.CRD.Spec.Names.Kind, r.Field, r.Reason, marker)
}

// Package example makes manifests of managed resources that the API server accepts,
// from the schema of their CRD and from markers.
package example

import (
	"context"
	"path"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/render"
	"github.com/mrgen-io/mrgen/generator/internal/sample"
	"github.com/mrgen-io/mrgen/markers"
)

const (
	codeExample diag.Code = "example"

	// externalName is the annotation that says which external resource is meant.
	externalName = "crossplane.io/external-name"
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
// exists, if the kind has management policies. One that would not be valid is left out,
// with warnings that say why.
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
				if policy, _ := sample.ObservePolicy(v.Schema.OpenAPIV3Schema); policy == "" {
					continue
				}
				file = name + "-observe.yaml"
			}
			e := example{definition: d, version: i, observeOnly: observeOnly, withExamples: !observeOnly}
			object, refusals, err := e.admitted(ctx)
			if err != nil {
				return nil, nil, err
			}
			for _, r := range refusals {
				e.diags = append(e.diags, e.refused(r))
			}
			// What is valid of others is of use all the same.
			isLeftOut := e.diags.HasErrors()
			for _, problem := range e.diags {
				problem.Severity = diag.Warning
				diags = append(diags, problem)
			}
			if isLeftOut {
				continue
			}
			content, err := render.YAML([]string{d.Objects[i].Package.Dir}, object)
			if err != nil {
				return nil, nil, err
			}
			manifests = append(manifests, Manifest{Path: file, Content: content})
		}
	}
	return manifests, diags, nil
}

// An example is an object of one version of a kind.
type example struct {
	definition  pipeline.Definition
	version     int
	observeOnly bool
	// withExamples tells whether the object has all fields that have an example.
	withExamples bool
	diags        diag.List
}

// admitted returns the object, and why the API server would refuse it if it would. An
// object to observe has fields with examples only if it needs them.
func (e *example) admitted(ctx context.Context) (map[string]any, []apiserver.Refusal, error) {
	sampler := sample.Sampler{}
	sampler.Wanted = func(p pipeline.Place) bool {
		if e.withExamples && p.Field != nil && inParameters(p.Path) {
			if _, isGiven := sampler.Given(p); isGiven {
				return true
			}
		}
		return p.Path.String() == ".spec.forProvider" || !e.observeOnly && e.isRelaxed(p.Path)
	}
	object := sampler.Object(ctx, e.definition, e.version)
	e.diags = append(e.diags, sampler.Problems...)
	root := e.definition.Place(e.version).Schema
	if e.observeOnly {
		metadata := object["metadata"].(map[string]any)
		metadata["name"] = "example-observed"
		metadata["annotations"] = map[string]any{externalName: "example"}
		name, only := sample.ObservePolicy(root)
		object["spec"].(map[string]any)[name] = only
	}
	if e.diags.HasErrors() {
		return object, nil, nil
	}
	refusals, err := apiserver.Refusals(ctx, root, object)
	if err != nil || len(refusals) == 0 || e.withExamples {
		return object, refusals, err
	}
	e.withExamples = true
	return e.admitted(ctx)
}

// inParameters reports whether a path leads below spec.forProvider.
func inParameters(path apiserver.Path) bool {
	return len(path) > 2 && path[0].Name == "spec" && path[1].Name == "forProvider"
}

// isRelaxed reports whether a rule requires a field in place of the schema.
func (e *example) isRelaxed(path apiserver.Path) bool {
	if e.version >= len(e.definition.Decisions) {
		return false
	}
	for _, d := range e.definition.Decisions[e.version] {
		if d.Required && d.Rule != nil && d.Field.Compare(path) == 0 {
			return true
		}
	}
	return false
}

// refused returns the diagnostic for an example that the API server would refuse, at
// the field that it would object to.
func (e *example) refused(r apiserver.Refusal) diag.Diagnostic {
	at := declaration(e.definition.Place(e.version), strings.Split(r.Field, "."))
	if r.Field == (*field.Path)(nil).String() {
		r.Field = "the object"
	}
	return diag.Errorf(at, codeExample, "the API server would refuse the example of %s, since %s: %s: add +%s markers that make it valid",
		e.definition.CRD.Spec.Names.Kind, r.Field, r.Reason, markers.Example)
}

// declaration returns where the field with a path below p is declared, or the nearest one
// above it.
func declaration(p pipeline.Place, names []string) diag.Position {
	for _, name := range names {
		name, index, isElement := strings.Cut(name, "[")
		if p.Schema == nil {
			break
		}
		p = p.Property(name)
		if isElement && p.Schema != nil {
			kind := apiserver.Items
			if _, err := strconv.Atoi(strings.TrimSuffix(index, "]")); err != nil {
				kind = apiserver.Values
			}
			p = p.Element(kind)
		}
	}
	return p.Pos
}
